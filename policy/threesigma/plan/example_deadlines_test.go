package plan_test

import (
	"context"
	"fmt"
	"log"

	"example.com/augur/policy/threesigma/plan"
)

// A request is a gang that takes a number of nodes for a number of slots, and is worth its
// value if it has ended by the deadline.
type request struct {
	name     string
	nodes    float64
	slots    int
	value    float64
	deadline int // slot
}

// job has an option for each slot that the request can start in and be in time.
func (r request) job() plan.Job {
	profile := make([]float64, r.slots) // it runs for so long with certainty
	for i := range profile {
		profile[i] = 1
	}
	j := plan.Job{
		Profiles: [][]float64{profile},
		Places:   []plan.Place{{{Pool: 0, Nodes: r.nodes}}},
	}
	for start := 0; start+r.slots <= r.deadline; start++ {
		j.Options = append(j.Options, plan.Option{Utility: r.value, Start: int32(start)})
	}
	return j
}

// Four gangs want ten nodes, two of which are taken in the first two slots. There is no room
// for all, and it is not the least of them that is best left out.
func Example_deadlines() {
	requests := []request{
		{"train", 8, 3, 10, 6}, {"index", 4, 4, 7, 5}, {"report", 5, 2, 6, 5}, {"backup", 6, 2, 3, 8},
	}
	problem := plan.Problem{Capacity: [][]float64{{8, 8, 10, 10, 10, 10, 10, 10}}}
	for _, r := range requests {
		problem.Jobs = append(problem.Jobs, r.job())
	}
	solution, err := plan.Search{}.Solve(context.Background(), &problem, plan.SolveConfig{})
	if err != nil {
		log.Fatal(err)
	}
	for i, r := range requests {
		if o := solution.Choice[i]; o != plan.None {
			fmt.Printf("%s from slot %d\n", r.name, problem.Jobs[i].Options[o].Start)
		} else {
			fmt.Println(r.name, "not at all")
		}
	}
	fmt.Printf("worth %v, and nothing is better: %v\n", solution.Objective, solution.Proved)
	// Output:
	// train from slot 0
	// index not at all
	// report from slot 3
	// backup from slot 5
	// worth 19, and nothing is better: true
}

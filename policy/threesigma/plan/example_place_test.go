package plan_test

import (
	"context"
	"fmt"

	"example.com/augur/policy/threesigma/plan"
)

// Three partitions have two, two and three nodes free. Gangs may be spread over the first two, or
// over all three. So there are two pools: the first two partitions together, and all together. A
// gang of the first two takes nodes of both pools, for all nodes are in the second; one of all
// takes nodes of the second alone. A job that runs holds a node of the first partition and two of
// the third, one and three of the pools; that it is kept is an option.
func ExamplePlace() {
	const firstTwo, all = 0, 1
	preferred := plan.Place{{Pool: firstTwo, Nodes: 3}, {Pool: all, Nodes: 3}}
	anywhere := plan.Place{{Pool: all, Nodes: 3}}
	held := plan.Place{{Pool: firstTwo, Nodes: 1}, {Pool: all, Nodes: 3}}

	gang := plan.Job{
		Profiles: [][]float64{{1, 0.5}, {1, 1}}, // it is slower elsewhere
		Places:   []plan.Place{preferred, anywhere},
		Options: []plan.Option{
			{Utility: 9, Place: 0, Profile: 0, Start: 0},
			{Utility: 5, Place: 1, Profile: 1, Start: 0},
		},
	}
	running := plan.Job{
		Profiles: [][]float64{{1, 0.25}},
		Places:   []plan.Place{held},
		Options:  []plan.Option{{Utility: 2}},
	}
	p := &plan.Problem{
		Capacity: [][]float64{{4, 4}, {7, 7}},
		Jobs:     []plan.Job{gang, gang, running},
	}
	s, err := plan.Search{}.Solve(context.Background(), p, plan.SolveConfig{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for j, o := range s.Choice {
		if o == plan.None {
			fmt.Printf("job %d has nothing\n", j)
			continue
		}
		fmt.Printf("job %d has place %d\n", j, p.Jobs[j].Options[o].Place)
	}
	fmt.Println(s.Objective, s.Proved)
	// Output:
	// job 0 has place 0
	// job 1 has place 1
	// job 2 has nothing
	// 14 true
}

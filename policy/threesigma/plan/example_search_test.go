package plan_test

import (
	"context"
	"fmt"

	"example.com/augur/policy/threesigma/plan"
)

// Three jobs want four nodes each. They surely run in their first slot, and in their second as
// likely as not, and are worth less the later they start. One partition has eight nodes, two fewer
// in its second slot; the other has four, from its second slot on.
func ExampleSearch() {
	p := &plan.Problem{Capacity: [][]float64{{8, 6, 8}, {0, 4, 4}}}
	for _, worth := range []float64{10, 6, 5} {
		job := plan.Job{Profiles: [][]float64{{1, 0.5}}}
		for pool := range int32(2) { // which are the partitions
			job.Places = append(job.Places, plan.Place{{Pool: pool, Nodes: 4}})
			for start := range int32(3) {
				job.Options = append(job.Options, plan.Option{
					Utility: worth * (1 - 0.25*float64(start)),
					Place:   pool,
					Start:   start,
				})
			}
		}
		p.Jobs = append(p.Jobs, job)
	}

	// A scheduler would give a ctx with a deadline. A problem as small as this is solved before.
	s, err := plan.Search{}.Solve(context.Background(), p, plan.SolveConfig{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for j, o := range s.Choice {
		if o == plan.None {
			fmt.Printf("job %d waits\n", j)
			continue
		}
		opt := p.Jobs[j].Options[o]
		fmt.Printf("job %d: partition %d from slot %d, worth %v\n", j, opt.Place, opt.Start, opt.Utility)
	}
	fmt.Printf("%v, at most %v, proved: %v\n", s.Objective, s.Bound, s.Proved)

	// The next problem is like this one, and begins a slot later.
	prices := s.State.(plan.Prices).Shift(1)
	fmt.Println(len(prices), "pools have prices")
	// Output:
	// job 0: partition 0 from slot 0, worth 10
	// job 1: partition 0 from slot 0, worth 6
	// job 2: partition 1 from slot 1, worth 3.75
	// 19.75, at most 19.75, proved: true
	// 2 pools have prices
}

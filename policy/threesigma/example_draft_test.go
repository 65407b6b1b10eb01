package threesigma_test

import (
	"context"
	"fmt"

	"example.com/augur/estimate"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/threesigma/plan"
)

// A host of its own asks what to do with a job that has 150 s to its deadline, while another one, which may be
// stopped, has run for 40 s on all of its four nodes but the one of a job of which nothing is known.
func ExampleDraft() {
	history := new(estimate.Sample)
	for _, runtime := range []float64{50, 60, 70, 90} {
		if err := history.Add(runtime); err != nil {
			fmt.Println(err)
			return
		}
	}
	draft, err := threesigma.NewDraft(threesigma.Window{Width: 10, Slots: 12})
	if err != nil {
		fmt.Println(err)
		return
	}
	const now = 1000.0
	err = draft.Begin(now, []float64{5})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := draft.Occupy(plan.Place{{Pool: 0, Nodes: 1}}, nil, 0); err != nil {
		fmt.Println(err)
		return
	}
	all := plan.Place{{Pool: 0, Nodes: 4}}
	left, _ := threesigma.After(history, 40)
	runs, err := draft.Hold(0.2, all, left, 40)
	if err != nil {
		fmt.Println(err)
		return
	}
	deadline, err := threesigma.NewStep(1, now+150)
	if err != nil {
		fmt.Println(err)
		return
	}
	waits, err := draft.Offer(deadline, []threesigma.Site{{Place: all, Runtime: history}})
	if err != nil {
		fmt.Println(err)
		return
	}
	problem := draft.Problem()
	solution, err := plan.Exact{}.Solve(context.Background(), problem, plan.SolveConfig{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("goes on:", solution.Choice[runs] != plan.None)
	if o := solution.Choice[waits]; o != plan.None {
		option := problem.Jobs[waits].Options[o]
		fmt.Printf("starts in %d slots, worth %.2f\n", option.Start, option.Utility)
	}
	// Output:
	// goes on: true
	// starts in 5 slots, worth 1.00
}

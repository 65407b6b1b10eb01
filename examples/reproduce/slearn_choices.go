package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// A slearnChoice is one of several ways to read what the paper does not say to the end.
type slearnChoice struct {
	name    string
	history slearn.HistoryConfig   // of 3Sigma
	change  func(*slearn.GSConfig) // of both schedulers; nil: none
}

// slearnChoices begin with the default, which 3Sigma's points follow: the single numbers that it
// may take for its prediction.
var slearnChoices = []slearnChoice{
	{name: "default"},
	{name: "3Sigma by the winner's estimate", history: slearn.HistoryConfig{Point: slearn.Winner}},
	{name: "3Sigma by the median", history: slearn.HistoryConfig{Point: slearn.Median}},
	{name: "3Sigma of total runtimes", history: slearn.HistoryConfig{Total: true}},
	{name: "without work conservation", change: func(c *slearn.GSConfig) { c.Conserve = false }},
	{name: "queues share cores in use", change: func(c *slearn.GSConfig) { c.Sharing = queue.ByUse }},
	{name: "queues share cores in use and the next", change: func(c *slearn.GSConfig) { c.Sharing = queue.ByNextUse }},
	{name: "pilots apart", change: func(c *slearn.GSConfig) { c.Apart = true }},
}

// slearnInputs are other workloads that what is published of the traces allows. The names that
// change are as many, and change as much, as makes the median error of history on gtrace11 that
// of Fig. 2.
func slearnInputs(t *slearnTrace) []slearnTrace {
	inputs := []slearnTrace{*t.likeFig2()}
	add := func(name string, change func(*workload.SLearn)) {
		inputs = append(inputs, slearnTrace{name: t.name + ", " + name, params: func() workload.SLearn {
			g := t.params()
			change(&g)
			return g
		}, days: t.days})
	}
	add("1/4 of the names changed", func(g *workload.SLearn) { g.Changed, g.ChangeSigma = 0.25, 2 })
	if t.name == "2strace" { // the others have bursts
		add("65 % of the jobs in 1/2 of the time", func(g *workload.SLearn) { g.Epochs, g.Bursts, g.Burst = 2, 1, 0.3 })
	}
	return inputs
}

// slearnSweep compares SLearn with 3Sigma at other loads than the traces', by each of the
// choices, and on the other inputs.
func slearnSweep(ctx context.Context, r *report, t *slearnTrace, seeds int) error {
	for _, load := range []float64{0.8, 1.0, 1.3, 1.6, 2.0} {
		rounds, err := t.rounds(ctx, seeds, load)
		if err != nil {
			return err
		}
		choices := slearnChoices[:1]
		if load == 1.0 || load == 1.6 {
			choices = slearnChoices
		}
		if err := slearnGains(ctx, r, t.name, load, rounds, choices); err != nil {
			return err
		}
	}
	for _, input := range slearnInputs(t) {
		if err := slearnInput(ctx, r, t, &input, seeds); err != nil {
			return fmt.Errorf("%s: %w", input.name, err)
		}
	}
	return nil
}

// slearnInput tells how far an input is from what is published of the trace, and what comes
// out on it.
func slearnInput(ctx context.Context, r *report, t, input *slearnTrace, seeds int) error {
	load := input.params().Load
	rounds, err := input.rounds(ctx, seeds, load)
	if err != nil {
		return err
	}
	told := report{paper: r.paper}
	for _, item := range []slearnItem{slearnWorkload, slearnErrors} {
		like := *input
		like.name = t.name // that something is published of
		if err := item(ctx, &told, &like, rounds); err != nil {
			return err
		}
	}
	for _, l := range told.lines {
		if l.Workload = input.name; l.Item != "Table 9" {
			r.lines = append(r.lines, l)
		}
	}
	points := slearnChoices[:3]
	if err := slearnGains(ctx, r, input.name, load, rounds, points); err != nil {
		return err
	}
	if rounds, err = input.rounds(ctx, seeds, 1.6); err != nil {
		return err
	}
	return slearnGains(ctx, r, input.name, 1.6, rounds, points)
}

// slearnGains adds what comes out at a load for each of some choices.
func slearnGains(ctx context.Context, r *report, name string, load float64, rounds []*round, choices []slearnChoice) error {
	for _, choice := range choices {
		over, err := inEach(ctx, rounds, func(d *round) (float64, error) { return choice.gain(ctx, d) })
		if err != nil {
			return fmt.Errorf("%s: %w", choice.name, err)
		}
		r.add("choices", name, fmt.Sprintf("mean JCT of 3Sigma over SLearn's at load %.4g, %s", load, choice.name), unpublished, over)
	}
	return nil
}

// gain returns the mean completion time under 3Sigma over that under SLearn.
func (choice *slearnChoice) gain(ctx context.Context, d *round) (float64, error) {
	bySLearn, by3Sigma := d.bySLearn, d.by3Sigma
	var changes []func(*slearn.GSConfig)
	var err error
	if choice.change != nil {
		changes = append(changes, choice.change)
		if bySLearn, err = d.run(ctx, d.sampling(func(*slearn.SamplingConfig) {}), changes...); err != nil {
			return 0, err
		}
	}
	if choice.change != nil || choice.history != (slearn.HistoryConfig{}) {
		if by3Sigma, err = d.run(ctx, d.learned(choice.history), changes...); err != nil {
			return 0, err
		}
	}
	return speedupOf(by3Sigma, bySLearn).mean, nil
}

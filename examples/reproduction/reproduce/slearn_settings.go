package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload/paper"
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
	{name: "without work conservation", change: func(c *slearn.GSConfig) { c.HoldBack = true }},
	{name: "queues share cores in use", change: func(c *slearn.GSConfig) { c.Sharing = queue.ByUse }},
	{name: "queues share cores in use and the next", change: func(c *slearn.GSConfig) { c.Sharing = queue.ByNextUse }},
	{name: "pilots apart", change: func(c *slearn.GSConfig) { c.Apart = true }},
}

// slearnInputs are other workloads that what is published of the traces allows. The names that
// change are as many, and change as much, as makes the median error of history on gtrace11 that
// of Fig. 2.
func slearnInputs(t *slearnTrace) []*slearnTrace {
	inputs := []*slearnTrace{t.likeFig2()}
	add := func(name string, change func(*paper.SLearn)) {
		input := *t
		input.name += ", " + name
		change(&input.params)
		inputs = append(inputs, &input)
	}
	add("1/4 of the names changed", func(g *paper.SLearn) { g.Changed, g.ChangeSigma = 0.25, 2 })
	if t.name == "2strace" { // the others have bursts
		add("65 % of the jobs in 1/2 of the time", func(g *paper.SLearn) { g.Epochs, g.Bursts, g.Burst = 2, 1, 0.3 })
	}
	return inputs
}

// slearnSettings compares SLearn with 3Sigma at other loads than the traces', by each of the
// choices, and on the other inputs.
func slearnSettings(t *slearnTrace) (items []item) {
	for _, load := range []float64{0.8, 1.0, 1.3, 1.6, 2.0} {
		choices := slearnChoices[:1]
		if load == 1.0 || load == 1.6 {
			choices = slearnChoices
		}
		items = append(items, slearnGains(t, load, t.rounds(load), choices))
	}
	for _, input := range slearnInputs(t) {
		load := input.params.Load
		b := input.rounds(load)
		points := slearnChoices[:3]
		items = append(items,
			likeOf(t, input, slearnWorkload, b), likeOf(t, input, slearnErrors, b),
			slearnGains(input, load, b, points), slearnGains(input, 1.6, input.rounds(1.6), points),
		)
	}
	return items
}

// likeOf tells how far an input is from what is published of the trace.
func likeOf(t, input *slearnTrace, of slearnItem, b *bed[*round]) item {
	like := *input
	like.name = t.name // that something is published of
	return of(&like, b).changed(func(l *line) bool {
		l.Workload = input.name
		return l.Item != "Table 9"
	})
}

// slearnGains tells what comes out at a load for each of some choices.
func slearnGains(t *slearnTrace, load float64, b *bed[*round], choices []slearnChoice) item {
	return byRound(b, "choices", func(ctx context.Context, d *round) (over []float64, err error) {
		for _, choice := range choices {
			x, err := choice.gain(ctx, d)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", choice.name, err)
			}
			over = append(over, x)
		}
		return over, nil
	}, func(r *report, runs [][]float64) {
		for i, choice := range choices {
			r.add("choices", t.name, fmt.Sprintf("mean JCT of 3Sigma over SLearn's at load %.4g, %s", load, choice.name), unpublished, each(runs, func(over []float64) float64 { return over[i] }))
		}
	})
}

// gain returns the mean completion time under 3Sigma over that under SLearn.
func (choice *slearnChoice) gain(ctx context.Context, d *round) (float64, error) {
	bySLearn, by3Sigma := d.bySLearn, d.by3Sigma
	var changes []func(*slearn.GSConfig)
	var err error
	if choice.change != nil {
		changes = append(changes, choice.change)
		if bySLearn, err = d.run(ctx, d.sampling(nil), changes...); err != nil {
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

package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/slearn"
	"example.com/augur/queue"
)

// slearnChoices are other ways to read what the paper does not say to the end, of the scheduler and of 3Sigma.
var slearnChoices = []struct {
	name    string
	history slearn.HistoryConfig   // of 3Sigma
	change  func(*slearn.GSConfig) // of both schedulers; nil: none
}{
	{name: "3Sigma of total runtimes", history: slearn.HistoryConfig{Total: true}},
	{name: "without work conservation", change: func(c *slearn.GSConfig) { c.NoWorkConservation = true }},
	{name: "queues share cores in use", change: func(c *slearn.GSConfig) { c.Sharing = queue.ByUse }},
	{name: "queues share cores in use and the next", change: func(c *slearn.GSConfig) { c.Sharing = queue.ByNextUse }},
	{name: "pilots apart", change: func(c *slearn.GSConfig) { c.PilotQueue = true }},
}

// slearnReadings tells what comes out of Fig. 6 by each of the choices.
func slearnReadings(t *slearnTrace, b *bed[*round]) item {
	return byRound(b, "choices", func(ctx context.Context, d *round) (over []float64, err error) {
		for _, choice := range slearnChoices {
			bySLearn := d.bySLearn
			var changes []func(*slearn.GSConfig)
			if choice.change != nil {
				changes = append(changes, choice.change)
				if bySLearn, err = d.run(ctx, d.sampling(nil), changes...); err != nil {
					return nil, fmt.Errorf("%s: %w", choice.name, err)
				}
			}
			by3Sigma, err := d.run(ctx, d.learned(choice.history), changes...)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", choice.name, err)
			}
			over = append(over, speedupOf(by3Sigma, bySLearn).mean)
		}
		return over, nil
	}, func(r *report, runs [][]float64) {
		for i, choice := range slearnChoices {
			r.add("Fig. 6", t.name, "mean JCT of 3Sigma over SLearn's, "+choice.name, unpublished, each(runs, func(over []float64) float64 { return over[i] }))
		}
	})
}

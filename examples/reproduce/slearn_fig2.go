package main

import (
	"context"

	"example.com/augur/policy/slearn"
)

// likeFig2 returns the trace of which pilots and history, by the winner's estimate, err as in Fig. 2
// and Table 6. The others go by Table 4, under which they err less; none meets both.
func (t *slearnTrace) likeFig2() *slearnTrace {
	return &slearnTrace{name: t.name + "-fig2", params: t.fig2, days: t.days}
}

// slearnFig2 is Table 6, for adaptive sampling, on the trace that goes by Fig. 2: with 3Sigma as in
// all else, and with the estimates that err as published.
func slearnFig2(ctx context.Context, r *report, t *slearnTrace, seeds int) error {
	like := t.likeFig2()
	contests, err := like.contests(ctx, seeds, 0)
	if err != nil {
		return err
	}
	type figures struct {
		error             float64
		byDefault, winner speedup
	}
	measured, err := inEach(ctx, contests, func(c *contest) (f figures, err error) {
		sampled, err := c.run(ctx, c.sampling(func(*slearn.SamplingConfig) {}))
		if err != nil {
			return f, err
		}
		learned, err := c.run(ctx, c.learned(slearn.HistoryConfig{}))
		if err != nil {
			return f, err
		}
		winner, err := c.run(ctx, c.learned(slearn.HistoryConfig{Point: slearn.Winner}))
		return figures{percentile(estimateErrors(sampled, c.execution), 0.5), speedupOf(learned, sampled), speedupOf(winner, sampled)}, err
	})
	if err != nil {
		return err
	}
	published := table6[t.name][adaptive]
	r.add("Table 6", like.name, "SLearn's error with an adaptive share of pilots, P50, %", published.error, each(measured, func(f figures) float64 { return f.error }))
	addSpeedups(r, "Table 6", like, "3Sigma over SLearn's with an adaptive share of pilots", published.speedup, each(measured, func(f figures) speedup { return f.byDefault }))
	addSpeedups(r, "Table 6", like, "3Sigma (winner) over SLearn's with an adaptive share of pilots", speedup{unpublished, unpublished}, each(measured, func(f figures) speedup { return f.winner }))
	return nil
}

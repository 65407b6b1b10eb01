package main

import (
	"context"

	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
)

// likeFig2 returns a trace whose tasks vary so that pilots err as in Fig. 2 and Table 6. The
// generators go by Table 4, under which they err less; no spread of tasks meets both.
func (t *slearnTrace) likeFig2() *slearnTrace {
	spread := map[string]struct{ median, sigma float64 }{"2strace": {0.53, 0.51}, "gtrace11": {0.315, 0.63}, "gtrace19": {1.1, 0.16}}[t.name]
	params := func() workload.SLearn {
		g := t.params()
		g.TaskMedian, g.TaskSigma = spread.median, spread.sigma
		return g
	}
	return &slearnTrace{t.name + "-fig2", params, t.days, nil}
}

// slearnFig2 is Table 6, for adaptive sampling, on a trace that goes by Fig. 2.
func slearnFig2(ctx context.Context, r *report, t *slearnTrace, seeds int) error {
	like := t.likeFig2()
	contests, err := like.contests(ctx, seeds, 0)
	if err != nil {
		return err
	}
	type figures struct {
		error   float64
		speedup speedup
	}
	measured, err := inEach(ctx, contests, func(c *contest) (f figures, err error) {
		sampled, err := c.run(ctx, c.sampling(func(*slearn.SamplingConfig) {}))
		if err != nil {
			return f, err
		}
		learned, err := c.run(ctx, c.learned(slearn.HistoryConfig{}))
		return figures{percentile(estimateErrors(sampled, c.execution), 0.5), speedupOf(learned, sampled)}, err
	})
	if err != nil {
		return err
	}
	published := table6[t.name][adaptive]
	r.add("Table 6", like.name, "SLearn's error with an adaptive share of pilots, P50, %", published.error, each(measured, func(f figures) float64 { return f.error }))
	addSpeedups(r, "Table 6", like, "3Sigma over SLearn's with an adaptive share of pilots", published.speedup, each(measured, func(f figures) speedup { return f.speedup }))
	return nil
}

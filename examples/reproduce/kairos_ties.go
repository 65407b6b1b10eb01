package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/kairos"
)

// kairosTies is Fig. 6: ways to choose between nodes with as many tasks.
func kairosTies(ctx context.Context, r *report, w *kairosJobs, beds []*testbed) error {
	for _, way := range []struct {
		name  string
		tie   kairos.Tie
		worst float64
	}{
		{"Var", kairos.LeastVariance, 1452},
		{"Random", kairos.AtRandom, 1633},
		{"Sum", kairos.LeastSum, 1651},
	} {
		runs, err := kairosOnBed(way.name, func(c *kairos.Config) { c.Central.Tie = way.tie }).run(ctx, beds)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		for _, f := range []figure{jctMean, jctP50, jctP90, jctP99} {
			r.add("Fig. 6", w.name, way.name+", "+f.name, unpublished, each(runs, f.of))
		}
		r.add("Fig. 6", w.name, way.name+", "+jctWorst.name, way.worst, each(runs, jctWorst.of))
	}
	return nil
}

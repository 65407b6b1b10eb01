package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/kairos"
)

// kairosTies is Fig. 6: ways to choose between nodes with as many tasks, the first of which is Kairos'. By how much
// its largest completion time is below another's is told of each draw, too.
func kairosTies(ctx context.Context, r *report, w *kairosJobs, beds []*testbed) error {
	ways := []struct {
		name  string
		tie   kairos.Tie
		worst float64
	}{
		{"Var", kairos.LeastVariance, 1452},
		{"Random", kairos.AtRandom, 1633},
		{"Sum", kairos.LeastSum, 1651},
	}
	var byVar []completed
	for i, way := range ways {
		runs, err := kairosOnBed(way.name, func(c *kairos.Config) { c.Central.Tie = way.tie }).run(ctx, beds)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		for _, f := range []figure{jctMean, jctP50, jctP90, jctP99} {
			r.add("Fig. 6", w.name, way.name+", "+f.name, unpublished, each(runs, f.of))
		}
		r.add("Fig. 6", w.name, way.name+", "+jctWorst.name, way.worst, each(runs, jctWorst.of))
		if i == 0 {
			byVar = runs
			continue
		}
		r.add("Fig. 6", w.name, fmt.Sprintf("%s, %s, below %s's by %%", ways[0].name, jctWorst.name, way.name), 100*(1-ways[0].worst/way.worst), jctWorst.below(byVar, runs))
	}
	return nil
}

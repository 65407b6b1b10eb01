package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/wing/pipeline"
	"example.com/augur/policy/workload"
)

// wingSettings runs the policies at 20 % on other lakes: what the paper does not tell of its own may be
// what its results hang on. None of them is made like Cosmos.
func wingSettings(ctx context.Context, r *report, f form) error {
	for _, setting := range []struct {
		name   string
		change func(l *workload.Lake)
	}{
		{"downloads anywhere in chains", func(l *workload.Lake) { l.Deep = 0 }},
		{"load two thirds", func(l *workload.Lake) { l.Load *= 2. / 3 }},
		{"load four thirds", func(l *workload.Lake) { l.Load *= 4. / 3 }},
		{"four times as large", func(l *workload.Lake) {
			l.JobsPerDay, l.Cores, l.Organisations, l.Users = 4*l.JobsPerDay, 4*l.Cores, 2*l.Organisations, 4*l.Users
		}},
	} {
		lake := wingLake(f)
		setting.change(&lake)
		lakes, err := newWingLakes(ctx, f, lake)
		if err != nil {
			return fmt.Errorf("%s: %w", setting.name, err)
		}
		beds, err := newWingBeds(ctx, lakes, lake.Cores, pipeline.Config{})
		if err != nil {
			return err
		}
		var runs []wingRun
		for _, one := range []bool{false, true} {
			for _, p := range []wingPolicy{prio, wingDirect, wingAgg, oracleDirect, oracleAgg} {
				runs = append(runs, wingRun{p, 20, one})
			}
		}
		outcomes, err := wingOutcomes(ctx, beds, runs)
		if err != nil {
			return err
		}
		for i := range runs {
			w := &runs[i]
			where := w.workload() + ", " + setting.name
			r.add(w.figure(), where, fmt.Sprintf("value under %s at 20 %% capacity, %%", w.policy.name), unpublished, each(outcomes[i], value))
			r.add(w.figure(), where, "jobs that fail under "+w.policy.name+" at 20 % capacity, %", unpublished, each(outcomes[i], func(o wingOutcome) float64 { return o.failed }))
		}
	}
	return nil
}

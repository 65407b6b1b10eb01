package main

import (
	"context"
	"fmt"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/policy/wing/pipeline"
)

// wingMispredictions is the sensitivity of section 7.2: what is lost if efficiencies are wrong by so much.
func wingMispredictions(ctx context.Context, r *report, f form, beds []*wingBed) error {
	published := map[float64]float64{5: 4, 10: 11}
	runs := []wingRun{{oracleAgg, 20, false}}
	errs := []wingError{{2, false}, {5, false}, {10, false}, {5, true}, {10, true}}
	if f.full {
		errs = append([]wingError{{1.1, false}, {1.25, false}, {1.5, false}}, errs...)
	}
	for _, e := range errs {
		runs = append(runs, wingRun{e.oracle(), 20, false})
	}
	outcomes, err := wingOutcomes(ctx, beds, runs)
	if err != nil {
		return err
	}
	for i, e := range errs {
		lost := make([]float64, len(beds))
		for k := range lost {
			lost[k] = outcomes[0][k].value - outcomes[i+1][k].value
		}
		metric := fmt.Sprintf("value lost if efficiencies are wrong by up to %v, %% of all value", e)
		if e.most == 5 {
			metric += " (at most)"
		}
		r.add("7.2", runs[0].workload(), metric, orUnpublished(published, e.most), lost)
	}
	return nil
}

// wingIterations is the end of section 7.2: the value that is attained if only paths of some length
// count. The authors have run 0 and 9 iterations; what they say of 2 and 4 is what they expect.
func wingIterations(ctx context.Context, r *report, f form, beds []*wingBed) error {
	published := map[int]float64{0: 42, 2: 50, 4: 55, 9: 55}
	iterations := []int{0, 2, 4, 9}
	if f.full {
		iterations = []int{0, 1, 2, 3, 4, 5, 9}
	}
	lakes := each(beds, func(b *wingBed) *lakelab.Lake { return b.Lake })
	for _, k := range iterations {
		policy, learnt := wingAgg, beds
		switch {
		case k == 0:
			policy = wingDirect
		case k < 9:
			var err error
			if learnt, err = newWingBeds(ctx, lakes, beds[0].cores, pipeline.Config{Hops: 1 << (k - 1)}); err != nil {
				return err
			}
		}
		w := wingRun{policy, 20, false}
		outcomes, err := wingOutcomes(ctx, learnt, []wingRun{w})
		if err != nil {
			return err
		}
		metric := fmt.Sprintf("value at 20 %% capacity after %d iterations, %%", k)
		if k == 2 || k == 4 {
			metric += " (expected by the authors)"
		}
		r.add("7.2", w.workload(), metric, orUnpublished(published, k), each(outcomes[0], value))
	}
	return nil
}

// wingTraining is what a longer history is good for: as many weeks as there are whole ones, or the
// last of them only.
func wingTraining(ctx context.Context, r *report, f form, lakes []*lakelab.Lake, cores int) error {
	weeks := []int{2, 9}
	if f.full {
		weeks = []int{2, 3, 5, 9}
	}
	for _, last := range weeks {
		start := provenance.Time(lakes[0].Log.Begin()) - provenance.Time(time.Duration(last)*wingWeek)
		beds, err := newWingBeds(ctx, lakes, cores, pipeline.Config{Start: start})
		if err != nil {
			return err
		}
		w := wingRun{wingAgg, 20, false}
		outcomes, err := wingOutcomes(ctx, beds, []wingRun{w})
		if err != nil {
			return err
		}
		r.add("3.2", w.workload(), fmt.Sprintf("value under Wing-Agg at 20 %% capacity by the last %d weeks of nine, %%", last), unpublished, each(outcomes[0], value))
	}
	return nil
}

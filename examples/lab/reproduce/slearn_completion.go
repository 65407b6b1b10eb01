package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
)

// A speedup is how much longer jobs take under one scheduler than under another: the mean
// completion time over the mean one, and the median of the jobs' own ratios.
type speedup struct{ mean, p50 float64 }

var unpublishedSpeedup = speedup{unpublished, unpublished}

func speedupOf(slow, fast outcome) speedup {
	c := sim.Compare(slow.Result, fast.Result)
	return speedup{c.RatioOfMeans, c.P50Ratio}
}

// addSpeedups adds a line for each of the two numbers: "JCT of who, P50 of the jobs" is the median of
// ratios, and not a ratio of medians.
func addSpeedups(r *report, item string, t *slearnTrace, who string, published speedup, measured []speedup) {
	r.add(item, t.name, "mean JCT of "+who, published.mean, each(measured, func(s speedup) float64 { return s.mean }))
	r.add(item, t.name, "JCT of "+who+", P50 of the jobs", published.p50, each(measured, func(s speedup) float64 { return s.p50 }))
}

// slearnCompletion is Fig. 6: completion times under the other estimators and under FIFO,
// over those under SLearn.
func slearnCompletion(t *slearnTrace, b *bed[*round]) item {
	u := unpublished
	paper := map[string]map[string]speedup{ // that over 3Sigma is in Table 6, too
		"2strace":  {"Oracle": {0.79, 0.73}, "3SigmaTL": {1.26, u}, "PointEst": {1.42, u}, "LAS": {1.91, 1.29}, "FIFO": {3.29, 8.45}},
		"gtrace11": {"Oracle": {u, u}, "3SigmaTL": {1.55, u}, "PointEst": {2.17, u}, "LAS": {1.65, u}, "FIFO": {u, u}},
		"gtrace19": {"Oracle": {u, u}, "3SigmaTL": {1.32, u}, "PointEst": {1.54, u}, "LAS": {1.72, u}, "FIFO": {u, u}},
	}[t.of]
	type rival struct {
		name      string
		published speedup
		of        func(ctx context.Context, d *round) (outcome, error)
	}
	rivals := []rival{
		{"Oracle", paper["Oracle"], func(_ context.Context, d *round) (outcome, error) { return d.byOracle, nil }},
		{"3Sigma", table6[t.of][adaptive].speedup, func(_ context.Context, d *round) (outcome, error) { return d.by3Sigma, nil }},
		{"3Sigma (winner)", unpublishedSpeedup, func(ctx context.Context, d *round) (outcome, error) {
			return d.run(ctx, d.learned(slearn.HistoryConfig{Point: slearn.Winner}))
		}},
		{"3SigmaTL", paper["3SigmaTL"], func(ctx context.Context, d *round) (outcome, error) {
			return d.run(ctx, d.learned(slearn.HistoryConfig{ThinLimit: wide}))
		}},
		{"PointEst", paper["PointEst"], func(ctx context.Context, d *round) (outcome, error) {
			return d.run(ctx, d.learned(slearn.HistoryConfig{Point: slearn.Median}))
		}},
		{"LAS", paper["LAS"], func(ctx context.Context, d *round) (outcome, error) { return d.run(ctx, d.attained) }},
		{"FIFO", paper["FIFO"], func(ctx context.Context, d *round) (outcome, error) { return d.run(ctx, nil) }},
	}
	for _, l := range t.with {
		rivals = append(rivals, rival{l.String(), unpublishedSpeedup, func(ctx context.Context, d *round) (outcome, error) {
			return d.runLine(ctx, l)
		}})
	}
	type times struct {
		idle  float64   // mean JCT on idle cores over SLearn's
		rival []speedup // of each
	}
	return byRound(b, "Fig. 6", func(ctx context.Context, d *round) (over times, err error) {
		idle, all := 0.0, 0.0
		for _, j := range d.bySLearn.Jobs {
			idle += j.Ideal.Seconds()
			all += j.JCT().Seconds()
		}
		over.idle = idle / all
		for _, rival := range rivals {
			o, err := rival.of(ctx, d)
			if err != nil {
				return over, fmt.Errorf("%s: %w", rival.name, err)
			}
			over.rival = append(over.rival, speedupOf(o, d.bySLearn))
		}
		return over, nil
	}, func(r *report, runs []times) {
		r.add("Fig. 6", t.name, "mean JCT on idle cores over SLearn's", unpublished, each(runs, func(over times) float64 { return over.idle }))
		for i, rival := range rivals {
			addSpeedups(r, "Fig. 6", t, rival.name+" over SLearn's", rival.published, each(runs, func(over times) speedup { return over.rival[i] }))
		}
	})
}

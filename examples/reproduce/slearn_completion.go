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
func slearnCompletion(ctx context.Context, r *report, t *slearnTrace, rounds []*round) error {
	u := unpublished
	paper := map[string]map[string]speedup{ // that over 3Sigma is in Table 6, too
		"2strace":  {"Oracle": {0.79, 0.73}, "3SigmaTL": {1.26, u}, "PointEst": {1.42, u}, "LAS": {1.91, 1.29}, "FIFO": {3.29, 8.45}},
		"gtrace11": {"Oracle": {u, u}, "3SigmaTL": {1.55, u}, "PointEst": {2.17, u}, "LAS": {1.65, u}, "FIFO": {u, u}},
		"gtrace19": {"Oracle": {u, u}, "3SigmaTL": {1.32, u}, "PointEst": {1.54, u}, "LAS": {1.72, u}, "FIFO": {u, u}},
	}[t.name]
	r.add("Fig. 6", t.name, "mean JCT on idle cores over SLearn's", u, each(rounds, func(d *round) float64 {
		idle, all := 0.0, 0.0
		for _, j := range d.bySLearn.Jobs {
			idle += j.Ideal.Seconds()
			all += j.JCT().Seconds()
		}
		return idle / all
	}))
	type rival struct {
		name      string
		estimator func(*round) estimator
	}
	add := func(name string, published speedup, of func(*round) (outcome, error)) error {
		measured, err := inEach(ctx, rounds, func(d *round) (speedup, error) {
			o, err := of(d)
			if err != nil {
				return speedup{}, fmt.Errorf("%s: %w", name, err)
			}
			return speedupOf(o, d.bySLearn), nil
		})
		if err != nil {
			return err
		}
		addSpeedups(r, "Fig. 6", t, name+" over SLearn's", published, measured)
		return nil
	}
	if err := add("Oracle", paper["Oracle"], func(d *round) (outcome, error) { return d.byOracle, nil }); err != nil {
		return err
	}
	if err := add("3Sigma", table6[t.name][adaptive].speedup, func(d *round) (outcome, error) { return d.by3Sigma, nil }); err != nil {
		return err
	}
	for _, o := range []rival{
		{"3SigmaTL", func(d *round) estimator {
			return d.learned(slearn.HistoryConfig{ThinLimit: wide})
		}},
		{"PointEst", func(d *round) estimator {
			return d.learned(slearn.HistoryConfig{Point: slearn.Median})
		}},
		{"LAS", func(d *round) estimator { return d.attained }},
		{"FIFO", func(*round) estimator { return nil }},
	} {
		if err := add(o.name, paper[o.name], func(d *round) (outcome, error) { return d.run(ctx, o.estimator(d)) }); err != nil {
			return err
		}
	}
	return nil
}

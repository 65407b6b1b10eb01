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
	}[t.name]
	type rival struct {
		name      string
		published speedup
		of        func(ctx context.Context, d *round) (outcome, error)
	}
	rivals := []rival{
		{"Oracle", paper["Oracle"], func(_ context.Context, d *round) (outcome, error) { return d.byOracle, nil }},
		{"3Sigma", table6[t.name][adaptive].speedup, func(_ context.Context, d *round) (outcome, error) { return d.by3Sigma, nil }},
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

// slearnBins is Fig. 8: the speedup of SLearn over 3Sigma by the bins of Table 9.
func slearnBins(t *slearnTrace, b *bed[*round]) item {
	u := unpublished
	paper := [4]struct{ mean, faster float64 }{{u, u}, {u, u}, {u, u}, {u, u}}
	if t.name == "2strace" { // bin 3: "a slowdown of 20.00 %"
		paper[0].mean, paper[0].faster, paper[1].mean, paper[2].mean, paper[3].mean = 10.54, 82.46, 1.86, 0.8, 1.38
	}
	type times struct{ slearn, sigma []float64 }
	return byRound(b, "Fig. 8", func(_ context.Context, d *round) (b [4]times, _ error) {
		for i, j := range d.execution {
			n := sizeBin(j)
			b[n].slearn = append(b[n].slearn, d.bySLearn.Jobs[i].JCT().Seconds())
			b[n].sigma = append(b[n].sigma, d.by3Sigma.Jobs[i].JCT().Seconds())
		}
		return b, nil
	}, func(r *report, bins [][4]times) {
		for i, name := range binNames {
			bin := fmt.Sprintf("bin %d, %s: ", i+1, name)
			r.add("Fig. 8", t.name, bin+"mean JCT of 3Sigma over SLearn's", paper[i].mean, each(bins, func(b [4]times) float64 {
				return meanOf(b[i].sigma) / meanOf(b[i].slearn)
			}))
			r.add("Fig. 8", t.name, bin+"faster under SLearn, jobs, %", paper[i].faster, each(bins, func(b [4]times) float64 {
				n := 0.0
				for k, sigma := range b[i].sigma {
					if b[i].slearn[k] < sigma {
						n++
					}
				}
				return 100 * n / float64(len(b[i].sigma))
			}))
		}
	})
}

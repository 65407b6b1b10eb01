package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
)

// adaptive stands for the ratio of pilots that SLearn chooses itself.
const adaptive = 0

// A pilotRun is what a ratio of pilots comes to: the median error of SLearn's estimates in percent, and its
// speedup over 3Sigma.
type pilotRun struct {
	error float64
	speedup
}

// table6 is what was published by the ratio of pilots, in percent.
var table6 = map[string]map[int]pilotRun{
	"2strace": {
		1: {19.4, speedup{1.24, 0.93}}, 2: {19.0, speedup{1.23, 0.92}}, 3: {19.0, speedup{1.27, 0.93}}, 4: {18.7, speedup{1.26, 0.92}},
		5: {18.4, speedup{1.27, 0.93}}, 10: {16.9, speedup{1.28, 0.91}}, adaptive: {19.0, speedup{1.28, 0.92}},
	},
	"gtrace11": {
		1: {14.4, speedup{1.52, 1.00}}, 2: {14.0, speedup{1.55, 1.00}}, 3: {13.6, speedup{1.54, 1.00}}, 4: {13.1, speedup{1.56, 1.00}},
		5: {12.7, speedup{1.58, 1.00}}, 10: {9.09, speedup{1.51, 1.00}}, adaptive: {13.7, speedup{1.56, 1.00}},
	},
	"gtrace19": {
		1: {55.7, speedup{1.31, 1.07}}, 2: {53.8, speedup{1.31, 1.07}}, 3: {47.1, speedup{1.31, 1.05}}, 4: {46.5, speedup{1.32, 1.05}},
		5: {42.1, speedup{1.28, 1.01}}, 10: {36.1, speedup{1.24, 1.00}}, adaptive: {51.8, speedup{1.32, 1.07}},
	},
}

var pilotRatios = []int{1, 2, 3, 4, 5, 10, adaptive}

// slearnRatios is Table 6: the errors of SLearn and its speedup over 3Sigma, by how many of
// a job's tasks are pilots.
func slearnRatios(t *slearnTrace, b *bed[*round]) item {
	return byRound(b, "Table 6", func(ctx context.Context, d *round) (all []pilotRun, err error) {
		for _, percent := range pilotRatios {
			o := d.bySLearn
			if percent != adaptive {
				if o, err = d.run(ctx, d.sampling(func(c *slearn.SamplingConfig) { c.Ratio = float64(percent) / 100 })); err != nil {
					return nil, fmt.Errorf("%d %% pilots: %w", percent, err)
				}
			}
			all = append(all, pilotRun{percentile(estimateErrors(o, d.execution), 0.5), speedupOf(d.by3Sigma, o)})
		}
		return all, nil
	}, func(r *report, runs [][]pilotRun) {
		for i, percent := range pilotRatios {
			pilots := "an adaptive share of"
			if percent != adaptive {
				pilots = fmt.Sprintf("%d %%", percent)
			}
			published := table6[t.of][percent]
			r.add("Table 6", t.name, "SLearn's error with "+pilots+" pilots, P50, %", published.error, each(runs, func(all []pilotRun) float64 { return all[i].error }))
			addSpeedups(r, "Table 6", t, "3Sigma over SLearn's with "+pilots+" pilots", published.speedup, each(runs, func(all []pilotRun) speedup { return all[i].speedup }))
		}
	})
}

// estimateErrors returns by how many percent the estimates of wide jobs were off.
func estimateErrors(o outcome, jobs []*workload.Job) (errors []float64) {
	for _, j := range jobs {
		if e := o.records[j.ID]; j.Tasks() >= wide && e.Estimated {
			errors = append(errors, 100*relative(e.Estimate, j.Work()))
		}
	}
	return errors
}

// slearnThin is Table 8: the speedup of SLearn over 3Sigma, by how many tasks a job must have
// to be sampled.
func slearnThin(t *slearnTrace, b *bed[*round]) item {
	limits := []int{2, 3, 4, 5, 6}
	paper := map[string][]float64{
		"2strace":  {1.23, 1.28, 1.14, 0.97, 0.84},
		"gtrace11": {1.54, 1.56, 1.55, 1.54, 1.53},
		"gtrace19": {1.33, 1.32, 1.32, 1.30, 1.29},
	}[t.of]
	return byRound(b, "Table 8", func(ctx context.Context, d *round) (means []float64, err error) {
		for _, limit := range limits {
			o, err := d.run(ctx, d.sampling(func(c *slearn.SamplingConfig) { c.ThinLimit = limit }))
			if err != nil {
				return nil, fmt.Errorf("thin limit %d: %w", limit, err)
			}
			means = append(means, speedupOf(d.by3Sigma, o).mean)
		}
		return means, nil
	}, func(r *report, runs [][]float64) {
		for i, limit := range limits {
			r.add("Table 8", t.name, fmt.Sprintf("mean JCT of 3Sigma over SLearn's with thin limit %d", limit), paper[i], each(runs, func(means []float64) float64 { return means[i] }))
		}
	})
}

// slearnAdaptive is Fig. 5: which share of a job's tasks SLearn chooses to be pilots, in
// percent, as time goes on. A line is the mean over a hundred wide jobs in the order in
// which they come; the first three hundred try what Fig. 4 says.
func slearnAdaptive(t *slearnTrace, b *bed[*round]) item {
	const hundred = 100
	return byRound(b, "Fig. 5", func(_ context.Context, d *round) ([]float64, error) { return chosenRatios(d), nil }, func(r *report, chosen [][]float64) {
		for from := 0; ; from += hundred {
			var means []float64
			for _, ratios := range chosen {
				if from+hundred > len(ratios) {
					return
				}
				means = append(means, meanOf(ratios[from:from+hundred]))
			}
			published := unpublished
			if i := from / hundred; i < 3 {
				published = [3]float64{3, 2, 4}[i]
			}
			r.add("Fig. 5", t.name, fmt.Sprintf("ratio of wide jobs %d-%d, %%", from+1, from+hundred), published, means)
		}
	})
}

// chosenRatios returns the share of pilots of each job that was sampled, in percent.
func chosenRatios(d *round) (percent []float64) {
	for _, j := range d.execution {
		if ratio := d.bySLearn.records[j.ID].Plan.Ratio; ratio > 0 {
			percent = append(percent, 100*ratio)
		}
	}
	return percent
}

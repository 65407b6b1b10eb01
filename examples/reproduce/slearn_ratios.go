package main

import (
	"context"
	"fmt"

	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
)

// adaptive stands for the ratio of pilots that SLearn chooses itself.
const adaptive = 0

// table6 is what was published of SLearn by the ratio of its pilots, in percent: the median
// error of its estimates in percent, and its speedup over 3Sigma.
var table6 = map[string]map[int]struct {
	error float64
	speedup
}{
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

// slearnRatios is Table 6: the errors of SLearn and its speedup over 3Sigma, by how many of
// a job's tasks are pilots.
func slearnRatios(ctx context.Context, r *report, t *slearnTrace, rounds []*round) error {
	for _, percent := range []int{1, 2, 3, 4, 5, 10, adaptive} {
		pilots := "an adaptive share of"
		if percent != adaptive {
			pilots = fmt.Sprintf("%d %%", percent)
		}
		outcomes, err := inEach(ctx, rounds, func(d *round) (outcome, error) {
			if percent == adaptive {
				return d.bySLearn, nil
			}
			return d.run(ctx, d.sampling(func(c *slearn.SamplingConfig) { c.Ratio = float64(percent) / 100 }))
		})
		if err != nil {
			return fmt.Errorf("%d %% pilots: %w", percent, err)
		}
		var errors []float64
		var speedups []speedup
		for i, d := range rounds {
			errors = append(errors, percentile(estimateErrors(outcomes[i], d.execution), 0.5))
			speedups = append(speedups, speedupOf(d.by3Sigma, outcomes[i]))
		}
		published := table6[t.name][percent]
		r.add("Table 6", t.name, "SLearn's error with "+pilots+" pilots, P50, %", published.error, errors)
		addSpeedups(r, "Table 6", t, "3Sigma over SLearn's with "+pilots+" pilots", published.speedup, speedups)
	}
	return nil
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

package main

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/stat"
)

// slearnAdaptive is Fig. 5: which share of a job's tasks SLearn chooses to be pilots, in
// percent, as time goes on. A line is the mean over a hundred wide jobs in the order in
// which they come; the first three hundred try what Fig. 4 says.
func slearnAdaptive(_ context.Context, r *report, t *slearnTrace, rounds []*round) error {
	const hundred = 100
	chosen := each(rounds, chosenRatios)
	for from := 0; ; from += hundred {
		var means []float64
		for _, ratios := range chosen {
			if from+hundred > len(ratios) {
				return nil
			}
			means = append(means, stat.Mean(ratios[from:from+hundred], nil))
		}
		published := unpublished
		if i := from / hundred; i < 3 {
			published = [3]float64{3, 2, 4}[i]
		}
		r.add("Fig. 5", t.name, fmt.Sprintf("ratio of wide jobs %d-%d, %%", from+1, from+hundred), published, means)
	}
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

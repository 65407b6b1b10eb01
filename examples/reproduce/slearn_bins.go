package main

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/stat"
)

// slearnBins is Fig. 8: the speedup of SLearn over 3Sigma by the bins of Table 9.
func slearnBins(_ context.Context, r *report, t *slearnTrace, rounds []*round) error {
	u := unpublished
	paper := [4]struct{ mean, faster float64 }{{u, u}, {u, u}, {u, u}, {u, u}}
	if t.name == "2strace" { // bin 3: "a slowdown of 20.00 %"
		paper[0].mean, paper[0].faster, paper[1].mean, paper[2].mean, paper[3].mean = 10.54, 82.46, 1.86, 0.8, 1.38
	}
	type times struct{ slearn, sigma []float64 }
	bins := each(rounds, func(d *round) (b [4]times) {
		for i, j := range d.execution {
			n := sizeBin(j)
			b[n].slearn = append(b[n].slearn, d.bySLearn.Jobs[i].JCT().Seconds())
			b[n].sigma = append(b[n].sigma, d.by3Sigma.Jobs[i].JCT().Seconds())
		}
		return b
	})
	for i, name := range binNames {
		bin := fmt.Sprintf("bin %d, %s: ", i+1, name)
		r.add("Fig. 8", t.name, bin+"mean JCT of 3Sigma over SLearn's", paper[i].mean, each(bins, func(b [4]times) float64 {
			return stat.Mean(b[i].sigma, nil) / stat.Mean(b[i].slearn, nil)
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
	return nil
}

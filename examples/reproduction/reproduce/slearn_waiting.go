package main

import (
	"context"
	"math"
)

// A wait is how long a job's tasks wait on average, over their mean runtime, under SLearn
// and under 3Sigma.
type wait struct{ slearn, sigma float64 }

// slearnWaiting is Fig. 11: the waits of wide jobs. The paper divides those of gtrace11 at 0.04
// and 1.9, where its two curves meet, so that it has as many jobs in each segment under the
// one scheduler as under the other.
func slearnWaiting(t *slearnTrace, b *bed[*round]) item {
	return byRound(b, "Fig. 11", func(_ context.Context, d *round) ([]wait, error) { return waits(d), nil }, func(r *report, all [][]wait) {
		tellWaits(r, t, all)
	})
}

func tellWaits(r *report, t *slearnTrace, all [][]wait) {
	add := func(metric string, published float64, of func(w []wait) float64) {
		r.add("Fig. 11", t.name, metric, published, each(all, of))
	}
	for _, p := range []struct {
		name  string
		share float64
	}{{"P50", 0.5}, {"P90", 0.9}} {
		add("normalized wait under SLearn "+p.name, unpublished, func(w []wait) float64 {
			return percentile(each(w, func(w wait) float64 { return w.slearn }), p.share)
		})
		add("normalized wait under 3Sigma "+p.name, unpublished, func(w []wait) float64 {
			return percentile(each(w, func(w wait) float64 { return w.sigma }), p.share)
		})
	}
	u := unpublished
	for _, s := range []struct {
		name              string
		least, most       float64
		one, both, slearn float64 // published for gtrace11, %
	}{
		{"below 0.04", 0, 0.04, 36.58, 35.57, u},
		{"0.04 to 1.90", 0.04, 1.90, 30.51, 20.38, 29.81},
		{"above 1.90", 1.90, math.Inf(1), 32.91, 24.68, 83.08},
	} {
		if t.name != "gtrace11" {
			s.one, s.both, s.slearn = u, u, u
		}
		in := func(x float64) bool { return s.least <= x && x < s.most }
		add("normalized wait "+s.name+" under SLearn, jobs, %", s.one, func(w []wait) float64 {
			return shareOf(w, func(w wait) bool { return in(w.slearn) })
		})
		add("normalized wait "+s.name+" under 3Sigma, jobs, %", s.one, func(w []wait) float64 {
			return shareOf(w, func(w wait) bool { return in(w.sigma) })
		})
		both := func(w wait) bool { return in(w.slearn) && in(w.sigma) }
		add("normalized wait "+s.name+" under both, jobs, %", s.both, func(w []wait) float64 { return shareOf(w, both) })
		add("normalized wait "+s.name+" under both, of these shorter under SLearn, %", s.slearn, func(w []wait) float64 {
			return 100 * shareOf(w, func(w wait) bool { return both(w) && w.slearn < w.sigma }) / shareOf(w, both)
		})
	}
}

// waits returns the waits of the wide jobs.
func waits(d *round) (all []wait) {
	for i, a := range d.bySLearn.Jobs {
		b := d.by3Sigma.Jobs[i]
		if a.Tasks >= wide {
			all = append(all, wait{float64(a.MeanWait) / float64(a.MeanTask), float64(b.MeanWait) / float64(b.MeanTask)})
		}
	}
	return all
}

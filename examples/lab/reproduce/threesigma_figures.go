package main

import (
	"fmt"
	"slices"

	"example.com/augur/examples/lab/paper"
)

// A sigmaPublished has numbers by system, or by metric.
type sigmaPublished struct{ missed, times, lower map[string]float64 }

// sigmaFig5 is of E2E: the deadlines that the text of section 6.1 says are missed, in percent (see sigmaItems
// for 3Sigma's); how many times as many as 3Sigma's these are, in the words of the paper plus one; and by
// how many percent other things are lower than under 3Sigma.
var sigmaFig5 = sigmaPublished{
	missed: map[string]float64{"3Sigma": 3.6, "PointRealEst": 18, "Prio": 12},
	times:  map[string]float64{"PointRealEst": 5.0, "Prio": 3.3},
	lower:  map[string]float64{goodput.under("PointRealEst"): 5.4},
}

// sigmaFour is Figs. 1 and 5, and Fig. 6: the four systems of section 5, others, and lines of parts.
func sigmaFour(f form, figure string, b *sigmaBed, published sigmaPublished, others ...sigmaSystem) item {
	return func(l *lab) func(r *report) {
		trials := b.asks(l, slices.Concat([]sigmaSystem{threeSigma, perfEst, realEst, strictPrio}, others, each(f.with, sigmaLine))...)
		return func(r *report) {
			missed.tell(r, figure, published.missed, trials...)
			for _, t := range trials {
				if missedInAll(t) {
					tight.tell(r, figure, nil, t)
					givenUp.tell(r, figure, nil, t)
				}
			}
			us := trials[0]
			for _, t := range trials[1:] {
				what := "deadlines missed under " + t.system
				r.add(figure, b.name, what+" less those under 3Sigma, % of all", orUnpublished(published.missed, t.system)-orUnpublished(published.missed, us.system), t.less(us, missed.of))
				if times := t.times(us, missed.of); len(times) > 0 {
					r.add(figure, b.name, what+" over those under 3Sigma", orUnpublished(published.times, t.system), times)
				}
			}
			for _, f := range []sigmaFigure{goodput, best, latency} {
				f.tell(r, figure, nil, trials...)
				for _, t := range trials[1:] {
					lower := each(t.times(us, f.of), func(x float64) float64 { return 100 * (1 - x) })
					if len(lower) == 0 {
						continue // there is none
					}
					metric := f.under(t.system)
					r.add(figure, b.name, metric+": below 3Sigma's, %", orUnpublished(published.lower, metric), lower)
				}
			}
			lost.tell(r, figure, nil, trials...)
		}
	}
}

// sigmaSlacks is Fig. 7: the same slack for all deadlines, and what each part of 3Sigma does.
func sigmaSlacks(f form) item {
	return func(l *lab) func(r *report) {
		var trials [][]*trial[sigmaRun]
		for _, slack := range []int{20, 60, 180} {
			b := sigmaE2E(f, 600, func(e *paper.E2E) { e.Deadlines.Slack = []float64{float64(slack) / 100} })
			trials = append(trials, b.named(fmt.Sprintf("slack %d %%", slack)).asks(l, threeSigma, perfEst, realEst, noDist, noOE, noAdapt))
		}
		return func(r *report) {
			for _, at := range trials {
				missed.tell(r, "Fig. 7", nil, at...)
				tellLess(r, "Fig. 7", "under 3Sigma", at[0], at[1:]...)
				best.tell(r, "Fig. 7", nil, at...)
			}
		}
	}
}

// sigmaLoads is Fig. 9.
func sigmaLoads(f form) item {
	return func(l *lab) func(r *report) {
		var trials [][]*trial[sigmaRun]
		for _, load := range []float64{1, 1.4, 1.6} {
			b := sigmaE2E(f, 600, func(e *paper.E2E) { e.Load = load })
			if load != 1.4 { // what is elsewhere too
				b = b.named(fmt.Sprintf("load %.1f", load))
			}
			trials = append(trials, b.asks(l, threeSigma, perfEst, realEst, strictPrio))
		}
		return func(r *report) {
			for _, at := range trials {
				for _, t := range at {
					missed.tell(r, "Fig. 9", nil, t)
					best.tell(r, "Fig. 9", nil, t)
				}
				tellLess(r, "Fig. 9", "under 3Sigma", at[0], at[1:]...)
			}
		}
	}
}

package main

import (
	"fmt"

	"example.com/augur/policy/workload"
)

// sigmaMissed are the deadlines that the text of section 6.1 says are missed, in percent; see
// sigmaItems for 3Sigma's.
var sigmaMissed = map[string]float64{"3Sigma": 3.6, "PointRealEst": 18, "Prio": 12}

// sigmaTimes are how many times as many as 3Sigma's these are, in the words of the paper plus one.
var sigmaTimes = map[string]float64{"PointRealEst": 5.0, "Prio": 3.3}

// sigmaFour is Figs. 1 and 5, and Fig. 6: the four systems of section 5. What is published is of E2E.
func sigmaFour(item string, b *sigmaBed) item {
	return func(l *lab) func(r *report) {
		trials := b.asks(l, threeSigma, perfEst, realEst, strictPrio)
		return func(r *report) {
			published := func(numbers map[string]float64, t *trial[sigmaRun]) float64 {
				if item != "Fig. 5" {
					return unpublished
				}
				return orUnpublished(numbers, t.system)
			}
			for _, t := range trials {
				r.add(item, b.name, "deadlines missed under "+t.system+", %", published(sigmaMissed, t), each(t.runs, missed))
			}
			for _, t := range trials {
				if missedInAll(t) {
					r.add(item, b.name, "those missed under "+t.system+" with less slack than 10 s, %", unpublished, each(t.runs, func(o sigmaRun) float64 { return o.tight }))
					r.add(item, b.name, "those missed under "+t.system+" that were given up, %", unpublished, each(t.runs, func(o sigmaRun) float64 { return o.givenUp }))
				}
			}
			us := trials[0]
			for _, t := range trials[1:] {
				what := "deadlines missed under " + t.system
				r.add(item, b.name, what+" less those under 3Sigma, % of all", published(sigmaMissed, t)-published(sigmaMissed, us), t.less(us, missed))
				if times := t.times(us, missed); len(times) > 0 {
					r.add(item, b.name, what+" over those under 3Sigma", published(sigmaTimes, t), times)
				}
			}
			goodput := func(o sigmaRun) float64 { return o.goodput }
			best := func(o sigmaRun) float64 { return o.best }
			latency := func(o sigmaRun) float64 { return o.latency }
			for _, m := range []struct {
				metric    string
				of        func(o sigmaRun) float64
				published map[string]float64 // lower than 3Sigma's, %
			}{
				{"goodput under %s, machine-hours", goodput, map[string]float64{"PointRealEst": 5.4}},
				{"best-effort goodput under %s, machine-hours", best, nil},
				{"best-effort response time under %s, mean, s", latency, nil},
			} {
				for _, t := range trials {
					r.add(item, b.name, fmt.Sprintf(m.metric, t.system), unpublished, each(t.runs, m.of))
				}
				for _, t := range trials[1:] {
					lower := each(t.times(us, m.of), func(x float64) float64 { return 100 * (1 - x) })
					if len(lower) == 0 {
						continue // there is none
					}
					r.add(item, b.name, fmt.Sprintf(m.metric, t.system)+": below 3Sigma's, %", published(m.published, t), lower)
				}
			}
			for _, t := range trials {
				r.add(item, b.name, "lost to preemption under "+t.system+", machine-hours", unpublished, each(t.runs, func(o sigmaRun) float64 { return o.lost }))
			}
		}
	}
}

// sigmaSlacks is Fig. 7: the same slack for all deadlines, and what each part of 3Sigma does.
func sigmaSlacks(f form) item {
	return func(l *lab) func(r *report) {
		var trials [][]*trial[sigmaRun]
		slacks := sigmaSome(f, []int{20, 40, 60, 80, 100, 120, 140, 160, 180}, 0, 2, 5, 8)
		for _, slack := range slacks {
			b := sigmaE2E(f, f.sigmaJobs(), func(e *workload.E2E) { e.Deadlines.Slack = []float64{float64(slack) / 100} })
			trials = append(trials, b.named(fmt.Sprintf("slack %d %%", slack)).asks(l, threeSigma, perfEst, realEst, noDist, noOE, noAdapt))
		}
		return func(r *report) {
			for _, at := range trials {
				for _, t := range at {
					r.add("Fig. 7", t.bed, "deadlines missed under "+t.system+", %", unpublished, each(t.runs, missed))
				}
				for _, t := range at[1:] {
					r.add("Fig. 7", t.bed, "deadlines missed under "+t.system+" less those under 3Sigma, % of all", unpublished, t.less(at[0], missed))
				}
				for _, t := range at {
					r.add("Fig. 7", t.bed, "best-effort goodput under "+t.system+", machine-hours", unpublished, each(t.runs, func(o sigmaRun) float64 { return o.best }))
				}
			}
		}
	}
}

// sigmaLoads is Fig. 9.
func sigmaLoads(f form) item {
	return func(l *lab) func(r *report) {
		var trials [][]*trial[sigmaRun]
		for _, load := range sigmaSome(f, []float64{1, 1.2, 1.4, 1.6}, 0, 2, 3) {
			b := sigmaE2E(f, f.sigmaJobs(), func(e *workload.E2E) { e.Load = load })
			if load != 1.4 { // what is elsewhere too
				b = b.named(fmt.Sprintf("load %.1f", load))
			}
			trials = append(trials, b.asks(l, threeSigma, perfEst, realEst, strictPrio))
		}
		return func(r *report) {
			for _, at := range trials {
				for _, t := range at {
					r.add("Fig. 9", t.bed, "deadlines missed under "+t.system+", %", unpublished, each(t.runs, missed))
					r.add("Fig. 9", t.bed, "best-effort goodput under "+t.system+", machine-hours", unpublished, each(t.runs, func(o sigmaRun) float64 { return o.best }))
				}
				for _, t := range at[1:] {
					r.add("Fig. 9", t.bed, "deadlines missed under "+t.system+" less those under 3Sigma, % of all", unpublished, t.less(at[0], missed))
				}
			}
		}
	}
}

// sigmaJobs is how many jobs Figs. 7, 9 and 10 have: 1500, or in the quick form 600.
func (f form) sigmaJobs() int {
	if f.full {
		return 1500
	}
	return 600
}

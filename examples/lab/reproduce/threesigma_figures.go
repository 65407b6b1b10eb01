package main

import (
	"fmt"
	"time"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy/threesigma"
)

// What section 6.1 says of Fig. 5: how many percent of the deadlines are missed, where that of 3Sigma follows from the others (see
// sigmaItems), and by how many percent the goodput of PointRealEst is below 3Sigma's.
var (
	sigmaMissed  = map[string]float64{"3Sigma": 3.6, "PointRealEst": 18, "Prio": 12}
	sigmaGoodput = map[string]float64{goodput.under("PointRealEst"): 5.4}
)

// sigmaFour is Fig. 5: the four systems of section 5, and others.
func sigmaFour(b *sigmaBed, others ...sigmaSystem) item {
	return func(l *lab) func(r *report) {
		trials := b.asks(l, append([]sigmaSystem{threeSigma, perfEst, realEst, strictPrio}, others...)...)
		return func(r *report) {
			missed.tell(r, "Fig. 5", sigmaMissed, trials...)
			us := trials[0]
			for _, t := range trials[1:] {
				published := orUnpublished(sigmaMissed, t.system) - sigmaMissed[us.system]
				r.add("Fig. 5", b.name, "deadlines missed under "+t.system+" less those under 3Sigma, % of all", published, t.less(us, missed.of))
				for _, f := range []sigmaFigure{goodput, best} {
					if lower := t.below(us, f.of); len(lower) > 0 {
						metric := f.under(t.system)
						r.add("Fig. 5", b.name, metric+": below 3Sigma's, %", orUnpublished(sigmaGoodput, metric), lower)
					}
				}
			}
		}
	}
}

// sigmaGoodputs is what Fig. 5 says of goodput, of ten times as many draws: a few wide jobs have much of a draw's work, so that the
// difference between two systems has a standard deviation of 8 % over draws.
func sigmaGoodputs(f form) item {
	b := sigmaE2E(f, 600).named("ten times as many draws")
	b.seeds = 10 * f.seeds
	return func(l *lab) func(r *report) {
		us, points := b.ask(l, threeSigma), b.ask(l, realEst)
		return func(r *report) {
			metric := goodput.under(points.system)
			r.add("Fig. 5", b.name, metric+": below 3Sigma's, %", orUnpublished(sigmaGoodput, metric), points.below(us, goodput.of))
		}
	}
}

// sigmaSlacks is Fig. 7: the same slack for all deadlines, and what each part of 3Sigma does.
func sigmaSlacks(f form) item {
	return func(l *lab) func(r *report) {
		var trials []*trial[sigmaRun]
		for _, slack := range []int{20, 60, 180} {
			b := sigmaE2E(f, 600, func(e *paper.E2E) { e.Deadlines.Slack = []float64{float64(slack) / 100} })
			b = b.named(fmt.Sprintf("slack %d %%", slack))
			trials = append(trials, b.asks(l, threeSigma, perfEst, realEst, noDist, noOE, noAdapt)...)
		}
		return func(r *report) { missed.tell(r, "Fig. 7", nil, trials...) }
	}
}

// sigmaReadings are the beds of what the paper leaves open, one thing at a time.
func sigmaReadings(f form) []*sigmaBed {
	jobs := func(name string, change func(e *paper.E2E)) *sigmaBed { return sigmaE2E(f, 600, change).named(name) }
	plans := func(name string, change func(c *threesigma.Config)) *sigmaBed {
		b := sigmaE2E(f, 600).named(name)
		b.change = change
		return b
	}
	return []*sigmaBed{
		jobs("finished only", func(e *paper.E2E) { e.Trace = paper.E2EFinished }),
		jobs("runtimes by class", func(e *paper.E2E) { e.ByProgram = false }),
		plans("cycles of 4 s", func(c *threesigma.Config) { c.Interval, c.Window.Width = 4*time.Second, 10 }),
		plans("a window of 40 min", func(c *threesigma.Config) { c.Window.Width = 100 }),
	}
}

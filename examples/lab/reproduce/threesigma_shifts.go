package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"example.com/augur/examples/lab/sigma"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
)

// A sigmaNormal is a normal distribution of runtimes, with the integral of its survival function in closed
// form: with the standard normal density φ and Q = 1 - Φ that of Q(z) is z·Q(z) - φ(z).
type sigmaNormal struct{ distuv.Normal }

func (n sigmaNormal) SurvivalIntegral(a, b float64) float64 {
	return n.Sigma * (integralQ((b-n.Mu)/n.Sigma) - integralQ((a-n.Mu)/n.Sigma))
}

// integralQ is the integral of Q from infinity to z, which is at most 0.
func integralQ(z float64) float64 {
	if z > 40 {
		return 0 // else it may be infinity less infinity
	}
	return z*distuv.UnitNormal.Survival(z) - distuv.UnitNormal.Prob(z)
}

// A sigmaShifted is the forecast of Fig. 8: for a job of runtime T it says N(T·(1+shift), T·CoV), or its
// mean alone if the CoV is 0, where the shift of each job is drawn from N(mean, 0.1).
type sigmaShifted struct {
	seed    uint64
	mean    float64 // of shifts
	cov     float64
	runtime []float64 // by job, s; IDs count them from 1
}

// shift draws the shift of a job; the same whatever the CoV is. Nothing is estimated to take no time.
func (s *sigmaShifted) shift(id policy.JobID) float64 {
	rng := rand.New(rand.NewPCG(s.seed<<32|uint64(id), 0x7368696674))
	return max(s.mean+0.1*rng.NormFloat64(), -0.99)
}

// Bind is [central.Forecast].
func (*sigmaShifted) Bind(central.Books) error { return nil }

// Note is [central.Forecast].
func (*sigmaShifted) Note(*policy.Event, *central.Job) error { return nil }

// Runtime is [central.Forecast].
func (s *sigmaShifted) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	truth := s.runtime[j.Job.ID-1]
	mean := truth * (1 + s.shift(j.Job.ID))
	if s.cov == 0 || truth == 0 {
		return forecast.Known(mean), true
	}
	return sigmaNormal{distuv.Normal{Mu: mean, Sigma: truth * s.cov}}, true
}

// newSigmaShifted makes the forecast for jobs.
func newSigmaShifted(d *sigmaJobs, mean, cov float64) *sigmaShifted {
	s := &sigmaShifted{seed: d.seed, mean: mean, cov: cov}
	for _, j := range d.jobs {
		s.runtime = append(s.runtime, j.Ideal().Seconds())
	}
	return s
}

// shifted is 3Sigma that is told such distributions, or PointRealEst that is told their means.
func shifted(percent, cov int) sigmaSystem {
	s := sigmaSystem{name: fmt.Sprintf("CoV %d %%, shift %d %%", cov, percent), system: sigma.ThreeSigma}
	if cov == 0 {
		s = sigmaSystem{name: fmt.Sprintf("point, shift %d %%", percent), system: sigma.PointRealEst}
	}
	s.forecast = func(d *sigmaJobs) (central.Forecast, error) {
		return newSigmaShifted(d, float64(percent)/100, float64(cov)/100), nil
	}
	return s
}

// sigmaShifts is Fig. 8: artificial distributions. Which CoV the paper has is not in its text. At a shift of 0
// some 70 % of the estimates are within a tenth, and distributions yield "2X fewer" misses than points.
func sigmaShifts(f form) item {
	b := sigmaE2E(f, 600)
	percents := []int{-50, 0, 50}
	covs := []int{10, 20, 50}
	return func(l *lab) func(r *report) {
		var points []*trial[sigmaRun]
		var shares []*trial[sigmaShares]
		wide := make([][]*trial[sigmaRun], len(percents))
		for i, percent := range percents {
			points = append(points, b.ask(l, shifted(percent, 0)))
			shares = append(shares, ask(l, b.bed(), fmt.Sprintf("shares, shift %d %%", percent), func(_ context.Context, d *sigmaJobs) (sigmaShares, error) {
				return d.shares(percent), nil
			}))
			for _, cov := range covs {
				wide[i] = append(wide[i], b.ask(l, shifted(percent, cov)))
			}
		}
		exact := b.ask(l, perfEst)
		return func(r *report) {
			missed.tell(r, "Fig. 8", nil, exact)
			for i, percent := range percents {
				point, published := points[i], unpublished
				r.add("Fig. 8", b.name, "deadlines missed with "+point.system+", %", unpublished, each(point.runs, missed.of))
				for _, t := range wide[i] {
					r.add("Fig. 8", b.name, "deadlines missed with "+t.system+", %", unpublished, each(t.runs, missed.of))
					r.add("Fig. 8", b.name, "deadlines missed with "+point.system+" less those with "+t.system+", % of all", unpublished, point.less(t, missed.of))
				}
				if percent == 0 {
					published = 70
					for _, t := range wide[i] {
						if times := point.times(t, missed.of); len(times) > 0 {
							r.add("Fig. 8", b.name, "deadlines missed with "+point.system+" over those with "+t.system, 2, times)
						}
					}
				}
				told := shares[i].runs
				r.add("Fig. 8", b.name, fmt.Sprintf("estimates within a tenth, shift %d %%, %%", percent), published, each(told, func(s sigmaShares) float64 { return s.near }))
				r.add("Fig. 8", b.name, fmt.Sprintf("estimates too low by more, shift %d %%, %%", percent), unpublished, each(told, func(s sigmaShares) float64 { return s.under }))
				r.add("Fig. 8", b.name, fmt.Sprintf("estimates too high by more, shift %d %%, %%", percent), unpublished, each(told, func(s sigmaShares) float64 { return s.over }))
			}
		}
	}
}

// sigmaShares are how many jobs with deadlines are estimated to within a tenth, and by more too low and too
// high, in percent.
type sigmaShares struct{ near, under, over float64 }

// shares is Fig. 8(c).
func (d *sigmaJobs) shares(percent int) (o sigmaShares) {
	s := newSigmaShifted(d, float64(percent)/100, 0)
	all := 0.0
	for _, j := range d.jobs {
		if j.SLO == nil {
			continue
		}
		all++
		switch x := s.shift(j.ID); {
		case x < -0.1:
			o.under++
		case x > 0.1:
			o.over++
		default:
			o.near++
		}
	}
	return sigmaShares{100 * o.near / all, 100 * o.under / all, 100 * o.over / all}
}

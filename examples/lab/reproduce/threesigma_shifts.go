package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"example.com/augur/examples/lab/sigma"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/workload"
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
// mean alone if the CoV is 0, where the shift of each job is drawn from N(0, 0.1).
type sigmaShifted struct {
	seed    uint64
	cov     float64
	runtime []float64 // by job, s; IDs count them from 1
}

// sigmaShift draws the shift of a job; the same whatever the CoV is. Nothing is estimated to take no time.
func sigmaShift(seed uint64, id policy.JobID) float64 {
	rng := rand.New(rand.NewPCG(seed<<32|uint64(id), 0x7368696674))
	return max(0.1*rng.NormFloat64(), -0.99)
}

// Bind is [central.Forecast].
func (*sigmaShifted) Bind(central.Books) error { return nil }

// Note is [central.Forecast].
func (*sigmaShifted) Note(*policy.Event, *central.Job) error { return nil }

// Runtime is [central.Forecast].
func (s *sigmaShifted) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	truth := s.runtime[j.Job.ID-1]
	mean := truth * (1 + sigmaShift(s.seed, j.Job.ID))
	if s.cov == 0 || truth == 0 {
		return forecast.Known(mean), true
	}
	return sigmaNormal{distuv.Normal{Mu: mean, Sigma: truth * s.cov}}, true
}

// shifted is 3Sigma that is told such distributions, or PointRealEst that is told their means.
func shifted(cov int) sigmaSystem {
	s := sigmaSystem{name: fmt.Sprintf("CoV %d %%, shift 0 %%", cov), system: sigma.ThreeSigma}
	if cov == 0 {
		s = sigmaSystem{name: "point, shift 0 %", system: sigma.PointRealEst}
	}
	s.forecast = func(d *sigmaJobs) (central.Forecast, error) {
		return &sigmaShifted{d.seed, float64(cov) / 100, each(d.jobs, func(j *workload.Job) float64 { return j.Ideal().Seconds() })}, nil
	}
	return s
}

// sigmaShifts is Fig. 8 at a shift of 0: artificial distributions. Which CoV the paper has is not in its text. Published is that
// some 70 % of the estimates are within a tenth, and that distributions yield "2X fewer" misses than points.
func sigmaShifts(b *sigmaBed) item {
	return func(l *lab) func(r *report) {
		point := b.ask(l, shifted(0))
		wide := b.asks(l, shifted(10), shifted(20), shifted(50))
		near := ask(l, b.bed(), "estimates within a tenth", func(_ context.Context, d *sigmaJobs) (float64, error) {
			jobs := slices.DeleteFunc(slices.Clone(d.jobs), func(j *workload.Job) bool { return j.SLO == nil })
			return shareOf(jobs, func(j *workload.Job) bool { return math.Abs(sigmaShift(d.seed, j.ID)) <= 0.1 }), nil
		})
		return func(r *report) {
			for _, t := range wide {
				if times := point.times(t, missed.of); len(times) > 0 {
					r.add("Fig. 8", b.name, "deadlines missed with "+point.system+" over those with "+t.system, 2, times)
				}
			}
			r.add("Fig. 8", b.name, "estimates within a tenth, shift 0 %, %", 70, near.runs)
		}
	}
}

package main

import (
	"context"
	"math"
	"math/rand/v2"

	"example.com/augur/examples/lab/sigma"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
)

// sigmaNear is the spread of log-normal errors of which 92 % are within a factor of two, as section 1 has those of
// Google's trace: ln 2 over the quantile at 0.96 of a standard normal distribution.
const sigmaNear = math.Ln2 / 1.750686

// A sigmaErring is the forecast of points that are off by log-normal factors of the spread.
type sigmaErring struct {
	seed    uint64
	runtime []float64 // by job, s; IDs count them from 1
}

// Bind is [central.Forecast].
func (*sigmaErring) Bind(central.Books) error { return nil }

// Note is [central.Forecast].
func (*sigmaErring) Note(*policy.Event, *central.Job) error { return nil }

// Runtime is [central.Forecast].
func (s *sigmaErring) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	return forecast.Known(s.runtime[j.Job.ID-1] * s.factor(j.Job.ID)), true
}

// factor returns how many times too long a job is estimated.
func (s *sigmaErring) factor(id policy.JobID) float64 {
	rng := rand.New(rand.NewPCG(s.seed<<32|uint64(id), 0x657272))
	return math.Exp(float64(sigmaNear * rng.NormFloat64()))
}

// Parts of what PointRealEst lacks, each mended alone.
var (
	realNear = sigmaSystem{name: "PointRealEst, errors as published", system: sigma.PointRealEst, forecast: func(d *sigmaJobs) (central.Forecast, error) {
		s := &sigmaErring{seed: d.seed}
		for _, j := range d.jobs {
			s.runtime = append(s.runtime, j.Ideal().Seconds())
		}
		return s, nil
	}}
	realTries = realEst.with("what is late tried as best effort", func(c *threesigma.Config) { c.GiveUpLate = false })
)

// sigmaCauses is why PointRealEst misses more than 3Sigma (section 6.1). A point that is longer than a job has until its
// deadline is the end of it, as it is given up. How many these are tells the first line; the others what is left of the
// difference if the errors were those published, if such jobs ran as best effort, if over-estimates were handled
// (3SigmaNoDist), and if distributions were known and over-estimates not handled (3SigmaNoOE).
func sigmaCauses(b *sigmaBed) item {
	return func(l *lab) func(r *report) {
		long := ask(l, b.bed(), "too long", func(_ context.Context, d *sigmaJobs) (float64, error) { return d.tooLong() })
		us := b.ask(l, threeSigma)
		trials := b.asks(l, realNear, realTries, noDist, noOE)
		return func(r *report) {
			r.add("section 6.1", b.name, "estimated to run longer than until their deadlines, % of those with one", unpublished, long.runs)
			tellLess(r, "section 6.1", "under 3Sigma", us, trials...)
		}
	}
}

// tooLong returns how many percent of the jobs with deadlines are estimated to run too long for them.
func (d *sigmaJobs) tooLong() (percent float64, err error) {
	p, err := d.predictor()
	if err != nil {
		return 0, err
	}
	var late []bool
	for _, j := range d.jobs {
		if j.SLO != nil {
			x, ok := p.Estimate(j, j.Calendar(j.Submitted))
			late = append(late, ok && x > j.SLO.Deadline.Sub(j.Submitted).Seconds())
		}
	}
	return shareOf(late, func(l bool) bool { return l }), nil
}

package main

import (
	"fmt"
	"math/rand/v2"

	"example.com/augur/examples/lab/sigma"
	"example.com/augur/histogram"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/predict"
)

// A sigmaSampled is the forecast of Fig. 10: it knows a job by so many runtimes, drawn from the
// distribution that the predictor has of jobs like it; or by their mean. It learns nothing.
type sigmaSampled struct {
	view      *central.View
	seed      uint64
	samples   int
	point     bool
	predictor *predict.Predictor
}

// Bind is [central.Forecast].
func (s *sigmaSampled) Bind(b central.Books) error {
	s.view = b.View
	return nil
}

// Note is [central.Forecast].
func (*sigmaSampled) Note(*policy.Event, *central.Job) error { return nil }

// Runtime is [central.Forecast].
func (s *sigmaSampled) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	return s.runtime(j.Job, s.view.Now())
}

// runtime says what is known of a job at an instant. The runtimes of a job are the same with and without point, and
// the first ones of more are those of fewer.
func (s *sigmaSampled) runtime(j *policy.Job, now policy.Time) (central.Distribution, bool) {
	var p predict.Prediction
	if !s.predictor.Predict(j, j.Calendar(now), &p) {
		return nil, false
	}
	rng := rand.New(rand.NewPCG(s.seed<<32|uint64(j.ID), 0x73616d706c65))
	of := p.Distribution()
	sample, err := histogram.New(histogram.Config{Bins: s.samples})
	if err != nil {
		return nil, false
	}
	for range s.samples {
		if err := sample.Add(max(of.Quantile(rng.Float64()), 0)); err != nil {
			return nil, false
		}
	}
	if s.point {
		return forecast.Known(sample.Mean()), true
	}
	return sample, true
}

// sampled is a system that knows jobs by so many runtimes, or their mean if it is PointRealEst.
func sampled(s sigmaSystem, samples int) sigmaSystem {
	s.name = fmt.Sprintf("%s, samples: %d", s.name, samples)
	s.forecast = func(d *sigmaJobs) (central.Forecast, error) {
		p, err := d.predictor()
		return &sigmaSampled{nil, d.seed, samples, s.system == sigma.PointRealEst, p}, err
	}
	return s
}

// sigmaSamples is Fig. 10: how many samples tell enough.
func sigmaSamples(f form) item {
	b := sigmaE2E(f, 600)
	return func(l *lab) func(r *report) {
		samples := []int{5, 25, 100}
		us := each(samples, func(n int) *trial[sigmaRun] { return b.ask(l, sampled(threeSigma, n)) })
		points := each(samples, func(n int) *trial[sigmaRun] { return b.ask(l, sampled(realEst, n)) })
		rest := b.asks(l, perfEst, strictPrio)
		return func(r *report) {
			for _, t := range append(append(us, points...), rest...) {
				missed.tell(r, "Fig. 10", nil, t)
				best.tell(r, "Fig. 10", nil, t)
			}
			for i := range samples {
				tellLess(r, "Fig. 10", "under 3Sigma", us[i], points[i])
				tellLess(r, "Fig. 10", "under PointPerfEst", rest[0], us[i])
			}
		}
	}
}

package slearn

import (
	"errors"
	"math"
	"time"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/predict"
)

// HybridConfig describes a [Hybrid].
type HybridConfig struct {
	Sampling SamplingConfig // how pilots are chosen

	// Means predicts the mean runtime of a job's tasks, in seconds, and Spreads their coefficient of variation. Both
	// are required, learn from the jobs that end, and may be trained before.
	Means, Spreads *predict.Predictor
}

// Hybrid is the [Estimator] that combines history and pilots: history says where the mean runtime of a job's tasks
// lies, and how surely, and each pilot corrects that. In all else it does as [Sampling].
//
// It gains if pilots vary much and similar jobs vary little. If pilots tell much more than history, as on the traces
// of the paper, it does as Sampling.
//
// # Source
//
// SLearn, section 7, "Combining history and sampling", (3), which leaves it to future work, with the model of
// section 4.1.
type Hybrid struct {
	sampling   *Sampling
	config     HybridConfig
	prediction predict.Prediction
}

// NewHybrid returns a Hybrid. It returns an error that names the field that is out of range.
func NewHybrid(c HybridConfig) (*Hybrid, error) {
	if c.Means == nil || c.Spreads == nil {
		return nil, errors.New("slearn: HybridConfig lacks a predictor, want Means and Spreads")
	}
	s, err := NewSampling(c.Sampling)
	if err != nil {
		return nil, err
	}
	return &Hybrid{sampling: s, config: c}, nil
}

// Plan implements [Estimator].
func (h *Hybrid) Plan(j *policy.Job, now policy.Time) (Plan, error) {
	return h.sampling.Plan(j, now)
}

// Work implements [Estimator].
func (h *Hybrid) Work(j *policy.Job, now policy.Time, pilots []float64) float64 {
	if mean := h.posterior(j, pilots, j.Calendar(now)).Mean; checkWork(j, mean*width(j)) == nil {
		return mean * width(j)
	}
	return h.sampling.Work(j, now, pilots)
}

// posterior returns the posterior of the mean runtime of a job's tasks, given the runtimes of its pilots. The prior has
// the mean and the standard deviation of the distribution that Means predicts, if that has at least two jobs. If all past
// jobs took the same time and the pilots contradict it, history is ignored.
//
// The standard deviation of a task is the mean of the pilots times the coefficient of variation that Spreads predicts. If
// that is unknown, or 0 although there are several pilots, it is the pilots' own standard deviation, or the runtime of a
// single pilot.
func (h *Hybrid) posterior(j *policy.Job, pilots []float64, at time.Time) estimate.Normal {
	var m estimate.Moments
	for _, x := range pilots {
		_ = m.Add(x) // which is a number of seconds
	}
	mean, _ := m.Mean()
	within := mean
	if variance, ok := m.SampleVariance(); ok {
		within = math.Sqrt(variance)
	}
	if cov, ok := h.config.Spreads.Estimate(j, at); ok && (cov > 0 || len(pilots) == 1) {
		within = cov * mean
	}
	prior := estimate.Normal{StdDev: math.Inf(1)}
	if past := &h.prediction; h.config.Means.Predict(j, at, past) && past.Distribution().Count() >= 2 {
		prior = estimate.Normal{Mean: past.Distribution().Mean(), StdDev: math.Sqrt(past.Distribution().Variance())}
	}
	if prior.StdDev == 0 && mean != prior.Mean {
		prior.StdDev = math.Inf(1)
	}
	return estimate.Posterior(prior, within, mean, len(pilots))
}

// Ended implements [Estimator].
func (h *Hybrid) Ended(j *policy.Job, r Record) error {
	learns, err := r.complete(j)
	if !learns {
		return err
	}
	now := j.Calendar(r.Now)
	mean, _ := r.Runtimes.Mean()
	err = errors.Join(h.sampling.Ended(j, r), h.config.Means.Observe(j, mean, now))
	if cov, ok := r.Runtimes.CoV(); ok && j.Units() > 1 && err == nil {
		err = h.config.Spreads.Observe(j, cov, now)
	}
	return err
}

package slearn

import (
	"errors"

	"example.com/augur/policy"
	"example.com/augur/predict"
)

// HybridConfig describes a [Hybrid].
type HybridConfig struct {
	Sampling SamplingConfig // how pilots are chosen

	// History combines with the pilots; both its predictors are required. It learns the jobs that end, and may be
	// trained before. Their features are those of the jobs.
	History *predict.Hybrid
}

// Hybrid is the [Estimator] that combines history and pilots: history says where the mean runtime of a job's tasks
// lies, and how surely, and each pilot corrects that. In all else it does as [Sampling]. Unlike the other estimators
// it allocates when pilots have ended.
//
// It gains if pilots vary much and similar jobs vary little. If pilots tell much more than history, as on the traces
// of the paper, it does as Sampling.
//
// # Source
//
// SLearn, section 7, "Combining history and sampling", (2) and (3), which leaves it to
// future work.
type Hybrid struct {
	sampling *Sampling
	config   HybridConfig
}

// NewHybrid returns a Hybrid. It returns an error that names the field that is out of range.
func NewHybrid(c HybridConfig) (*Hybrid, error) {
	if c.History == nil || c.History.Means == nil || c.History.Spreads == nil {
		return nil, errors.New("slearn: HybridConfig.History lacks a predictor, want one of means and one of spreads")
	}
	s, err := NewSampling(c.Sampling)
	if err != nil {
		return nil, err
	}
	return &Hybrid{s, c}, nil
}

// Plan implements [Estimator].
func (h *Hybrid) Plan(j *policy.Job, now policy.Time) (Plan, error) {
	return h.sampling.Plan(j, now)
}

// Work implements [Estimator].
func (h *Hybrid) Work(j *policy.Job, now policy.Time, pilots []float64) float64 {
	belief, err := h.config.History.Predict(j, pilots, j.Calendar(now))
	if err == nil && belief.OK() {
		if work := belief.Mean() * width(j); checkWork(j, work) == nil {
			return work
		}
	}
	return h.sampling.Work(j, now, pilots)
}

// Ended implements [Estimator].
func (h *Hybrid) Ended(j *policy.Job, r Record) error {
	learns, err := r.complete(j)
	if !learns {
		return err
	}
	now := j.Calendar(r.Now)
	mean, _ := r.Runtimes.Mean()
	err = errors.Join(h.sampling.Ended(j, r), h.config.History.Means.Observe(j, mean, now))
	if cov, ok := r.Runtimes.CoV(); ok && j.Units() > 1 && err == nil {
		err = h.config.History.Spreads.Observe(j, cov, now)
	}
	return err
}

package slearn

import (
	"cmp"
	"errors"
	"math"
	"time"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/predict"
)

// ChooserConfig describes a [Chooser].
type ChooserConfig struct {
	Sampling SamplingConfig // how jobs are sampled

	// History estimates the work of the jobs that are not sampled; required, trained before or not. Its ThinLimit is
	// ignored. It learns the jobs that end.
	History *History

	// SamplingErrors and HistoryErrors predict the errors of both, by features of the jobs; required. They learn
	// |ln(estimate/work)| from the wide jobs that end.
	SamplingErrors, HistoryErrors *predict.Predictor
}

// Chooser is the [Estimator] that uses history for some jobs, at once, and samples the others. It samples a job if
// pilots are expected to err less, judging by how much both have erred on similar jobs, or if history knows nothing of
// the job. So users whose jobs recur may get history, and the others pilots. Thin jobs, those of few tasks, go straight
// to the highest queue, as under [Sampling]; the others are called wide.
//
// An error is the logarithm of the factor by which an estimate is off, since each queue of GS begins at ten times the
// work of the one before. The relative error would not do: an estimate of nearly nothing is off by no more than 1, so
// a history that says too little would be trusted too much.
//
// Both errors are learned from every wide job that ends well, however it was estimated, so no job has to be sampled
// just to learn. History's error is that of its present answer, before it learns the job. The pilots' error is theirs
// if the job was sampled. Otherwise it is the error expected of as many pilots as SamplingConfig.Ratio says, or of 3
// % if that adapts, given how the job's runtimes vary,
//
//	sqrt(2/π * ln(1 + v)), v = s^2/(m*mean^2) * (1 - m/n)
//
// with the sample variance s^2 of the n runtimes and the number of pilots m. v is the variance of the pilots' mean
// relative to that of all, and the formula is the mean of |ln| of a log-normal estimate around it. It ignores
// systematic differences between pilots and other tasks, such as stages that differ; then sampling is tried again now
// and then.
//
// It gains if some jobs recur but have tasks that differ, and the others do not recur but have tasks that are alike.
// If pilots tell more about all jobs, it does as Sampling.
//
// # Source
//
// SLearn, section 7, "Combining history and sampling", (1) and (4), which leaves it to future
// work.
type Chooser struct {
	sampling *Sampling
	config   ChooserConfig
}

// NewChooser returns a Chooser. It returns an error that names the field that is out of range.
func NewChooser(c ChooserConfig) (*Chooser, error) {
	switch {
	case c.History == nil:
		return nil, errors.New("slearn: ChooserConfig.History is nil; make one with NewHistory")
	case c.SamplingErrors == nil || c.HistoryErrors == nil:
		return nil, errors.New("slearn: ChooserConfig lacks a predictor, want SamplingErrors and HistoryErrors")
	}
	s, err := NewSampling(c.Sampling)
	if err != nil {
		return nil, err
	}
	return &Chooser{s, c}, nil
}

// Plan implements [Estimator].
func (c *Chooser) Plan(j *policy.Job, now policy.Time) (Plan, error) {
	thin := c.sampling.thin(j)
	if !thin && !c.samples(j, j.Calendar(now)) {
		if work, ok := c.config.History.Predict(j, now); ok {
			return Plan{Work: work}, nil
		}
	}
	return c.sampling.plan(j, thin)
}

// samples reports whether pilots are expected to err less than history, or the error of either is unknown.
func (c *Chooser) samples(j *policy.Job, at time.Time) bool {
	sampling, ok1 := c.config.SamplingErrors.Estimate(j, at)
	history, ok2 := c.config.HistoryErrors.Estimate(j, at)
	return !ok1 || !ok2 || sampling < history
}

// Work implements [Estimator], as [Sampling] does.
func (c *Chooser) Work(j *policy.Job, now policy.Time, pilots []float64) float64 {
	return c.sampling.Work(j, now, pilots)
}

// Ended implements [Estimator].
func (c *Chooser) Ended(j *policy.Job, r Record) error {
	learns, err := r.complete(j)
	if !learns {
		return err
	}
	if !c.sampling.thin(j) {
		sampled := c.expectedError(r.Runtimes)
		if r.Plan.When == Later && r.Estimated {
			sampled = logError(r.Estimate, r.Work)
		}
		at := j.Calendar(r.Now)
		if err := c.config.SamplingErrors.Observe(j, sampled, at); err != nil {
			return err
		}
		if said, ok := c.config.History.Predict(j, r.Now); ok {
			if err := c.config.HistoryErrors.Observe(j, logError(said, r.Work), at); err != nil {
				return err
			}
		}
	}
	return errors.Join(c.sampling.Ended(j, r), c.config.History.Ended(j, r))
}

// logError returns the logarithm of the factor by which an estimate is off, at most 50.
func logError(estimate, actual float64) float64 {
	if estimate == actual {
		return 0
	}
	return min(math.Abs(math.Log(estimate/actual)), 50) // one of them may be 0
}

// expectedError returns the expected error of the mean of pilots, given the runtimes of all tasks.
func (c *Chooser) expectedError(runtimes estimate.Moments) float64 {
	n := float64(runtimes.N())
	mean, _ := runtimes.Mean()
	variance, ok := runtimes.SampleVariance()
	pilots, err := estimate.PilotCount(int(runtimes.N()), cmp.Or(c.sampling.config.Ratio, 0.03))
	if !ok || variance == 0 || err != nil {
		return 0 // one task tells all
	}
	m := float64(pilots)
	return math.Sqrt(2 / math.Pi * math.Log1p(variance/(m*mean*mean)*(1-m/n)))
}

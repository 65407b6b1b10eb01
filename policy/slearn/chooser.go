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

	// History says the work of the jobs that are not; required, and trained before or not. Its
	// ThinLimit does not count. It learns the jobs that end.
	History *History

	// Errors are of both, by features of the jobs; both its predictors are required. They learn
	// from the wide jobs that end by what factor an estimate is off, as |ln(estimate/work)|.
	Errors *predict.Chooser
}

// Chooser is the [Estimator] that goes by history for some jobs, at once, and samples the others:
// those for which pilots are expected to err less, by how much both have erred on jobs like
// them, and those of which history knows nothing. So it may be history for users whose jobs
// recur, and pilots for the others. Thin jobs bypass, as under [Sampling].
//
// An error is the logarithm of the factor by which an estimate is off, as each queue of GS begins
// at ten times the work of the one before. By errors relative to the work, an estimate of nearly
// nothing is off by no more than 1, and a history that says too little was trusted too much.
//
// Of every wide job that ends well both errors are learned, however it was estimated: they are
// of the same jobs, and nothing needs to be tried for the sake of it. History's is that of what
// it would say now, before it learns the job. That of pilots is theirs if the job was sampled; if
// not, it is the one to be expected of as many pilots as SamplingConfig.Ratio says, or of 3 % if
// that adapts, by how the job's own runtimes vary,
//
//	sqrt(2/π * ln(1 + v)), v = s^2/(m*mean^2) * (1 - m/n)
//
// with the sample variance s^2 of the n runtimes and the number of pilots m: v is the variance
// of the pilots' mean relative to that of all, and this the mean of |ln| of a log-normal estimate
// around it. It knows nothing of what sets pilots apart from the other tasks, such as stages
// that differ; then sampling is tried again now and then.
//
// It gains where some jobs recur with tasks that differ, and the others do not recur but have tasks that are
// alike. Where pilots tell more of all jobs it does as Sampling.
//
// # Source
//
// SLearn, section 7, "Combining history and sampling", (1) and (4), which leaves it to future
// work.
type Chooser struct {
	sampling *Sampling
	config   ChooserConfig
}

// NewChooser returns a Chooser. The error names the field that is outside its range.
func NewChooser(c ChooserConfig) (*Chooser, error) {
	switch {
	case c.History == nil:
		return nil, errors.New("slearn: ChooserConfig.History is nil, want one that knows the past")
	case c.Errors == nil || c.Errors.Sampling == nil || c.Errors.History == nil:
		return nil, errors.New("slearn: ChooserConfig.Errors lacks a predictor, want one of the errors of sampling and one of history's")
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
	if !thin && !c.config.Errors.Sample(j, j.Calendar(now)) {
		if work, ok := c.config.History.Predict(j, now); ok {
			return Plan{Work: work}, nil
		}
	}
	return c.sampling.plan(j, thin)
}

// Work implements [Estimator], as [Sampling] does.
func (c *Chooser) Work(j *policy.Job, now policy.Time, pilots []float64) float64 {
	return c.sampling.Work(j, now, pilots)
}

// Ended implements [Estimator].
func (c *Chooser) Ended(j *policy.Job, r Record) {
	c.sampling.Ended(j, r)
	if r.Outcome == policy.Done && r.Runtimes.N() == units(j) && !r.Plan.Bypass {
		sampled := c.expectedError(r.Runtimes)
		if r.Plan.When == Later && r.Estimated {
			sampled = logError(r.Estimate, r.Work)
		}
		at := j.Calendar(r.Now)
		said, knew := c.config.History.predict(j, at)
		c.score(j, sampled, said, knew, r.Work, at)
	}
	c.config.History.Ended(j, r)
}

// Learn learns from a job whose tasks had such runtimes, in seconds, and together took so much
// work, in core-seconds, and that ended at the given time, of which only differences matter. The
// error is that of [History.Learn], and nothing is learned then.
func (c *Chooser) Learn(j *policy.Job, runtimes estimate.Moments, work float64, at time.Time) error {
	said, knew := c.config.History.predict(j, at)
	if err := c.config.History.Learn(j, work, at); err != nil {
		return err
	}
	if !c.sampling.thin(j) {
		c.score(j, c.expectedError(runtimes), said, knew, work, at)
	}
	return nil
}

// score learns by how much pilots were off, and what history said if it knew anything.
func (c *Chooser) score(j *policy.Job, sampled, said float64, knew bool, work float64, at time.Time) {
	_ = c.config.Errors.Sampling.Observe(j, sampled, at)
	if knew {
		_ = c.config.Errors.History.Observe(j, logError(said, work), at)
	}
}

// logError returns the logarithm of the factor by which an estimate is off, at most 50.
func logError(estimate, actual float64) float64 {
	if estimate == actual {
		return 0
	}
	return min(math.Abs(math.Log(estimate/actual)), 50) // one of them may be 0
}

// expectedError returns that which is to be expected of the mean of pilots, for that of all tasks
// of which these are the runtimes.
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

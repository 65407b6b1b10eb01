package predict

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"example.com/augur/estimate"
)

// A Hybrid predicts the mean runtime of a job's tasks from history and from pilots, the first few
// tasks of the job. History gives a prior for the mean, and each finished pilot narrows it. Set
// both fields, or the methods return an error. Any number of goroutines may call them at once.
//
// # Source
//
// SLearn, section 7, "Combining history and sampling", (3), with the model of section 4.1.
type Hybrid struct {
	Means   *Predictor // of the mean runtime of a job's tasks
	Spreads *Predictor // of the coefficient of variation of the runtimes of a job's tasks
}

func (h *Hybrid) check() error {
	if h.Means == nil || h.Spreads == nil {
		return errors.New("predict: Hybrid: Means and Spreads must both be set")
	}
	return nil
}

// moments returns the moments of runtimes. The error names a runtime that is not allowed.
func moments(of string, runtimes []float64) (m estimate.Moments, err error) {
	for i, x := range runtimes {
		if !isRuntime(x) {
			return m, checkRuntime(fmt.Sprintf("%s %d", of, i), x)
		}
		if err := m.Add(x); err != nil {
			return m, err
		}
	}
	return m, nil
}

// Observe learns from the runtimes of the tasks of a job that has ended. From a job with one task
// it learns only the mean, and from a job without tasks nothing. If [Predictor.Observe] would
// refuse a runtime, Observe learns nothing, and the error names the runtime.
func (h *Hybrid) Observe(job Job, tasks []float64, now time.Time) error {
	if err := h.check(); err != nil {
		return err
	}
	m, err := moments("task", tasks)
	if err != nil {
		return err
	}
	mean, ok := m.Mean()
	if !ok {
		return nil
	}
	if err := h.Means.Observe(job, mean, now); err != nil {
		return err
	}
	if cov, ok := m.CoV(); ok && len(tasks) > 1 {
		return h.Spreads.Observe(job, cov, now)
	}
	return nil
}

// Predict returns the posterior of the mean runtime of a job's tasks, given the runtimes of the
// pilots that have finished, if any. The prior has the mean and the standard deviation of the
// distribution that Means predicts, if that has at least two jobs. If all past jobs took the
// same time and the pilots contradict it, history is ignored.
//
// The standard deviation of a single task is the mean of the pilots (or of history, if there are
// no pilots) times the coefficient of variation that Spreads predicts. If that coefficient is
// unknown, or 0 although the pilots differ, it is the pilots' own standard deviation. If the
// coefficient is unknown and there is a single pilot, it is the runtime of that pilot.
//
// With neither history nor pilots, OK of the posterior is false. Predict returns an error if the
// runtime of a pilot is not allowed.
func (h *Hybrid) Predict(job Job, pilots []float64, now time.Time) (*estimate.Posterior, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	m, err := moments("pilot", pilots)
	if err != nil {
		return nil, err
	}
	prior := estimate.PosteriorConfig{Between: math.Inf(1)}
	var history Prediction
	if h.Means.Predict(job, now, &history) && history.Distribution().Count() >= 2 {
		prior.Mean = history.Distribution().Mean()
		prior.Between = math.Sqrt(history.Distribution().Variance())
	}
	mean, sampled := m.Mean()
	if !sampled {
		mean = prior.Mean
	}
	cov, known := h.Spreads.Estimate(job, now)
	prior.Within = cov * mean
	if !known || prior.Within == 0 {
		prior.Within = mean
		if variance, ok := m.SampleVariance(); ok {
			prior.Within = math.Sqrt(variance)
			if variance == 0 { // also if the squares are too small
				prior.Within = slices.Max(pilots) - slices.Min(pilots)
			}
		} else if known {
			prior.Within = 0
		}
	}
	// An exact prior stands only if the pilots agree with it. Exact pilots need no prior: the mean of equal
	// runtimes may be rounded away from them.
	if prior.Between == 0 && sampled && (mean != prior.Mean || prior.Within == 0) {
		prior.Between = math.Inf(1)
	}
	belief, err := estimate.NewPosterior(prior)
	if err != nil {
		return nil, err
	}
	for _, x := range pilots {
		if err := belief.Add(x); err != nil {
			return nil, err
		}
	}
	return belief, nil
}

// A Chooser chooses between learning a job's runtime over space, from pilots, and over time, from
// history. It takes the method that errs less for similar jobs. When a job has ended, let each
// predictor observe the error of its method: the absolute error, or its logarithm as in
// policy/slearn. If a field is nil, all jobs are sampled. Any number of goroutines may call Sample
// at once.
//
// # Source
//
// SLearn, section 7, (1) and (4). Of two methods scored on the same jobs the one with the
// smaller mean of absolute errors has the smaller normalized mean absolute error (NMAE).
type Chooser struct {
	Sampling *Predictor // of the errors of estimates from pilots
	History  *Predictor // of the errors of estimates from history
}

// Sample reports whether to wait for pilots: whether their expected error is less than that of
// history. It is true if either error is unknown, because no similar job has been observed.
func (c *Chooser) Sample(job Job, now time.Time) bool {
	if c.Sampling == nil || c.History == nil {
		return true
	}
	sampling, ok1 := c.Sampling.Estimate(job, now)
	history, ok2 := c.History.Estimate(job, now)
	return !ok1 || !ok2 || sampling < history
}

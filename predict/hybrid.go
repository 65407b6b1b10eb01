package predict

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"example.com/augur/estimate"
)

// A Hybrid predicts the mean runtime of a job's tasks from history and from pilots, the first
// few of the job's tasks: history says where the mean lies and how sure that is, and each
// pilot that ends makes it surer. Set both fields, or its methods return an error; a Hybrid has
// nothing else. They may be called by any number of goroutines at once.
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

// moments returns those of runtimes; the error names one that is none.
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

// Observe learns from the runtimes of the tasks of a job that has ended; of a job with one
// task only the mean is learned, and of one without tasks nothing. If one of them is not what
// [Predictor.Observe] takes it learns nothing, and the error names it.
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

// Predict returns what is believed of the mean runtime of a job's tasks after the pilots that
// have ended, of which there may be none. Before them it is the distribution that Means
// predicts, by mean and standard deviation, if that is of two jobs or more. A history in which
// all jobs were the same, and which the pilots contradict, is left out.
//
// The standard deviation of a single task is the mean of the pilots, or without pilots that of
// history, times the coefficient of variation that Spreads predicts. If that coefficient is
// unknown, or 0 although the pilots differ, it is the pilots' own standard deviation. If the
// coefficient is unknown and there is a single pilot, it is the runtime of that pilot.
//
// With neither history nor pilots the belief is not OK. A pilot that is no runtime is an
// error.
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
	if prior.Between == 0 && sampled && mean != prior.Mean {
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

// A Chooser says whether to learn a job's runtime over space, from pilots, or over time, from
// history, by which of the two errs less for jobs like it. Set both fields; a Chooser has
// nothing else. Sample may be called by any number of goroutines at once. When a job has ended, the two
// predictors observe by how much each method was off: its absolute error, or its logarithm as in policy/slearn.
// Without one of them all jobs are sampled.
//
// # Source
//
// SLearn, section 7, (1) and (4). Of two methods scored on the same jobs the one with the
// smaller mean of absolute errors has the smaller NMAE.
type Chooser struct {
	Sampling *Predictor // of the errors of estimates from pilots
	History  *Predictor // of the errors of estimates from history
}

// Sample reports whether to wait for pilots: unless they are expected to err as much as
// history, or more. Jobs like which none has been seen are sampled.
func (c *Chooser) Sample(job Job, now time.Time) bool {
	if c.Sampling == nil || c.History == nil {
		return true
	}
	sampling, ok1 := c.Sampling.Estimate(job, now)
	history, ok2 := c.History.Estimate(job, now)
	return !ok1 || !ok2 || sampling < history
}

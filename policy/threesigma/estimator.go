package threesigma

import (
	"errors"
	"math"

	"example.com/augur/histogram"
	"example.com/augur/policy"
	"example.com/augur/predict"
)

// An Estimator says how long jobs will run. Its methods are called by one [Scheduler], from within Step, so that
// they need no lock, may start no goroutine and read no clock.
type Estimator interface {
	// Estimate returns the distribution of the runtime, in seconds, of each task of a stage, or of all of it if it is
	// a gang, at speed 1 and where the stage prefers to be; false if nothing is known. It is called once for
	// each stage, when that is Ready. The distribution must not change, and is kept until the job ends. It is asked
	// some hundred times in each cycle: make a histogram.Table, of some quantiles, of what has no closed
	// forms, see [Distribution].
	Estimate(j *policy.Job, stage uint32, now policy.Time) (d Distribution, ok bool)
	// Learn tells how long a job ran that is done, in the same sense: one number, the mean over the tasks and gangs of
	// all its stages. Of a job of which a part ran before a restart nothing is told.
	Learn(j *policy.Job, runtime float64, now policy.Time)
}

// A History is the [Estimator] that goes by jobs like the one to come: 3σPredict (section 4.1). It has one
// distribution for all stages of a job. Jobs like which none has ended are not known to it.
type History struct {
	predictor *predict.Predictor
	point     bool
}

// A HistoryConfig describes a [History].
type HistoryConfig struct {
	// Predictor knows the past, and learns the jobs that end; required. It may be trained before, with runtimes
	// in seconds. One that serves another run of the same jobs knows what will come: give each run its own, or a
	// copy by Snapshot and Restore. After a crash the policy's journal (package journal) teaches it again all since that
	// began: give it what it knew then, which that can keep.
	Predictor *predict.Predictor
	// Point makes it say the one number that the Predictor trusts most, in place of the distribution: what
	// schedulers go by that know no distributions (PointRealEst of section 5).
	Point bool
}

// NewHistory returns a History. The error is that there is no Predictor.
func NewHistory(c HistoryConfig) (*History, error) {
	if c.Predictor == nil {
		return nil, errors.New("threesigma: HistoryConfig.Predictor is nil, want one that knows the past")
	}
	return &History{c.Predictor, c.Point}, nil
}

// Estimate implements [Estimator]. The distribution takes some 7 kB.
func (h *History) Estimate(j *policy.Job, _ uint32, now policy.Time) (Distribution, bool) {
	if h.point {
		x, ok := h.predictor.Estimate(j, j.Calendar(now))
		return Known(x), ok
	}
	var e struct {
		prediction predict.Prediction
		table      histogram.Table
	}
	if !h.predictor.Predict(j, j.Calendar(now), &e.prediction) {
		return nil, false
	}
	e.table.Fill(e.prediction.Distribution())
	return &e.table, true
}

// Learn implements [Estimator].
func (h *History) Learn(j *policy.Job, runtime float64, now policy.Time) {
	_ = h.predictor.Observe(j, runtime, j.Calendar(now)) // it is not negative
}

// clairvoyant is the [Estimator] that knows the runtimes: that of a gang, and the mean of the tasks of a stage
// that is none (PointPerfEst of section 5).
type clairvoyant struct{ truth policy.Truth }

// Estimate implements [Estimator]. It takes time in proportion to the tasks of the stage.
func (c clairvoyant) Estimate(j *policy.Job, stage uint32, _ policy.Time) (Distribution, bool) {
	s := &j.Stages[stage]
	longest, sum := 0.0, 0.0
	of := policy.Copy{Task: policy.Task{Job: j.ID, Stage: stage}}
	for ; of.Index < s.Tasks; of.Index++ {
		d, ok := c.truth.Runtime(of)
		if !ok || d < 0 {
			return nil, false
		}
		longest = math.Max(longest, d.Seconds())
		sum += d.Seconds()
	}
	if s.Gang {
		return Known(longest), true
	}
	return Known(sum / float64(s.Tasks)), true
}

// Learn implements [Estimator]: there is nothing to learn.
func (clairvoyant) Learn(*policy.Job, float64, policy.Time) {}

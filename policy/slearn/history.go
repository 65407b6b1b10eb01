package slearn

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"time"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/predict"
)

// Point says how a predicted distribution becomes a single number.
type Point uint8

const (
	// Utility is the runtime t whose utility 1/t² equals the expected utility of the distribution, as SLearn uses
	// 3Sigma in section 4.3. It leans to the shortest runtimes seen.
	Utility Point = iota
	// Winner is the estimate of the expert that predict.Predictor trusts most.
	Winner
	// Median is the middle of the distribution: PointEst of SLearn, section 5.1.3.
	Median
)

// HistoryConfig describes a [History].
type HistoryConfig struct {
	// Predictor knows the past and learns the jobs that end; required. It may be trained before: see [Forecast.Learn].
	// If others use the Predictor too, runs depend on them.
	Predictor *predict.Predictor

	Point Point // default Utility

	// Total lets it learn the work of jobs in core-seconds. Default: the mean runtime of their tasks in s, which is
	// multiplied by the width of a new job.
	Total bool

	// Stages lets it predict and learn the mean task runtime of each stage separately, and add them up: 3Sigma-DAG of
	// section 6. The features of a stage are the attributes of its job, and "stage", its number. Not with Total.
	// Default false.
	Stages bool

	// ThinLimit lets jobs with fewer tasks bypass into the highest queue, as SLearn does: with 3 it is 3SigmaTL of
	// section 5.1.3. Default 0: none, unlike SamplingConfig's, since 3Sigma has no such limit.
	ThinLimit int
}

// History is the [Estimator] that estimates by similar jobs of the past: 3Sigma in GS, 3SigmaTL with a ThinLimit, and
// PointEst with Median. It learns from each job that ends well. A job without similar ended jobs goes by attained
// service. Unlike forecast.History it makes one number of the prediction, and learns work: a task counts as many
// times as it has cores.
//
// It pays if jobs recur with similar runtimes: then it costs no delay. Its quality depends on Point as much as on what
// is known. Utility leans to the shortest runtimes seen, so that long jobs may go before short ones. The other two lean
// to the usual runtime, so that short jobs may wait behind long ones.
type History struct {
	config     HistoryConfig
	prediction predict.Prediction
	staged     staged
}

// NewHistory returns a History. It returns an error that names the field that is out of range.
func NewHistory(c HistoryConfig) (*History, error) {
	switch {
	case c.Predictor == nil:
		return nil, errors.New("slearn: HistoryConfig.Predictor is nil; make one with predict.New")
	case c.Point > Median:
		return nil, fmt.Errorf("slearn: HistoryConfig.Point is %d, want Utility, Winner or Median", c.Point)
	case c.Stages && c.Total:
		return nil, errors.New("slearn: HistoryConfig.Stages and Total are both set, want one of them")
	case c.ThinLimit < 0:
		return nil, fmt.Errorf("slearn: HistoryConfig.ThinLimit is %d, want at least 0", c.ThinLimit)
	}
	return &History{config: c}, nil
}

// Plan implements [Estimator].
func (h *History) Plan(j *policy.Job, now policy.Time) (Plan, error) {
	if j.Units() < int64(h.config.ThinLimit) {
		return Plan{Bypass: true}, nil
	}
	work, ok := h.Predict(j, now)
	if !ok {
		return Plan{When: Never}, nil
	}
	return Plan{Work: work}, nil
}

// Predict returns the work of a job as history predicts it, in core-seconds, and false if there was no similar job.
func (h *History) Predict(j *policy.Job, now policy.Time) (work float64, ok bool) {
	return h.predict(j, j.Calendar(now))
}

func (h *History) predict(j *policy.Job, at time.Time) (work float64, ok bool) {
	switch {
	case h.config.Stages:
		for i := range uint32(len(j.Stages)) {
			mean, ok := h.stage(j, i, at)
			if !ok {
				return 0, false
			}
			work += mean * stageWidth(j, i)
		}
		ok = true
	case h.config.Total:
		work, ok = h.point(j, at)
	default:
		work, ok = h.point(j, at)
		work *= width(j)
	}
	return work, ok && checkWork(j, work) == nil
}

// stage returns the mean runtime of a stage's tasks as history predicts it, in seconds.
func (h *History) stage(j *policy.Job, stage uint32, at time.Time) (mean float64, ok bool) {
	h.staged = staged{j, stage}
	return h.point(&h.staged, at)
}

// point returns a single number for the prediction of a job.
func (h *History) point(j predict.Job, at time.Time) (x float64, ok bool) {
	if h.config.Point == Winner {
		return h.config.Predictor.Estimate(j, at)
	}
	if !h.config.Predictor.Predict(j, at, &h.prediction) {
		return 0, false
	}
	if h.config.Point == Median {
		return h.prediction.Distribution().Quantile(0.5), true
	}
	x, err := estimate.CertaintyEquivalent(h.prediction.Distribution().All())
	return x, err == nil
}

// staged is a stage as a predictor sees it.
type staged struct {
	*policy.Job
	stage uint32
}

// Attr returns the number of the stage, or an attribute of its job.
func (s *staged) Attr(name string) (value string, ok bool) {
	if name == "stage" {
		return strconv.FormatUint(uint64(s.stage), 10), true
	}
	return s.Job.Attr(name)
}

// AttrNames yields "stage" and the names of the job's attributes.
func (s *staged) AttrNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield("stage") {
			return
		}
		for name := range s.Job.AttrNames() {
			if name != "stage" && !yield(name) {
				return
			}
		}
	}
}

// Work implements [Estimator]; GS never calls it, since there are no pilots.
func (*History) Work(*policy.Job, policy.Time, []float64) float64 { return 0 }

// Ended implements [Estimator].
func (h *History) Ended(j *policy.Job, r Record) error {
	learns, err := r.complete(j)
	if !learns {
		return err
	}
	at := j.Calendar(r.Now)
	switch {
	case h.config.Total:
		return h.config.Predictor.Observe(j, r.Work, at)
	case !h.config.Stages:
		return h.config.Predictor.Observe(j, r.Work/width(j), at)
	}
	for i := range j.Stages {
		if want := int64(j.Stages[i].Units()); i >= len(r.Stages) || r.Stages[i].N() != want {
			return fmt.Errorf("slearn: job %d without %d runtimes in Record.Stages[%d], want one for each task and gang", j.ID, want, i)
		}
	}
	for i := range j.Stages {
		mean, _ := r.Stages[i].Mean()
		if err := h.config.Predictor.Observe(&staged{j, uint32(i)}, mean, at); err != nil {
			return err
		}
	}
	return nil
}

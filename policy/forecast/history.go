package forecast

import (
	"errors"

	"example.com/augur/histogram"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/predict"
)

// HistoryConfig describes a [History]. Predictor is required.
type HistoryConfig struct {
	// Predictor knows the past, and learns the jobs that end. It may be trained before, with runtimes in seconds. One
	// that serves another run of the same jobs knows what will come: give each run its own, or a copy by Snapshot and
	// Restore. After a crash the policy's journal (package journal) teaches it again all since that began: give it
	// what it knew then, which that can keep.
	Predictor *predict.Predictor
	// Point makes it say the one number that the Predictor trusts most, in place of the distribution.
	Point bool
}

// A History is the forecast that goes by jobs like the one to come: 3σPredict. It makes no difference between the stages
// of a job. Of each it says what was known when the stage was Ready, or asked about before. Nothing is known of jobs like
// which none has ended.
//
// What it learns of a job that is done is the mean runtime of its tasks and gangs, as they would be at speed 1 where
// they prefer to be; a gang on nodes that differ counts as if all of it ran on the slowest. Of a job of which a part ran
// before a restart nothing is learnt. A distribution takes some 7 kB.
//
// # Source
//
// 3Sigma, section 4.1. With Point it is PointRealEst of section 5.
type History struct {
	config HistoryConfig
	view   *central.View
	jobs   policy.Table[policy.JobID, past]
}

// past is what a History keeps of a job.
type past struct {
	stages []central.Distribution // what was known when they were asked about
	asked  []bool
	ran    float64 // runtimes of what is finished, s at speed 1 where it would rather be
	units  uint64  // that is finished
}

// NewHistory returns a History. The error is that there is no Predictor.
func NewHistory(c HistoryConfig) (*History, error) {
	if c.Predictor == nil {
		return nil, errors.New("forecast: HistoryConfig.Predictor is nil, want one that knows the past")
	}
	return &History{config: c}, nil
}

// Bind implements [central.Forecast].
func (h *History) Bind(b central.Books) error {
	h.view = b.View
	return nil
}

// Fixed says that the forecast of a stage does not change once the stage is Ready. See [central.Forecast].
func (*History) Fixed() bool { return true }

// Note implements [central.Forecast].
func (h *History) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Submitted:
		n := len(j.Job.Stages)
		h.jobs.Put(j.Job.ID, &past{stages: make([]central.Distribution, n), asked: make([]bool, n)})
	case policy.Ready:
		h.Runtime(j, ev.Copy.Stage)
	case policy.Finished:
		if factor, ok := h.view.Slowdown(ev, &j.Job.Stages[ev.Copy.Stage]); ok && !ev.Replay {
			p := h.jobs.Get(j.Job.ID)
			p.ran += ev.Service.Seconds() / factor
			p.units++
		}
	case policy.Ended:
		p := h.jobs.Get(j.Job.ID)
		h.jobs.Delete(j.Job.ID)
		units := uint64(0)
		for i := range j.Job.Stages {
			units += uint64(j.Job.Stages[i].Units())
		}
		if ev.Outcome == policy.Done && p.units == units {
			h.Learn(j.Job, p.ran/float64(units), ev.Time)
		}
	}
	return nil
}

// Learn learns how long the tasks of a job ran on average, in seconds, that ended at the given instant: from the past,
// before a scheduler is made.
func (h *History) Learn(j *policy.Job, runtime float64, now policy.Time) {
	_ = h.config.Predictor.Observe(j, runtime, j.Calendar(now)) // which no runtime of a job is too long for
}

// Runtime implements [central.Forecast].
func (h *History) Runtime(j *central.Job, stage uint32) (central.Distribution, bool) {
	p := h.jobs.Get(j.Job.ID)
	if p == nil || int64(stage) >= int64(len(p.stages)) {
		return nil, false
	}
	if !p.asked[stage] {
		p.asked[stage] = true
		p.stages[stage], _ = h.Predict(j.Job, h.view.Now())
	}
	return p.stages[stage], p.stages[stage] != nil
}

// Predict returns what is known now of the runtime of the tasks of a job, whether a scheduler has it or not. To call
// it changes nothing.
func (h *History) Predict(j *policy.Job, now policy.Time) (d central.Distribution, ok bool) {
	at := j.Calendar(now)
	if h.config.Point {
		if x, ok := h.config.Predictor.Estimate(j, at); ok {
			return Known(x), true
		}
		return nil, false
	}
	var e struct {
		prediction predict.Prediction
		table      histogram.Table
	}
	if !h.config.Predictor.Predict(j, at, &e.prediction) {
		return nil, false
	}
	e.table.Fill(e.prediction.Distribution())
	return &e.table, true
}

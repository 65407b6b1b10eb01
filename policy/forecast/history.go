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
	// Predictor knows the past and learns from the jobs that end. It may be trained before, with runtimes in seconds.
	// Give each run a new Predictor, or a copy by Snapshot and Restore: one that has served another run of the same
	// jobs knows the future. [History.Save] keeps what it has learnt over a restart. A policy's journal (package journal)
	// teaches it again everything since the journal began, so load what it knew then; the journal can keep that.
	Predictor *predict.Predictor
	// Point makes the forecast a single number, the estimate that the Predictor trusts most, instead of the
	// distribution. With features such as log(bytes) it may be the better: the distribution is of past jobs with similar numbers.
	Point bool
}

// A History forecasts by similar jobs that have ended: 3σPredict. All stages of a job have the same forecast. It is
// fixed when the first of them is Ready, or when somebody asks before. Jobs without similar ended jobs have no forecast.
//
// From each job that is done it learns the mean runtime of its tasks and gangs, converted to speed 1 and a preferred
// partition, with what they took over from copies that were saved. The slowest node of a gang counts. It learns nothing from a job that is done if a part of it ran before a
// restart. From a job that failed, timed out or was cancelled it learns that the runtime is more than the mean of what its
// tasks ran: of those that finished, and of the longest copy that was cut off. The distribution of a job takes some 7 kB.
//
// # Source
//
// 3Sigma, section 4.1. With Point it is PointRealEst of section 5.
type History struct {
	config HistoryConfig
	view   *central.View
	jobs   policy.Table[policy.JobID, past]
}

// past is a History's record of a job.
type past struct {
	stages  int
	runtime central.Distribution // what was known when it was asked about; nil: nothing
	asked   bool
	ended   ended
}

// NewHistory returns a History. It returns an error if there is no Predictor.
func NewHistory(c HistoryConfig) (*History, error) {
	if c.Predictor == nil {
		return nil, errors.New("forecast: HistoryConfig.Predictor is nil; make one with predict.New")
	}
	return &History{config: c}, nil
}

// Bind implements [central.Forecast].
func (h *History) Bind(b central.Books) error {
	return b.Enter(&h.view)
}

// Fixed reports that the forecast of a job does not change once a stage is Ready. See [central.Forecast].
func (*History) Fixed() bool { return true }

// Note implements [central.Forecast].
func (h *History) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Submitted:
		h.jobs.Put(j.Job.ID, &past{stages: len(j.Job.Stages)})
	case policy.Ready:
		h.Runtime(j, ev.Copy.Stage)
	case policy.Finished, policy.Failed, policy.Killed, policy.Lost:
		if factor, ok := h.view.Slowdown(ev, &j.Job.Stages[ev.Copy.Stage]); ok {
			h.jobs.Get(j.Job.ID).ended.note(ev, factor)
		}
	case policy.Ended:
		p := h.jobs.Get(j.Job.ID)
		h.jobs.Delete(j.Job.ID)
		if runtime, censored, ok := p.ended.runtime(ev, j.Job); ok {
			return teach(h.config.Predictor, j.Job, runtime, censored, ev.Time)
		}
	}
	return nil
}

// teach teaches a predictor the mean runtime of a job's units, or a lower bound of it if it is censored.
func teach(p *predict.Predictor, j *policy.Job, runtime float64, censored bool, ended policy.Time) error {
	if censored {
		return p.ObserveCensored(j, runtime, j.Calendar(ended))
	}
	return p.Observe(j, runtime, j.Calendar(ended))
}

// Learn teaches the History a job of the past: the runtimes of its tasks and gangs, stage by stage, at speed 1, and when
// the job ended. It returns an error, and learns nothing, if there is not one runtime for each task and gang or one is
// negative.
func (h *History) Learn(j *policy.Job, runtimes []policy.Duration, ended policy.Time) error {
	mean, err := meanUnit(j, runtimes)
	if err != nil {
		return err
	}
	return h.config.Predictor.Observe(j, mean, j.Calendar(ended))
}

// Runtime implements [central.Forecast].
func (h *History) Runtime(j *central.Job, stage uint32) (central.Distribution, bool) {
	p := h.jobs.Get(j.Job.ID)
	if p == nil || int64(stage) >= int64(p.stages) {
		return nil, false
	}
	if !p.asked {
		p.asked = true
		p.runtime, _ = h.Predict(j.Job, h.view.Now())
	}
	return p.runtime, p.runtime != nil
}

// Predict returns the distribution of the runtime of a job's tasks as it is known now, whether or not a scheduler has
// the job. It changes nothing.
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

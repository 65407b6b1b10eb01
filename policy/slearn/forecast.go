package slearn

import (
	"errors"
	"fmt"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
)

// A Forecast makes an [Estimator]'s estimates available to all parts of a scheduler. If a job is sampled, it lets the
// pilots start before the other tasks, and passes their runtimes to the Estimator. When a job is over it reports the
// outcome.
//
// Runtimes are as at speed 1 where a stage prefers to be and has its input: SLearn, section 7, scales those of pilots by
// the ratio of machine speeds. So pilots may run on any nodes.
//
// The runtime of a task is the same for all stages: the work of the job divided by its width.
type Forecast struct {
	estimator Estimator
	view      *central.View
	jobs      policy.Table[policy.JobID, known]
}

// known is a Forecast's record of a job.
type known struct {
	plan   Plan
	when   When           // as planned; Now once the pilots have told, Never if that is no work
	work   float64        // estimated, core-seconds, when it is known
	mean   forecast.Known // of its tasks, if it is known
	pilots pilots

	record Record // of the tasks and gangs that are finished
}

// NewForecast returns the forecast of an estimator, which must serve no other one.
func NewForecast(e Estimator) *Forecast { return &Forecast{estimator: e} }

// Bind implements [central.Forecast].
func (f *Forecast) Bind(b central.Books) error {
	if f.estimator == nil {
		return errors.New("slearn: Forecast of a nil Estimator; make one, with NewSampling for example")
	}
	return b.Enter(&f.view)
}

// Note implements [central.Forecast].
func (f *Forecast) Note(ev *policy.Event, j *central.Job) error {
	if j == nil {
		return nil
	}
	if ev.Kind == policy.Submitted {
		return f.submitted(j)
	}
	o := f.jobs.Get(j.Job.ID)
	switch ev.Kind {
	case policy.Ready:
		if o.plan.When == Later && ev.Copy.Stage == o.plan.Stage && !ev.Replay {
			f.view.First(j, o.plan.Stage, o.pilots.first)
			o.pilots.first = nil
		}
		return nil
	case policy.Ended:
		f.jobs.Delete(j.Job.ID)
		r := &o.record
		r.Outcome, r.Now, r.JCT = ev.Outcome, ev.Time, ev.Time.Sub(j.Job.Submitted)
		r.Plan, r.Estimate, r.Estimated = o.plan, o.work, o.when == Now && !o.plan.Bypass
		return f.estimator.Ended(j.Job, *r)
	}

	stage, service := &j.Job.Stages[ev.Copy.Stage], ev.Service.Seconds()
	if factor, ok := f.view.Slowdown(ev, stage); ok {
		service /= factor
	}
	width := stage.Width()
	if ev.Kind == policy.Finished && ev.Replay && ev.Service == 0 {
		o.record.Partial = true // the host does not know any more
	} else if ev.Kind == policy.Finished {
		o.record.add(ev.Copy.Stage, service, width)
	}
	if o.when != Later {
		return nil
	}
	o.pilots.note(ev, width, service)
	if !o.pilots.all() {
		return nil
	}
	work := f.estimator.Work(j.Job, ev.Time, o.pilots.runtimes)
	if checkWork(j.Job, work) == nil {
		o.estimated(j.Job, work)
	} else {
		o.when = Never
	}
	return nil
}

// submitted plans a job.
func (f *Forecast) submitted(j *central.Job) error {
	plan, err := f.estimator.Plan(j.Job, f.view.Now())
	if err != nil {
		return err
	}
	if err := plan.check(j.Job); err != nil {
		return err
	}
	o := new(known)
	if plan.When == Later {
		o.pilots = newPilots(&plan)
	}
	o.record.Stages = make([]estimate.Moments, len(j.Stages))
	plan.Tasks = nil // which may be the Estimator's
	o.plan, o.when = plan, plan.When
	if plan.When == Now && !plan.Bypass {
		o.estimated(j.Job, plan.Work)
	}
	f.jobs.Put(j.Job.ID, o)
	return nil
}

// estimated takes note of a job's work.
func (o *known) estimated(j *policy.Job, work float64) {
	o.when, o.work = Now, work
	o.mean = forecast.Known(work / width(j))
}

// Learn teaches the Estimator a job of the past: the runtimes of its tasks and gangs, stage by stage, at speed 1, and when
// the job ended. It returns an error, and the Estimator learns nothing, if there is not one runtime for each task and gang
// or one is negative.
func (f *Forecast) Learn(j *policy.Job, runtimes []policy.Duration, ended policy.Time) error {
	if err := checkNumber(j, int64(len(runtimes))); err != nil {
		return err
	}
	r := Record{Outcome: policy.Done, Now: ended, Stages: make([]estimate.Moments, len(j.Stages))}
	for i := range j.Stages {
		n := j.Stages[i].Units()
		for _, d := range runtimes[:n] {
			if d < 0 {
				return fmt.Errorf("slearn: job %d with a runtime of %v, want at least 0", j.ID, d)
			}
			r.add(uint32(i), d.Seconds(), j.Stages[i].Width())
		}
		runtimes = runtimes[n:]
	}
	return f.estimator.Ended(j, r)
}

// Began hears of a start, which may be of a pilot.
func (f *Forecast) Began(j *central.Job, c policy.Copy, another bool) {
	f.jobs.Get(j.Job.ID).pilots.start(c.Task, j.Job.Stages[c.Stage].Width(), another)
}

// Runtime implements [central.Forecast].
func (f *Forecast) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	o := f.jobs.Get(j.Job.ID)
	return &o.mean, o.when == Now && !o.plan.Bypass
}

// Alike reports that all stages of a job have the same runtime. See [central.Forecast].
func (f *Forecast) Alike(*central.Job, uint32) bool { return true }

// Work returns the work of a job in core-seconds, as far as it is known.
func (f *Forecast) Work(j *central.Job) (work float64, ok bool) {
	o := f.jobs.Get(j.Job.ID)
	return o.work, o.when == Now && !o.plan.Bypass
}

// Sampled implements [central.Sampler].
func (f *Forecast) Sampled(j *central.Job) central.Sampled {
	o := f.jobs.Get(j.Job.ID)
	return central.Sampled{
		Now: o.when == Later, Bypass: o.plan.Bypass, Pilots: o.pilots.want, Done: len(o.pilots.runtimes),
		Wait: o.pilots.wait(), Cores: o.pilots.cores,
	}
}

// Pilot implements [central.Sampler].
func (f *Forecast) Pilot(t policy.Task) bool {
	o := f.jobs.Get(t.Job)
	return o != nil && o.pilots.has(t)
}

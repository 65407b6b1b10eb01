// Package forecast predicts how long the tasks of jobs will run. Most callers take NewScheduler of package gittins, which has
// the forecast that knows the most, [Beliefs]. Each forecast has its source: the users' requests
// ([Requested]), the last two jobs of the same user ([LastTwo]), similar jobs that have ended ([History]), such jobs
// and the job's own tasks together ([Beliefs]), the truth ([Truth]), or none ([Nothing]). Package slearn has the
// forecasts that run pilots first.
//
//	s, err := central.New(central.Config{Turn: baseline.Shortest(), Forecast: forecast.Requested()})
//	beliefs, err := forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: history})
//
// A [central.Forecast] serves all parts of a scheduler that need runtimes: turns by work, backfilling, copies.
//
// # When not to use it
//
// A program without a scheduler should ask a predict.Predictor directly.
//
// # Cost
//
// An event takes constant time. Each forecast says what else it takes.
//
// # Source
//
// Each forecast names its own.
package forecast

import (
	"errors"
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Requested returns the forecast that believes the users: each task of a job runs as long as [policy.Job.Requested]
// says. It knows nothing of jobs that request no time.
func Requested() central.Forecast { return &requested{} }

type requested struct {
	static
	jobs policy.Table[policy.JobID, central.Distribution]
}

// static is the common part of forecasts that need no books and never change.
type static struct{}

// Bind implements [central.Forecast].
func (static) Bind(central.Books) error { return nil }

// Fixed reports that the forecast of a stage never changes.
func (static) Fixed() bool { return true }

// Note implements [central.Forecast].
func (r *requested) Note(ev *policy.Event, j *central.Job) error {
	switch {
	case ev.Kind == policy.Submitted && j.Job.Requested > 0:
		d := central.Distribution(Known(j.Job.Requested.Seconds()))
		r.jobs.Put(j.Job.ID, &d)
	case ev.Kind == policy.Ended:
		r.jobs.Delete(j.Job.ID)
	}
	return nil
}

// Runtime implements [central.Forecast].
func (r *requested) Runtime(j *central.Job, _ uint32) (central.Distribution, bool) {
	if d := r.jobs.Get(j.Job.ID); d != nil {
		return *d, true
	}
	return nil, false
}

// Nothing returns the forecast that knows nothing of any job.
func Nothing() central.Forecast { return nothing{} }

type nothing struct{ static }

// Note implements [central.Forecast].
func (nothing) Note(*policy.Event, *central.Job) error { return nil }

// Runtime implements [central.Forecast].
func (nothing) Runtime(*central.Job, uint32) (central.Distribution, bool) { return nil, false }

// Truth returns the forecast that knows the truth: for each stage the mean of the true runtimes of its tasks, and for
// a gang the longest of them. It returns an error if truth is nil. Submitting a job takes time in proportion to its
// tasks. The forecast refuses a job if truth does not know one of its tasks.
func Truth(truth policy.Truth) (central.Forecast, error) {
	if truth == nil {
		return nil, errors.New("forecast: Truth of nil, want a policy.Truth that knows the runtimes of the tasks")
	}
	return &truly{truth: truth}, nil
}

type truly struct {
	static
	truth policy.Truth
	jobs  policy.Table[policy.JobID, []central.Distribution]
}

// Note implements [central.Forecast].
func (t *truly) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Submitted:
		known := make([]central.Distribution, len(j.Job.Stages))
		for i := range known {
			runtime, err := mean(t.truth, j.Job, uint32(i))
			if err != nil {
				return err
			}
			known[i] = Known(runtime)
		}
		t.jobs.Put(j.Job.ID, &known)
	case policy.Ended:
		t.jobs.Delete(j.Job.ID)
	}
	return nil
}

// Runtime implements [central.Forecast].
func (t *truly) Runtime(j *central.Job, stage uint32) (central.Distribution, bool) {
	known := t.jobs.Get(j.Job.ID)
	if known == nil || int64(stage) >= int64(len(*known)) {
		return nil, false
	}
	return (*known)[stage], true
}

// mean returns the mean of the true runtimes of a stage's tasks in seconds, and for a gang the longest. It returns an
// error that names the first task that the truth does not know.
func mean(truth policy.Truth, j *policy.Job, stage uint32) (float64, error) {
	s := &j.Stages[stage]
	longest, sum := 0.0, 0.0
	of := policy.Copy{Task: policy.Task{Job: j.ID, Stage: stage}}
	for ; of.Index < s.Tasks; of.Index++ {
		d, ok := truth.Runtime(of)
		if !ok || d < 0 {
			return 0, fmt.Errorf("forecast: the truth does not know task %d of %d of job %d, stage %d; want the truth that the job was made with", of.Index, s.Tasks, j.ID, stage)
		}
		longest = math.Max(longest, d.Seconds())
		sum += d.Seconds()
	}
	if s.Gang {
		return longest, nil
	}
	return sum / float64(s.Tasks), nil
}

// ended is what the copies of a job that have ended tell of the mean runtime of its units.
type ended struct {
	ran   float64 // runtimes of finished units, s at speed 1 in a preferred partition
	units uint64  // that are finished
	cut   float64 // the longest service of a copy that failed, was killed or was lost, s
}

// note takes note of the end of a copy. Slowdown is that of the copy.
func (e *ended) note(ev *policy.Event, slowdown float64) {
	switch ran := ev.Service.Seconds() / slowdown; {
	case ev.Replay || !ev.Kind.End():
	case ev.Kind == policy.Finished:
		e.ran += ran
		e.units++
	default:
		e.cut = max(e.cut, ran)
	}
}

// meanUnit returns the mean of the runtimes of all units of a job, in seconds.
func meanUnit(j *policy.Job, runtimes []policy.Duration) (float64, error) {
	if n := j.Units(); int64(len(runtimes)) != n {
		return 0, fmt.Errorf("forecast: job %d with %d runtimes, want %d: one for each task and gang", j.ID, len(runtimes), n)
	}
	sum := 0.0
	for _, d := range runtimes {
		if d < 0 {
			return 0, fmt.Errorf("forecast: job %d with a runtime of %v, want at least 0", j.ID, d)
		}
		sum += d.Seconds()
	}
	return sum / float64(len(runtimes)), nil
}

// runtime returns the mean runtime of a job's units when the job ends. If some have not finished, it is a lower bound: it is
// censored. It returns false if it knows nothing, as of a job that is done and of which a part ran before a restart.
func (e *ended) runtime(ev *policy.Event, j *policy.Job) (mean float64, censored, ok bool) {
	units := uint64(j.Units())
	if e.units == units || ev.Outcome == policy.Done {
		return e.ran / float64(units), false, e.units == units
	}
	sum, n, cut := e.ran, float64(e.units), e.cut
	if ev.Outcome == policy.TimedOut && cut == 0 { // the end of the copy was not reported
		cut = j.Requested.Seconds()
	}
	if cut > 0 {
		sum, n = sum+cut, n+1
	}
	return sum / n, true, sum > 0
}

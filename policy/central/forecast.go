package central

import "example.com/augur/policy"

// A Forecast says what is known of how long the tasks of jobs run. It serves all parts that ask: turns by work,
// backfilling, t_new of copies. What jobs turn out to take it learns from the events.
//
// A method Work(j *Job) (work float64, ok bool), which returns the work of a job in core-seconds, is asked for where a
// Forecast has it: if that is known better than the sum over the stages. A method Fixed() bool that is true says that what
// Runtime returns for a stage does not change once the stage is Ready, which makes fillers faster. A method
// Revision() uint64 counts how often what Runtime says of jobs that wait has changed with events about other jobs: fillers then
// ask about all of them again.
type Forecast interface {
	// Bind is as that of a [Turn].
	Bind(b Books) error
	// Note hears of each event before the Turn does. An error refuses a job that has just been submitted; nothing
	// may have changed then. Of other events it gives none.
	Note(ev *policy.Event, j *Job) error
	// Runtime returns the distribution of the runtime of a task of a stage, or of all of the stage if it is a
	// gang, in seconds, as far as it is known now. It may be another one after the next event about the job,
	// and with time while tasks of the job run. A filler asks again when there is an event about the job, and then
	// moves the expected ends of its running units.
	Runtime(j *Job, stage uint32) (d Distribution, ok bool)
}

// A Distribution is one of runtimes, s: a histogram, a posterior, or a single number. CDF(x) is the probability of at
// most x, and Quantile(p) the least x with CDF(x) ≥ p.
type Distribution interface {
	CDF(x float64) float64
	Quantile(p float64) float64
	Mean() float64
}

// A Sampler is a Forecast that lets some tasks of a job run first, its pilots, and learns from them how long all run.
// It sees to it that they start first in their job (view.View.First).
type Sampler interface {
	Forecast
	// Sampled says how the pilots of a job are doing.
	Sampled(j *Job) Sampled
	// Pilot reports whether a task is one of the pilots of its job.
	Pilot(t policy.Task) bool
}

// Sampled says how the pilots of a job are doing.
type Sampled struct {
	Now    bool  // the job is being sampled: when the pilots have ended, its runtimes are known
	Bypass bool  // it is not worth to be sampled, and should go first instead
	Pilots int   // that were wanted, 0 if it is not sampled
	Done   int   // of these, finished
	Wait   bool  // some of them wait for a Start
	Cores  int64 // that they have, with those of Starts that are not answered
}

// Work returns the work of a job as a forecast has it, in core-seconds: the mean runtime of the tasks of each stage,
// times its cores. It is false if the runtimes of a stage are not known.
func Work(f Forecast, j *Job) (work float64, ok bool) {
	if f == nil {
		return 0, false
	}
	if f, ok := f.(interface {
		Work(j *Job) (work float64, ok bool)
	}); ok {
		return f.Work(j)
	}
	for i := range j.Job.Stages {
		stage := &j.Job.Stages[i]
		d, ok := f.Runtime(j, uint32(i))
		if !ok {
			return 0, false
		}
		work += d.Mean() * float64(stage.Width()) * float64(stage.Units())
	}
	return work, true
}

// Left returns the work of a job that is not finished, as a forecast has it, in core-seconds. It is false if the
// runtimes of a stage are not known.
func Left(f Forecast, j *Job) (work float64, ok bool) {
	if f == nil {
		return 0, false
	}
	for i := range j.Job.Stages {
		left := j.Job.Stages[i].Units() - j.Stages[i].Finished
		if left == 0 {
			continue
		}
		d, ok := f.Runtime(j, uint32(i))
		if !ok {
			return 0, false
		}
		work += d.Mean() * float64(j.Job.Stages[i].Width()) * float64(left)
	}
	return work, true
}

package central

import "example.com/augur/policy"

// A Forecast says what is known of how long tasks run. All parts share it: turns that order by work, backfilling, and
// t_new of copies. It learns from the events how long jobs took.
//
// A Forecast may have three more methods. Work(j *Job) (work float64, ok bool) returns the work of a job in
// core-seconds, if the Forecast knows it better than by a sum over the stages. Fixed() bool returns true if Runtime
// never changes for a stage once the stage is Ready, which makes fillers faster. Revision() uint64 counts how often
// the runtimes of waiting jobs have changed with events about other jobs: fillers then ask about all of them again.
type Forecast interface {
	// Bind does what [Turn].Bind does.
	Bind(b Books) error
	// Note is called with each event before the Turn's Note. It returns an error to refuse a job that has just been
	// submitted, without any change, and returns none for other events.
	Note(ev *policy.Event, j *Job) error
	// Runtime returns the distribution of the runtime of a task of a stage, or of the whole stage if it is a gang, in
	// seconds, as far as it is known now. It may change with events about the job, and with time while tasks of the
	// job run. A filler asks again after each event about the job, and then expects the job's running tasks to end at
	// other times.
	Runtime(j *Job, stage uint32) (d Distribution, ok bool)
}

// A Distribution is a distribution of runtimes in seconds: a histogram, a posterior, or a single number. CDF(x) is
// the probability of at most x, and Quantile(p) is the least x with CDF(x) ≥ p.
type Distribution interface {
	CDF(x float64) float64
	Quantile(p float64) float64
	Mean() float64
}

// A Sampler is a Forecast that lets some tasks of a job run first, its pilots, and learns from them how long all
// tasks run. It makes the pilots start first in their job (view.View.First).
type Sampler interface {
	Forecast
	// Sampled returns the state of a job's pilots.
	Sampled(j *Job) Sampled
	// Pilot reports whether a task is one of the pilots of its job.
	Pilot(t policy.Task) bool
}

// Sampled is the state of a job's pilots.
type Sampled struct {
	Now    bool  // the job is being sampled: when its pilots have ended, its runtimes are known
	Bypass bool  // the job is too small to be sampled, and should go first instead
	Pilots int   // the number of pilots, 0 if the job is not sampled
	Done   int   // pilots that have finished
	Wait   bool  // some pilots wait for a Start
	Cores  int64 // that pilots hold, with those of unanswered Starts
}

// Work returns the work of a job by a forecast, in core-seconds: the sum over its stages of mean runtime times cores.
// It returns false if the runtime of a stage is not known.
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

// Left returns the unfinished work of a job by a forecast, in core-seconds. It returns false if the runtime of a
// stage is not known.
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

package central

import "example.com/augur/policy"

// A Forecast says what is known of how long tasks run. All parts share it: turns that order by work, backfilling, and
// t_new of copies. It learns from the events how long jobs took.
//
// A Forecast may be [Constant], a [WorkForecast], an [UniformStages], a [Reviser], a [Limiter] and a [StartHearer] too.
type Forecast interface {
	Part
	// Note is called with each event before the Turn's Note. It returns an error to refuse a job that has just been
	// submitted, without any change. [Scheduler.Step] returns any other error after all parts have heard of the event.
	Note(ev *policy.Event, j *Job) error
	// Runtime returns the distribution of the runtime of a task of a stage, or of the whole stage if it is a gang, in
	// seconds, as far as it is known now. It may change with events about the job, and with time while tasks of the
	// job run. A filler asks again before it plans after such events, and then expects the job's running tasks to end at
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
// tasks run. It makes the pilots start first in their job (View.First).
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

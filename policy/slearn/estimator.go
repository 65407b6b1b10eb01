package slearn

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/estimate"
	"example.com/augur/policy"
)

// An Estimator estimates a job's work: the sum over its tasks of runtime times cores, in core-seconds. A gang counts
// as one task that takes all its cores.
//
// One [Forecast] calls its methods, from within Step. So they need no lock, and must start no goroutine and read no
// clock. An Estimator serves one Forecast. After a crash of the host the policy's journal (package journal) teaches
// it again what it has learnt, if it is made as it was when the journal began.
type Estimator interface {
	// Plan is called once for a job that has just been submitted, and returns what is known of it. If it returns an
	// error, because it cannot handle the job, Step returns that error and refuses the job.
	Plan(j *policy.Job, now policy.Time) (Plan, error)

	// Work estimates a job's work from the runtimes of its pilots, in seconds at speed 1 and in the order in which they
	// ended. It is called once, when all pilots have ended, for jobs whose Plan said [Later]. The slice belongs to the
	// caller. If the result is not finite and at least 0, NaN for example, the job goes by attained service, as with [Never].
	Work(j *policy.Job, now policy.Time, pilots []float64) float64

	// Ended reports the outcome of a job. It is called once, after the job's last task, also for jobs that failed or
	// were cancelled, and for each job of the past that [Forecast.Learn] teaches. If the Estimator cannot learn from the
	// Record, it returns an error.
	Ended(j *policy.Job, r Record) error
}

// When says when a job's work is known.
type When uint8

const (
	// Now: Plan.Work is the work.
	Now When = iota
	// Later: some tasks, the pilots, run first, in the second highest queue or in one of their own
	// (TurnConfig.PilotQueue), and show the work of all. The others wait until then, unless cores would be idle.
	Later
	// Never: the job goes by the service that it has attained so far.
	Never
)

// A Plan is what an [Estimator] decides about a job when it is submitted.
type Plan struct {
	When When
	Work float64 // of a job known Now, core-seconds, finite and ≥ 0
	// Bypass puts a job known Now into the highest queue, whatever its work. SLearn does so with thin jobs, whose
	// Work is 0 because nobody has estimated it.
	Bypass bool
	// Pilots is the number of tasks, or gangs, that run first of a job known Later, 1 to the number of all.
	Pilots int
	// Tasks are the pilots, by their numbers in Stage, each once, in the order in which to start them; nil: the first
	// ones. They are read before the next call of the Estimator.
	Tasks []int
	Stage uint32
	// Ratio of the pilots to all tasks of their stage that was asked for. The Estimator finds it again in the Record.
	Ratio float64
}

// check returns an error that names the job if a plan has a field out of range.
func (p *Plan) check(j *policy.Job) error {
	switch {
	case p.When > Never:
		return fmt.Errorf("slearn: plan of job %d: When is %d, want Now, Later or Never", j.ID, p.When)
	case p.When == Now:
		return checkWork(j, p.Work)
	case p.When == Never:
		return nil
	case p.Pilots < 1 || int64(p.Pilots) > j.Units():
		return fmt.Errorf("slearn: plan of job %d: %d pilots, want 1 to %d", j.ID, p.Pilots, j.Units())
	case int64(p.Stage) >= int64(len(j.Stages)):
		return fmt.Errorf("slearn: plan of job %d: pilots in stage %d, want less than %d", j.ID, p.Stage, len(j.Stages))
	case p.Tasks != nil && len(p.Tasks) != p.Pilots:
		return fmt.Errorf("slearn: plan of job %d: %d pilots, and Tasks has %d, want as many", j.ID, p.Pilots, len(p.Tasks))
	}
	before := -1
	for _, task := range slices.Sorted(slices.Values(p.Tasks)) {
		if n := j.Stages[p.Stage].Units(); task <= before || int64(task) >= int64(n) {
			return fmt.Errorf("slearn: plan of job %d: pilot %d of stage %d, want 0 to %d, each once", j.ID, task, p.Stage, n-1)
		}
		before = task
	}
	return nil
}

func checkWork(j *policy.Job, work float64) error {
	if !(work >= 0) || math.IsInf(work, 1) {
		return fmt.Errorf("slearn: work of job %d is %v core-seconds, want a finite number of at least 0", j.ID, work)
	}
	return nil
}

// width returns the cores that a job takes if all its tasks run at once. The work of a job is its width times the mean
// runtime of its tasks.
func width(j *policy.Job) (cores float64) {
	for i := range j.Stages {
		cores += stageWidth(j, uint32(i))
	}
	return cores
}

func stageWidth(j *policy.Job, stage uint32) float64 {
	s := &j.Stages[stage]
	return float64(s.Tasks) * float64(s.Cores)
}

// A Record is the outcome of a job that is over.
type Record struct {
	Outcome policy.Outcome
	Now     policy.Time     // when it ended
	JCT     policy.Duration // from its submission
	// Runtimes are the runtimes of its finished tasks and gangs, s at speed 1.
	Runtimes estimate.Moments
	Work     float64            // of these together, each times its cores, core-seconds
	Stages   []estimate.Moments // the Runtimes stage by stage; valid only during the call
	// Partial is set if a restart has lost how long some tasks ran. Such a job teaches nothing.
	Partial bool

	Plan      Plan    // as it was made, but without Tasks
	Estimate  float64 // of its work, core-seconds, if Estimated
	Estimated bool    // false if it bypassed, never was, or ended before its pilots
}

// complete reports whether a job is done, so that it can be learned from. It returns an error if not all of its runtimes
// are there.
func (r *Record) complete(j *policy.Job) (bool, error) {
	if r.Outcome != policy.Done || r.Partial {
		return false, nil
	}
	err := checkNumber(j, r.Runtimes.N())
	return err == nil, err
}

func checkNumber(j *policy.Job, runtimes int64) error {
	if want := j.Units(); runtimes != want {
		return fmt.Errorf("slearn: job %d with %d runtimes, want %d: one for each task and gang", j.ID, runtimes, want)
	}
	return nil
}

// add adds the runtime of a task or gang, in seconds.
func (r *Record) add(stage uint32, runtime float64, width int64) {
	_ = r.Runtimes.Add(runtime) // which is not negative
	_ = r.Stages[stage].Add(runtime)
	r.Work += float64(width) * runtime
}

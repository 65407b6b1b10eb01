package pool

import (
	"time"

	"example.com/augur/predict"
)

// Metrics hears of each task, in this order: Submitted once, Started once if it runs, and Finished once, when it has
// ended, is refused or is given up. The goroutines that submit and run tasks make these calls, many at once. So the
// methods should be quick, and must not panic. The pool holds no lock meanwhile.
type Metrics interface {
	Submitted(Status)
	Started(Status)
	Finished(Status)
}

// A Status says what is known of a task when Metrics hears of it.
type Status struct {
	Tenant    string
	Attrs     predict.Job   // as submitted; not to be kept
	Predicted time.Duration // runtime, when the pool last looked, if Known
	Known     bool
	Started   bool          // false in Finished: the task was refused or given up
	Wait      time.Duration // from submission to start, or to the end if it never started
	Run       time.Duration // from start to end
	Err       error         // in Finished: what Task.Wait or Submit returns
}

func (t *Task) status() Status {
	return Status{Tenant: t.pool.core.nameOf(t.attrs), Attrs: t.attrs, Predicted: seconds(t.predicted), Known: t.known}
}

// waited returns how long a task waited that runs, or has run.
func (t *Task) waited() time.Duration { return time.Duration(max(0, t.started-t.at)) }

// finished tells Metrics of a task that did not run.
func (p *Pool) finished(t *Task, err error) {
	if p.config.Metrics == nil {
		return
	}
	s := t.status()
	s.Wait, s.Err = time.Duration(max(0, p.core.since(p.config.Now())-t.at)), err
	p.config.Metrics.Finished(s)
}

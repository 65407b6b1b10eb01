package pool

import (
	"time"

	"example.com/augur/predict"
)

// Metrics hears of tasks: of each that is submitted once, of each that starts once, and of each in the end once,
// also if it is refused or does not run. The three calls for a task come in this order. They are made by the goroutines
// that submit and run tasks, many at once, so they should be quick, and they must not panic. The pool holds no
// lock meanwhile.
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

func (t *Task) status(tenant string) Status {
	return Status{Tenant: tenant, Attrs: t.attrs, Predicted: time.Duration(min(t.predicted*1e9, 1<<62)), Known: t.known}
}

package hopper

import (
	"math"

	"example.com/augur/policy"
)

// An account says whether copies may start: as long as
//
//	spent ≤ 4 saved + loss · worked
//
// A copy costs its service so far, whether it wins or loses. If it wins, it saves the time that the first copy of its task would
// still have run, by the last report of that copy. That counts four times, since a copy that wins also ends its stage sooner, and
// since savings show later than costs. So copies that pay earn those that follow, and copies that never win cost a share of what
// tasks take, the loss.
//
// The first copies are free: before any has ended, it is assumed that copies pay. The account forgets, so that it follows
// tasks that begin to straggle or cease to: its sums are halved whenever so many tasks have finished.
type account struct {
	loss float64 // share of the service of finished tasks; +Inf is no bound

	// In core-seconds.
	worked float64 // by finished tasks
	spent  float64 // by copies that have ended
	saved  float64 // by those of them that have won

	cores int64   // that running copies hold
	begun float64 // the cores of each, times when it started, s

	free  int // copies that start whatever the sums are
	tasks int // that have finished since the sums were halved
}

const (
	worth       = 4
	freeCopies  = 50
	memoryTasks = 10_000
)

// allows reports whether another copy may start.
func (a *account) allows(now policy.Time) bool {
	running := float64(a.cores)*now.Seconds() - a.begun
	return a.free > 0 || a.spent+running <= worth*a.saved+a.loss*a.worked || math.IsInf(a.loss, 1)
}

// start takes note of a copy that starts.
func (a *account) start(cores int64, now policy.Time) {
	a.free = max(0, a.free-1)
	a.cores += cores
	a.begun += float64(cores) * now.Seconds()
}

// end takes note of a copy that has ended, and of how many seconds of another copy it has saved.
func (a *account) end(cores int64, started, now policy.Time, saved float64) {
	a.cores -= cores
	a.begun -= float64(cores) * started.Seconds()
	if a.cores == 0 {
		a.begun = 0 // no error of rounding is left
	}
	a.spent += float64(cores) * (now.Seconds() - started.Seconds())
	a.saved += float64(cores) * saved
}

// finish takes note of a task that has finished after a service of its own.
func (a *account) finish(service float64) {
	a.worked += service
	if a.tasks++; a.tasks == memoryTasks {
		a.tasks = 0
		a.worked, a.spent, a.saved = a.worked/2, a.spent/2, a.saved/2
	}
}

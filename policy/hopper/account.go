package hopper

import "math"

// An account says whether copies may start: as long as
//
//	spent + running ≤ 4 saved + loss · worked
//
// A copy costs its service, whether it wins or loses. Until it ends it counts as what it is expected to cost, [Running.cost].
// If it wins, it saves the time that the first copy of its task would still have run, by the last report of that copy. That
// counts four times, since a copy that wins also ends its stage sooner, and since savings show later than costs. So copies
// that pay earn those that follow, and copies that never win cost a share of what tasks take, the loss. A copy may start as
// soon as the sums allow any, however much it costs, and the next one then waits.
//
// The first copies are free: before any has ended, it is assumed that copies pay. The account forgets, so that it follows
// tasks that begin to straggle or cease to: its sums are halved whenever so many tasks have finished.
type account struct {
	loss float64 // share of the service of finished tasks; +Inf is no bound

	// In core-seconds.
	worked  float64 // by finished tasks
	spent   float64 // by copies that have ended
	saved   float64 // by those of them that have won
	running float64 // that running copies are expected to cost

	free  int // copies that start whatever the sums are
	tasks int // that have finished since the sums were halved
}

const (
	worth       = 4
	freeCopies  = 20
	memoryTasks = 10_000
)

// allows reports whether another copy may start.
func (a *account) allows() bool {
	return a.free > 0 || math.IsInf(a.loss, 1) || a.spent+a.running <= worth*a.saved+a.loss*a.worked
}

// start takes note of a copy that starts, and what it is expected to cost.
func (a *account) start(cost float64) {
	a.free = max(0, a.free-1)
	a.running += cost
}

// end takes note of a copy that has ended: what it was expected to cost, what it has cost, and what it has saved.
func (a *account) end(expected, cost, saved float64) {
	a.running = max(0, a.running-expected)
	a.spent += cost
	a.saved += saved
}

// finish takes note of a task that has finished after a service of its own.
func (a *account) finish(service float64) {
	a.worked += service
	if a.tasks++; a.tasks == memoryTasks {
		a.tasks = 0
		a.worked, a.spent, a.saved = a.worked/2, a.spent/2, a.saved/2
	}
}

// cost returns how long another copy of the task is expected to run: until it wins or loses. It is 0 if that is unknown.
func (r *Running) cost() float64 {
	cost := r.New
	if math.IsNaN(cost) || r.Remaining < cost {
		cost = r.Remaining
	}
	if math.IsNaN(cost) || math.IsInf(cost, 0) {
		return 0
	}
	return cost
}

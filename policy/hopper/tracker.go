package hopper

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"example.com/augur/policy"
)

// A Tracker makes a [Phase] out of what a host hears of the copies of one stage: it
// turns progress reports into t_rem, and finished tasks into t_new. The zero Tracker knows of
// nothing and is ready for use.
//
// A copy that has done a share p of its work in a service of s does the rest at the same pace,
//
//	t_rem = s/p - service so far
//
// and one that has done nothing takes for ever, by what is known. A copy that has not
// reported yet is taken to run for t_new in all, and if it has run for longer nothing is known
// of it. The t_rem of a task is the least that is known of its copies. t_new is the mean of
// the runtimes of the tasks that are finished.
//
// Service is for how long a copy has run: from when it is started until it ends, but for when it is
// suspended. While it is, it still counts among the copies of its task, and all that is known of it
// stands still: t_rem is for how long it has to run once it is resumed. If that will not be soon,
// the host may end it here and start it again then, with the service that it had; what it has
// reported is forgotten.
//
// Copies are named by the index of their task in the stage and a number, n, such as the N of a
// [policy.Copy], which no two copies of a task may share. News of a copy that is not there changes
// nothing, so what comes late does no harm; but a task is to be finished only once.
//
// A call takes O(n + m/512) time at worst, with n copies that run and m tasks that are finished,
// and O(log n + log m) but for moving memory, save Phase. Nothing allocates once as many ran at
// once, but for what finished tasks take: see [Runtimes].
type Tracker struct {
	copies   []tracked // by task, then number
	restarts []restarts
	sum      float64 // of phase.Finished
	phase    Phase

	at      policy.Time // the instant of phase
	changed []uint32    // the tasks of which a copy has changed since, if few
	all     bool        // every task may have
}

// changedTasks is how many tasks Phase looks at by themselves. Looking at all is not much dearer if
// there are few, and cheaper if more have changed.
const changedTasks = 16

type tracked struct {
	task, n uint32
	still   bool        // it is suspended
	at      policy.Time // the last news of its service
	base    float64     // its service then, s
	done    float64     // share of its work that was done when it last reported
	rate    float64     // of its work in a second, by its last report; NaN if that is not known
	total   float64     // for how long it runs in all, s, by its last report; NaN if that is not known
}

type restarts struct {
	task uint32
	n    int
}

// key orders copies by task, then by number.
func (c *tracked) key() uint64 { return uint64(c.task)<<32 | uint64(c.n) }

// Start says at an instant that a copy runs or is about to, with so much service so far, ≥ 0. It
// may be told of twice, when it is ordered and when it runs; the time then counts from the second,
// and it is not suspended. The error says that the service is out of range.
func (t *Tracker) Start(now policy.Time, task, n uint32, service policy.Duration) error {
	if err := checkService(service); err != nil {
		return err
	}
	at, ok := t.find(task, n)
	if !ok {
		t.copies = slices.Insert(t.copies, at, tracked{task: task, n: n, rate: math.NaN(), total: math.NaN()})
	}
	t.copies[at].news(now, service, false)
	t.change(task)
	return nil
}

// Suspend says that a copy does not run from now on, with so much service so far, ≥ 0. Told of
// twice, the second counts. The error says that the service is out of range.
func (t *Tracker) Suspend(now policy.Time, task, n uint32, service policy.Duration) error {
	return t.move(now, task, n, service, true)
}

// Resume says that a copy runs again from now on, with so much service so far, ≥ 0. One that was
// not suspended just goes on from that. The error says that the service is out of range.
func (t *Tracker) Resume(now policy.Time, task, n uint32, service policy.Duration) error {
	return t.move(now, task, n, service, false)
}

func (t *Tracker) move(now policy.Time, task, n uint32, service policy.Duration, still bool) error {
	if err := checkService(service); err != nil {
		return err
	}
	if at, ok := t.find(task, n); ok {
		t.copies[at].news(now, service, still)
		t.change(task)
	}
	return nil
}

// Report says that a copy has done a share of its work, 0 to 1, with so much service. With no
// service it says nothing. A suspended copy may report, and stays suspended. The error says that
// one of the two is out of range.
func (t *Tracker) Report(now policy.Time, task, n uint32, service policy.Duration, done float64) error {
	if err := checkService(service); err != nil {
		return err
	}
	if !(done >= 0 && done <= 1) {
		return fmt.Errorf("hopper: progress is %v, want 0 to 1", done)
	}
	if at, ok := t.find(task, n); ok {
		c := &t.copies[at]
		c.news(now, service, c.still)
		c.done, c.rate, c.total = done, math.NaN(), math.NaN()
		if c.base > 0 {
			c.rate, c.total = done/c.base, c.base/done
		}
		t.change(task)
	}
	return nil
}

// End says that a copy has ended without finishing its task, or was never started.
func (t *Tracker) End(task, n uint32) {
	if at, ok := t.find(task, n); ok {
		t.copies = slices.Delete(t.copies, at, at+1)
		t.change(task)
	}
}

// Restarted says that a copy of a task was killed to start it anew. It is counted in
// [Running.Restarts] until the task finishes.
func (t *Tracker) Restarted(task uint32) {
	at, ok := t.restarted(task)
	if !ok {
		t.restarts = slices.Insert(t.restarts, at, restarts{task: task})
	}
	t.restarts[at].n++
	t.change(task)
}

// Finish says that a task is finished, after so much service of the copy that was first,
// ≥ 0. Its other copies are forgotten too. If another copy finishes as well, just after, do not tell
// of it: its runtime would count too. The error says that the service is out of range.
func (t *Tracker) Finish(task uint32, service policy.Duration) error {
	if err := checkService(service); err != nil {
		return err
	}
	from, _ := t.find(task, 0)
	t.copies = slices.Delete(t.copies, from, from+len(t.copiesOf(task)))
	if at, ok := t.restarted(task); ok {
		t.restarts = slices.Delete(t.restarts, at, at+1)
	}

	runtime := service.Seconds()
	t.phase.Finished.Add(runtime)
	t.sum += runtime
	t.all = true // t_new is another one
	return nil
}

// reset forgets everything but the memory.
func (t *Tracker) reset() {
	t.copies, t.restarts, t.sum, t.all = t.copies[:0], t.restarts[:0], 0, true
	t.phase.Finished.reset()
	t.phase = Phase{Running: t.phase.Running[:0], Finished: t.phase.Finished}
}

// reserve makes room for so many tasks, if they are few, so that less is allocated later.
func (t *Tracker) reserve(tasks int) {
	few := min(tasks, 16)
	t.copies = slices.Grow(t.copies, few)
	t.phase.Running = slices.Grow(t.phase.Running, few)
	t.phase.Finished.reserve(min(tasks, 16))
}

// change says that the phase that was asked for last is not true of a task now.
func (t *Tracker) change(task uint32) {
	switch {
	case t.all || slices.Contains(t.changed, task):
	case len(t.changed) == changedTasks:
		t.all = true
	case t.changed == nil:
		t.changed = append(make([]uint32, 0, changedTasks), task)
	default:
		t.changed = append(t.changed, task)
	}
}

// news says what the service of a copy is now, and whether it stands still from now on.
func (c *tracked) news(now policy.Time, service policy.Duration, still bool) {
	c.at, c.base, c.still = now, service.Seconds(), still
}

func (t *Tracker) find(task, n uint32) (int, bool) {
	key := uint64(task)<<32 | uint64(n)
	at := sort.Search(len(t.copies), func(i int) bool { return t.copies[i].key() >= key })
	return at, at < len(t.copies) && t.copies[at].key() == key
}

// knows reports whether a copy runs, or is about to.
func (t *Tracker) knows(task, n uint32) bool {
	_, ok := t.find(task, n)
	return ok
}

// copiesOf returns the copies of a task.
func (t *Tracker) copiesOf(task uint32) []tracked {
	from, _ := t.find(task, 0)
	to := from
	for to < len(t.copies) && t.copies[to].task == task {
		to++
	}
	return t.copies[from:to]
}

func (t *Tracker) restarted(task uint32) (int, bool) {
	return slices.BinarySearchFunc(t.restarts, task, func(r restarts, task uint32) int { return cmp.Compare(r.task, task) })
}

func checkService(service policy.Duration) error {
	if service < 0 {
		return fmt.Errorf("hopper: service is %v, want at least 0 s", service)
	}
	return nil
}

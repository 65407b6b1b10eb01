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
// Phase takes O(n) time with n copies that run, and each other call O(log n + log m) with m tasks that are finished, but
// for moving memory. Nothing allocates once as many ran at once, but for 8 bytes or more for each finished task.
type Tracker struct {
	copies   []tracked      // by task, then number
	restarts map[uint32]int // of tasks that are not finished, if any
	sum      float64        // of phase.Finished
	phase    Phase

	at      policy.Time // the instant of phase
	changes int         // of copies since then: 0; 1, of the task that is changed; or more, of any
	changed uint32
}

type tracked struct {
	task, n uint32
	still   bool        // it is suspended
	at      policy.Time // the last news of its service
	base    float64     // its service then, s
	done    float64     // share of its work that was done when it last reported
	rate    float64     // of its work in a second, by its last report; NaN if that is not known
	total   float64     // for how long it runs in all, s, by its last report; NaN if that is not known
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
	if t.restarts == nil {
		t.restarts = map[uint32]int{}
	}
	t.restarts[task]++
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
	delete(t.restarts, task)

	runtime := service.Seconds()
	at, _ := slices.BinarySearch(t.phase.Finished, runtime)
	t.phase.Finished = slices.Insert(t.phase.Finished, at, runtime)
	t.sum += runtime
	t.changes = 2 // t_new is another one
	return nil
}

// change notes that a copy of a task is not as it was at the last Phase.
func (t *Tracker) change(task uint32) {
	if t.changes == 0 || t.changes == 1 && t.changed == task {
		t.changes, t.changed = 1, task
	} else {
		t.changes = 2
	}
}

// Phase returns the phase as it is now, with so many tasks that wait and slots of the job. The
// host may set Left, and New of tasks whose size it knows, and must leave the rest; what it sets is
// gone with the next call, and changes no t_rem. The phase is the Tracker's, and valid until then.
func (t *Tracker) Phase(now policy.Time, waiting, slots int) *Phase {
	for i := range t.phase.Running {
		t.phase.Running[i].New = t.mean()
	}
	return t.expecting(now, waiting, slots, nil)
}

// expecting is Phase where expected, if there is one, says the t_new of a task, s. One that is negative or NaN is not
// known. Copies that have not reported are taken to run for that too, or each copy that starts would call for
// the next. As long as nothing has finished, the first that is known stands for a task of common size.
func (t *Tracker) expecting(now policy.Time, waiting, slots int, expected func(task uint32) float64) *Phase {
	p := &t.phase
	p.Waiting, p.Slots, p.Left = waiting, slots, 0
	p.New = t.mean()
	// One copy after another may start at an instant. Only the task of the last one is another then.
	if now != t.at || expected != nil || t.changes > 1 || t.changes == 1 && !t.oneTask(now) {
		t.everyTask(now, expected)
	}
	t.at, t.changes = now, 0
	if expected != nil {
		t.changes = 2 // it may not be what is expected next
	}
	for i := 0; expected != nil && i < len(p.Running) && math.IsNaN(p.New); i++ {
		p.New = p.Running[i].New
	}
	return p
}

// mean returns the mean runtime of finished tasks, NaN if there is none.
func (t *Tracker) mean() float64 {
	if n := len(t.phase.Finished); n > 0 {
		return t.sum / float64(n)
	}
	return math.NaN()
}

// everyTask sums up all tasks.
func (t *Tracker) everyTask(now policy.Time, expected func(task uint32) float64) {
	p := &t.phase
	p.Running = p.Running[:0]
	for copies := t.copies; len(copies) > 0; {
		task, n := copies[0].task, 1
		for n < len(copies) && copies[n].task == task {
			n++
		}
		fresh := p.New
		if expected != nil {
			if x := expected(task); x >= 0 {
				fresh = x
			}
		}
		p.Running = append(p.Running, Running{})
		r := &p.Running[len(p.Running)-1]
		r.sum(now, copies[:n], fresh)
		if len(t.restarts) > 0 {
			r.Restarts = t.restarts[task]
		}
		copies = copies[n:]
	}
}

// oneTask sums up the task that is changed, and reports false if it was not there or is not there now.
func (t *Tracker) oneTask(now policy.Time) bool {
	running, copies := t.phase.Running, t.copiesOf(t.changed)
	at, ok := slices.BinarySearchFunc(running, t.changed, func(r Running, task uint32) int { return cmp.Compare(r.Task, task) })
	if ok = ok && len(copies) > 0; ok {
		running[at].sum(now, copies, t.phase.New)
		running[at].Restarts = t.restarts[t.changed]
	}
	return ok
}

// sum sums up the copies of one task, at least one.
func (r *Running) sum(now policy.Time, copies []tracked, fresh float64) {
	c := &copies[0]
	elapsed := c.elapsed(now)
	remaining := c.remaining(elapsed, fresh)
	*r = Running{
		Task: c.task, Copies: len(copies), Elapsed: elapsed, Progress: c.done, Rate: c.rate,
		Remaining: remaining, New: fresh, Last: c.n, Youngest: elapsed,
	}
	if len(copies) == 1 {
		return
	}
	latest := remaining
	if math.IsNaN(latest) {
		latest = math.Inf(1)
	}
	for i := range copies[1:] {
		c := &copies[1+i]
		elapsed := c.elapsed(now)
		remaining := c.remaining(elapsed, fresh)
		r.Elapsed = max(r.Elapsed, elapsed)
		r.Youngest = min(r.Youngest, elapsed)
		if remaining < r.Remaining || math.IsNaN(r.Remaining) && !math.IsNaN(remaining) {
			r.Remaining, r.Progress, r.Rate = remaining, c.done, c.rate
		}
		if math.IsNaN(remaining) {
			remaining = math.Inf(1)
		}
		if remaining >= latest { // of equals the one started last
			latest, r.Last = remaining, c.n
		}
	}
}

// elapsed returns the service of a copy, s. An instant before the last news counts as that.
func (c *tracked) elapsed(now policy.Time) float64 {
	if c.still || now <= c.at {
		return c.base
	}
	return c.base + float64(uint64(now)-uint64(c.at))/1e9 // the difference fits, whatever the instants
}

// remaining returns the t_rem of a copy, NaN if it is not known.
func (c *tracked) remaining(elapsed, fresh float64) float64 {
	switch {
	case !math.IsNaN(c.total):
		return max(0, c.total-elapsed)
	case elapsed <= fresh: // a copy that has just started counts even if t_new is 0
		return fresh - elapsed
	}
	return math.NaN()
}

// reserve makes room for so many tasks, if they are few, so that less is allocated later.
func (t *Tracker) reserve(tasks int) {
	few := min(tasks, 16)
	t.copies = slices.Grow(t.copies, few)
	t.phase.Running = slices.Grow(t.phase.Running, few)
	t.phase.Finished = slices.Grow(t.phase.Finished, few)
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

func checkService(service policy.Duration) error {
	if service < 0 {
		return fmt.Errorf("hopper: service is %v, want at least 0 s", service)
	}
	return nil
}

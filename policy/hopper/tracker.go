package hopper

import (
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
	}
	return nil
}

// End says that a copy has ended without finishing its task, or was never started.
func (t *Tracker) End(task, n uint32) {
	if at, ok := t.find(task, n); ok {
		t.copies = slices.Delete(t.copies, at, at+1)
	}
}

// Restarted says that a copy of a task was killed to start it anew. It is counted in
// [Running.Restarts] until the task finishes.
func (t *Tracker) Restarted(task uint32) {
	if t.restarts == nil {
		t.restarts = map[uint32]int{}
	}
	t.restarts[task]++
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
	return nil
}

// Phase returns the phase as it is now, with so many tasks that wait and slots of the job. The
// host may set Left, and New of tasks whose size it knows, and must leave the rest; what it sets is
// gone with the next call, and changes no t_rem. The phase is the Tracker's, and valid until then.
func (t *Tracker) Phase(now policy.Time, waiting, slots int) *Phase {
	return t.expecting(now, waiting, slots, nil)
}

// expecting is Phase where expected, if there is one, says the t_new of a task, s. One that is negative or NaN is not
// known. Copies that have not reported are taken to run for that too, or each copy that starts would call for
// the next. As long as nothing has finished, the first that is known stands for a task of common size.
func (t *Tracker) expecting(now policy.Time, waiting, slots int, expected func(task uint32) float64) *Phase {
	p := &t.phase
	p.Running, p.Waiting, p.Slots, p.Left = p.Running[:0], waiting, slots, 0
	mean := t.mean()
	p.New = mean
	for copies := t.copies; len(copies) > 0; {
		task, n := copies[0].task, 1
		for n < len(copies) && copies[n].task == task {
			n++
		}
		fresh := mean
		if expected != nil {
			if x := expected(task); x >= 0 {
				fresh = x
			}
		}
		if math.IsNaN(p.New) {
			p.New = fresh
		}
		p.Running = append(p.Running, sum(now, copies[:n], fresh))
		p.Running[len(p.Running)-1].Restarts = t.restarts[task]
		copies = copies[n:]
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

// sum sums up the copies of one task, at least one.
func sum(now policy.Time, copies []tracked, fresh float64) Running {
	r := Running{Task: copies[0].task, Copies: len(copies), New: fresh, Youngest: math.Inf(1)}
	latest := math.Inf(-1)
	for i := range copies {
		c := &copies[i]
		elapsed := c.elapsed(now)
		remaining := c.remaining(elapsed, fresh)
		r.Elapsed = max(r.Elapsed, elapsed)
		r.Youngest = min(r.Youngest, elapsed)
		if i == 0 || remaining < r.Remaining || math.IsNaN(r.Remaining) && !math.IsNaN(remaining) {
			r.Remaining, r.Progress, r.Rate = remaining, c.done, c.rate
		}
		if math.IsNaN(remaining) {
			remaining = math.Inf(1)
		}
		if remaining >= latest { // of equals the one started last
			latest, r.Last = remaining, c.n
		}
	}
	return r
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
	// slices.BinarySearchFunc would copy what it looks at.
	at := sort.Search(len(t.copies), func(i int) bool {
		c := &t.copies[i]
		return c.task > task || c.task == task && c.n >= n
	})
	return at, at < len(t.copies) && t.copies[at].task == task && t.copies[at].n == n
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

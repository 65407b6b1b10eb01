package hopper

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"example.com/augur/policy"
)

// A Tracker keeps the [Phase] of one stage: it turns progress reports of copies into t_rem, and finished tasks into t_new,
// their mean runtime. The zero Tracker is empty and ready to use.
//
// A copy that has done a share p of its work in a service of s is assumed to do the rest at the same pace, so t_rem is
// s/p less its service so far. A copy that has not reported yet is assumed to run for t_new in all; once it has run
// longer, nothing is known of it. The t_rem of a task is the least known t_rem of its copies. Service is how long a copy
// has run, without the time suspended.
//
// A copy is named by the index of its task in the stage and its number n among the copies of the task, from 0, as the N of
// a [policy.Copy]. Reports of an unknown copy change nothing; but Finish each task only once. Service must be at least 0:
// methods return an error if it is not.
//
// Phase takes O(n) time with n running copies. Other calls take O(log n + log m) with m finished tasks, plus moving up to
// 64 bytes for each running copy and 8 for each finished task. Only growing allocates.
type Tracker struct {
	copies []tracked // by task, then number
	past   []past    // by task: those that are not finished and have had a copy that ended
	sum    float64   // of phase.Finished
	phase  Phase
}

// past is what is known of the copies of a task that have ended.
type past struct {
	task     uint32
	numbers  int // theirs are below
	restarts int
}

type tracked struct {
	task, n uint32
	still   bool        // it is suspended
	at      policy.Time // the last news of its service
	base    float64     // its service then, s
	done    float64     // share of its work that was done when it last reported
	rate    float64     // of its work in a second, by its last report; NaN if that is not known
	total   float64     // for how long it runs in all, s, by its last report; NaN if that is not known
	beside  policy.Time // when it started beside others, Never if it did not
}

// Start reports that a copy runs or is about to. It may be called twice for a copy, when it is ordered and when it runs;
// time then counts from the second call, and the copy is not suspended.
func (t *Tracker) Start(now policy.Time, task, n uint32, service policy.Duration) error {
	if err := checkService(service); err != nil {
		return err
	}
	at, ok := t.find(task, n)
	if !ok {
		t.copies = slices.Insert(t.copies, at, tracked{task: task, n: n, rate: math.NaN(), total: math.NaN(), beside: policy.Never})
	}
	t.copies[at].news(now, service, false)
	return nil
}

// Suspend reports that a copy is suspended from now on. It still counts among the copies of its task, and its t_rem stands
// still. If called twice, the second call counts.
func (t *Tracker) Suspend(now policy.Time, task, n uint32, service policy.Duration) error {
	return t.move(now, task, n, service, true)
}

// Resume reports that a copy runs again from now on.
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

// Report reports that a copy has done a share of its work, 0 to 1, within the given service. Without service the share is
// ignored. A suspended copy may report, and stays suspended.
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

// End reports that a copy has ended without finishing its task, or was never started. [Running.Started] counts it
// until the task finishes; the number of a copy that was never started should be used again.
func (t *Tracker) End(task, n uint32) {
	if at, ok := t.find(task, n); ok {
		t.copies = slices.Delete(t.copies, at, at+1)
		t.remember(task, upTo(n), 0)
	}
}

// Restarted reports that a copy of a task was killed to restart it. [Running.Restarts] counts it until the task
// finishes.
func (t *Tracker) Restarted(task uint32) { t.remember(task, 0, 1) }

// upTo returns how many copies have numbers up to n.
func upTo(n uint32) int { return int(min(n, math.MaxInt32-1)) + 1 }

func (t *Tracker) remember(task uint32, numbers, restarts int) {
	at, ok := t.pastOf(task)
	if !ok {
		t.past = slices.Insert(t.past, at, past{task: task})
	}
	p := &t.past[at]
	p.numbers, p.restarts = max(p.numbers, numbers), p.restarts+restarts
}

// pastOf returns the place of a task in past, or where it would be.
func (t *Tracker) pastOf(task uint32) (at int, ok bool) {
	return slices.BinarySearchFunc(t.past, task, func(p past, task uint32) int { return cmp.Compare(p.task, task) })
}

// Finish reports that a task is finished, with the service of the copy that was first, and forgets its other copies. If
// another copy finishes just after, do not report it: its runtime would count too.
func (t *Tracker) Finish(task uint32, service policy.Duration) error {
	if err := checkService(service); err != nil {
		return err
	}
	from, _ := t.find(task, 0)
	t.copies = slices.Delete(t.copies, from, from+len(t.copiesOf(task)))
	if at, ok := t.pastOf(task); ok {
		t.past = slices.Delete(t.past, at, at+1)
	}

	runtime := service.Seconds()
	at := sort.Search(len(t.phase.Finished), func(i int) bool { return t.phase.Finished[i] > runtime })
	t.phase.Finished = slices.Insert(t.phase.Finished, at, runtime)
	t.sum += runtime
	return nil
}

// Phase returns the phase as of now, given the job's waiting tasks and slots. The host may set Left, and New of tasks
// whose size it knows, and must not change the rest. What it sets changes no t_rem. The phase belongs to the Tracker
// and is valid until the next call.
func (t *Tracker) Phase(now policy.Time, waiting, slots int) *Phase {
	p := t.expecting(now, nil)
	p.Waiting, p.Slots = waiting, slots
	return p
}

// expecting returns the phase with t_new from expected, if that is not nil; negative and NaN mean unknown. A copy that has
// not reported is assumed to run that long too, or each copy that starts would call for the next. As long as no task has
// finished, the first known t_new is that of a task of common size.
func (t *Tracker) expecting(now policy.Time, expected func(task uint32) float64) *Phase {
	p := &t.phase
	p.Running, p.Left, p.New = p.Running[:0], 0, t.mean()
	for copies := t.copies; len(copies) > 0; {
		task, n := copies[0].task, 1
		for n < len(copies) && copies[n].task == task {
			n++
		}
		r := t.running(now, copies[:n], expected)
		if math.IsNaN(p.New) {
			p.New = r.New
		}
		p.Running = append(p.Running, r)
		copies = copies[n:]
	}
	return p
}

// running combines the copies of a task, at least one.
func (t *Tracker) running(now policy.Time, copies []tracked, expected func(task uint32) float64) Running {
	fresh := t.mean()
	if expected != nil {
		if x := expected(copies[0].task); x >= 0 {
			fresh = x
		}
	}
	r := sum(now, copies, fresh)
	r.Started, r.Restarts = t.history(copies)
	return r
}

// history returns how many copies a task has had, and how many of them were restarts, given those that run, at least
// one.
func (t *Tracker) history(copies []tracked) (started, restarts int) {
	last := &copies[len(copies)-1]
	if at, ok := t.pastOf(last.task); ok {
		started, restarts = t.past[at].numbers, t.past[at].restarts
	}
	return max(started, upTo(last.n)), restarts
}

// mean returns the mean runtime of finished tasks, NaN if there is none.
func (t *Tracker) mean() float64 {
	if n := len(t.phase.Finished); n > 0 {
		return t.sum / float64(n)
	}
	return math.NaN()
}

// median returns the lower median of the runtimes of finished tasks and of those that running copies report, and how many
// these are. It sorts the reported ones in a list to use again.
func (t *Tracker) median(reported []float64) (median float64, n int, again []float64) {
	reported = reported[:0]
	for i := range t.copies {
		if total := t.copies[i].total; !math.IsNaN(total) {
			reported = append(reported, total)
		}
	}
	finished := t.phase.Finished
	if n = len(finished) + len(reported); n == 0 {
		return 0, 0, reported
	}
	slices.Sort(reported)
	// Of the k runtimes below the median, i have finished.
	k := (n - 1) / 2
	least := max(0, k-len(reported))
	i := least + sort.Search(min(k, len(finished))-least, func(x int) bool { return reported[k-least-x-1] <= finished[least+x] })
	median = math.Inf(1)
	if i < len(finished) {
		median = finished[i]
	}
	if k-i < len(reported) {
		median = min(median, reported[k-i])
	}
	return median, n, reported
}

// sum combines the copies of one task, at least one.
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
			r.Remaining, r.Rate = remaining, c.rate
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

// elapsed returns the service of a copy, s. An instant before its last report counts as that.
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

// rest returns how much longer a copy would run by its last report, 0 if that is unknown.
func (c *tracked) rest(now policy.Time) float64 {
	if math.IsNaN(c.total) || math.IsInf(c.total, 1) {
		return 0
	}
	return max(0, c.total-c.elapsed(now))
}

// beside notes that a copy starts beside others of its task.
func (t *Tracker) beside(task, n uint32, now policy.Time) {
	if at, ok := t.find(task, n); ok {
		t.copies[at].beside = now
	}
}

// reserve makes room for that many tasks, if they are few, so that less is allocated later.
func (t *Tracker) reserve(tasks int) {
	few := min(tasks, 16)
	t.copies = slices.Grow(t.copies, few)
	t.past = slices.Grow(t.past, few)
	t.phase.Running = slices.Grow(t.phase.Running, few)
	t.phase.Finished = slices.Grow(t.phase.Finished, few)
}

// news sets the service of a copy as of now, and whether it is suspended from now on.
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

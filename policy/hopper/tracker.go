package hopper

import (
	"cmp"
	"fmt"
	"math"
	"slices"

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
// reported yet is taken to run for t_new in all, and if it has run for that long nothing is known
// of it. The t_rem of a task is the least that is known of its copies. t_new is the mean of
// the runtimes of the tasks that are finished.
//
// Time counts from when a copy is started until it ends, but for when it is suspended. While it is,
// it still counts among the copies of its task, and everything that is known of it stands
// still: t_rem is what it has to run once it is resumed. A host that would not resume it soon
// ends it here, and starts it again with the service that it has. Copies are named by the
// index of their task in the stage and their number. News of one that is not there changes nothing, so what
// comes late does no harm.
//
// A call takes O(n + m/512) time at worst, with n copies that run and m tasks that are finished, and
// O(log n + log m) but for moving memory, save Phase. Nothing allocates once as many ran at once, but
// for what finished tasks take: see [Runtimes].
type Tracker struct {
	copies   []tracked // by task, then number
	restarts []restarts
	sum      float64 // of phase.Finished
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

type restarts struct {
	task uint32
	n    int
}

func compareTracked(a, b tracked) int {
	return cmp.Or(cmp.Compare(a.task, b.task), cmp.Compare(a.n, b.n))
}

// Start says at an instant that a copy runs or is about to, with so much service so far, ≥ 0. It may be told of
// twice, when it is ordered and when it runs; the time then counts from the second, and it is not
// suspended. The error says that the service is out of range.
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
// service it says nothing. A suspended copy may report, and stays suspended. The error says that one of
// the two is out of range.
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
	at, ok := t.restarted(task)
	if !ok {
		t.restarts = slices.Insert(t.restarts, at, restarts{task: task})
	}
	t.restarts[at].n++
}

// Finish says that a task is finished, after so much service of the copy that was first,
// ≥ 0. Its other copies are forgotten too. It is told of once for a task. The error says that the service is out of
// range.
func (t *Tracker) Finish(task uint32, service policy.Duration) error {
	if err := checkService(service); err != nil {
		return err
	}
	from, _ := t.find(task, 0)
	to := from
	for to < len(t.copies) && t.copies[to].task == task {
		to++
	}
	t.copies = slices.Delete(t.copies, from, to)
	if at, ok := t.restarted(task); ok {
		t.restarts = slices.Delete(t.restarts, at, at+1)
	}

	runtime := service.Seconds()
	t.phase.Finished.Add(runtime)
	t.sum += runtime
	return nil
}

// Reset forgets everything but the memory.
func (t *Tracker) Reset() {
	t.copies, t.restarts, t.sum = t.copies[:0], t.restarts[:0], 0
	t.phase.Finished.reset()
	t.phase = Phase{Running: t.phase.Running[:0], Finished: t.phase.Finished}
}

// Phase returns the phase as it is now, with so many tasks that wait and slots of the job. The
// host may set Left, and New of tasks whose size it knows. The phase is the Tracker's, and
// valid until its next call. It takes O(n) time with n copies that run.
func (t *Tracker) Phase(now policy.Time, waiting, slots int) *Phase {
	p := &t.phase
	p.Waiting, p.Slots, p.Left = waiting, slots, 0
	p.New = math.NaN()
	if n := p.Finished.Len(); n > 0 {
		p.New = t.sum / float64(n)
	}
	p.Running = p.Running[:0]
	kills := t.restarts
	for copies := t.copies; len(copies) > 0; {
		n := 1
		for n < len(copies) && copies[n].task == copies[0].task {
			n++
		}
		p.Running = append(p.Running, Running{})
		r := &p.Running[len(p.Running)-1]
		r.sum(now, copies[:n], p.New)
		for len(kills) > 0 && kills[0].task < r.Task {
			kills = kills[1:]
		}
		if len(kills) > 0 && kills[0].task == r.Task {
			r.Restarts = kills[0].n
		}
		copies = copies[n:]
	}
	return p
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

// news says what the service of a copy is now, and whether it stands still from now on.
func (c *tracked) news(now policy.Time, service policy.Duration, still bool) {
	c.at, c.base, c.still = now, service.Seconds(), still
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
	case elapsed < fresh:
		return fresh - elapsed
	}
	return math.NaN()
}

func (t *Tracker) find(task, n uint32) (int, bool) {
	return slices.BinarySearchFunc(t.copies, tracked{task: task, n: n}, compareTracked)
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

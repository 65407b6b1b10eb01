package hopper

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/policy"
)

// Phase returns the phase as it is now, with so many tasks that wait and slots of the job. The
// host may set Left, and New of tasks whose size it knows, and must leave the rest; what it sets is
// gone with the next call, and changes no t_rem. The phase is the Tracker's, and valid until then.
//
// It takes O(n) time with n copies that run. That is ten times faster if the instant is that of
// the call before and few tasks have changed since, as when a host starts one copy after another.
func (t *Tracker) Phase(now policy.Time, waiting, slots int) *Phase {
	return t.expecting(now, waiting, slots, nil)
}

// expecting is Phase where expected, if there is one, says the t_new of a task, s. One that is negative or NaN is not
// known. Copies that have not reported are taken to run for that too, or each copy that starts would call for
// the next. As long as nothing has finished, the first that is known stands for a task of common size.
func (t *Tracker) expecting(now policy.Time, waiting, slots int, expected func(task uint32) float64) *Phase {
	p := &t.phase
	p.Waiting, p.Slots, p.Left = waiting, slots, 0
	p.New = math.NaN()
	if n := p.Finished.Len(); n > 0 {
		p.New = t.sum / float64(n)
	}
	t.all = t.all || now != t.at
	for i := 0; i < len(p.Running) && !t.all; i++ {
		r := &p.Running[i]
		fresh := p.fresh(r.Task, expected)
		if expected != nil && cmp.Compare(r.New, fresh) != 0 {
			t.change(r.Task)
		}
		r.New = fresh
	}
	if t.all {
		t.everyTask(now, expected)
	} else {
		for _, task := range t.changed {
			t.oneTask(now, task, expected)
		}
	}
	t.at, t.changed, t.all = now, t.changed[:0], false
	for i := 0; expected != nil && i < len(p.Running) && math.IsNaN(p.New); i++ {
		p.New = p.Running[i].New
	}
	return p
}

// fresh returns the t_new of a task: what is expected of it, or that of a task of common size.
func (p *Phase) fresh(task uint32, expected func(task uint32) float64) float64 {
	if expected != nil {
		if fresh := expected(task); fresh >= 0 {
			return fresh
		}
	}
	return p.New
}

// everyTask sums up all tasks.
func (t *Tracker) everyTask(now policy.Time, expected func(task uint32) float64) {
	p := &t.phase
	p.Running = p.Running[:0]
	kills := t.restarts
	for copies := t.copies; len(copies) > 0; {
		n := 1
		for n < len(copies) && copies[n].task == copies[0].task {
			n++
		}
		p.Running = append(p.Running, Running{})
		r := &p.Running[len(p.Running)-1]
		r.sum(now, copies[:n], p.fresh(copies[0].task, expected))
		for len(kills) > 0 && kills[0].task < r.Task {
			kills = kills[1:]
		}
		if len(kills) > 0 && kills[0].task == r.Task {
			r.Restarts = kills[0].n
		}
		copies = copies[n:]
	}
}

// oneTask sums up one task, or takes it out if it has no copies.
func (t *Tracker) oneTask(now policy.Time, task uint32, expected func(task uint32) float64) {
	p := &t.phase
	at, there := slices.BinarySearchFunc(p.Running, task, func(r Running, task uint32) int { return cmp.Compare(r.Task, task) })
	copies := t.copiesOf(task)
	switch {
	case len(copies) == 0 && there:
		p.Running = slices.Delete(p.Running, at, at+1)
		return
	case len(copies) == 0:
		return
	case !there:
		p.Running = slices.Insert(p.Running, at, Running{})
	}
	p.Running[at].sum(now, copies, p.fresh(task, expected))
	if kills, ok := t.restarted(task); ok {
		p.Running[at].Restarts = t.restarts[kills].n
	}
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

package check

import (
	"example.com/augur/policy"
)

// replayed counts what a replay has named.
type replayed struct{ copies, standing, finished, ready, nodes, jobs int }

// Restart tells the Checker that the policy has lost its memory: Starts that were not answered are forgotten, and a
// replay follows. A Checker that has seen nothing yet, in a new process of the host, learns the state from the
// replay, with or without a call of Restart.
func (c *Checker) Restart() {
	// Who restarts once more before anything was told has still seen nothing.
	c.believes = c.seen == 0 || c.believes && c.named == (replayed{})
	c.note(moment{at: c.instant(), restart: true})
	c.restarted, c.named, c.more = true, replayed{}, false
	clear(c.behind)
	clear(c.due)
	for i := range c.nodes {
		c.nodes[i].killed = policy.Copy{}
	}
	for _, j := range c.jobs.All() {
		for i := range j.stages {
			for k := range j.stages[i].units {
				c.forget(j, policy.Task{Job: j.job.ID, Stage: uint32(i), Index: uint32(k)})
			}
		}
	}
}

// forget drops the Starts of a unit that were not answered, and takes back their numbers, the last one first.
func (c *Checker) forget(j *watchedJob, t policy.Task) {
	st := &j.stages[t.Stage]
	for {
		last, n := int32(-1), uint32(0)
		for at := st.units[t.Index]; at > 0; {
			w := c.attempts.At(at - 1)
			if w.seen = false; (w.state == copyAsked || w.state == copyAskedByPart) && w.n >= n {
				last, n = at-1, w.n
			}
			at = w.next
		}
		if last < 0 {
			return
		}
		u := c.unit(st, t.Index)
		if c.attempts.At(last).state == copyAsked {
			u.live--
			j.live--
		}
		c.strike(st, t.Index, last)
		st.unused(u, policy.Copy{Task: t, N: n})
	}
}

// replays compares a replay with what was known before. anew says that the centre has heard of nothing before.
func (c *Checker) replays(ev *policy.Event, anew bool) error {
	if anew && !c.restarted { // a new process of the host, and a new policy
		c.Restart()
		c.believes = true
	}
	if !c.restarted {
		return c.violation(ruleRestart, "%v in a replay, but the policy was not restarted", ev.Kind)
	}
	if c.believes {
		if err := c.believe(ev); err != nil {
			return err
		}
	}
	switch ev.Kind {
	case policy.Restored:
		for id := range c.nodes {
			if n := &c.nodes[id]; n.cores < 0 {
				return c.violation(ruleNode, "by the replay, %d more cores are used on node %d than it has", -n.cores, id)
			}
		}
		c.restarted, c.believes = false, false
		return c.complete()
	case policy.Joined:
		c.named.nodes++
		if n := c.node(ev.Node); n == nil || !n.up {
			return c.violation(ruleRestart, "node %d is in the replay, but was not there", ev.Node)
		}
		return c.described(ev)
	}
	j := c.jobs.Get(ev.Copy.Job)
	st := j.stage(ev.Copy.Task)
	if st == nil {
		return c.violation(ruleRestart, "%v of %v is in the replay, but it was not there", ev.Kind, ev.Copy)
	}
	_, done, first := c.state(st, ev.Copy.Index)
	at := c.find(first, ev.Copy.N)
	ok := true
	switch {
	case ev.Kind == policy.Submitted:
		c.named.jobs++
		ok = ev.Job != nil && ev.Job.ID == ev.Copy.Job
	case ev.Kind == policy.Ready:
		c.named.ready++
		ok = st.ready
	case ev.Kind == policy.Started:
		c.named.copies++
		if ok = at >= 0; ok {
			w := c.attempts.At(at)
			ok = !w.seen && ev.Service >= w.service && c.there(w, at, ev)
			w.seen = true
		}
	case ev.Kind == policy.Suspended:
		c.named.standing++
		ok = at >= 0 && c.attempts.At(at).seen && c.attempts.At(at).state == copyStands
	case ev.Kind == policy.Finished:
		c.named.finished++
		ok = done
	case ev.Kind == policy.Refused || ev.Kind.End():
		ok = !done && ev.Saved == st.saved[ev.Copy.Index].work && (c.believes || ev.Again == (first <= 0 || c.attempts.At(first-1).live == 0)) // copies come after it
	}
	if !ok {
		return c.violation(ruleRestart, "%v of %v is in the replay, which is not its state", ev.Kind, ev.Copy)
	}
	return nil
}

// believe takes the state from a replayed event, before the event is compared with it. It ignores what is impossible,
// which the comparison then finds.
func (c *Checker) believe(ev *policy.Event) error {
	switch ev.Kind {
	case policy.Joined:
		return c.nodeEvent(ev)
	case policy.Submitted:
		return c.submitted(ev)
	}
	j := c.jobs.Get(ev.Copy.Job)
	st := j.stage(ev.Copy.Task)
	if st == nil {
		return nil
	}
	if ev.Kind == policy.Ready {
		if st.ready {
			return c.violation(ruleRestart, "stage %d of job %d is ready twice in the replay", ev.Copy.Stage, ev.Copy.Job)
		}
		st.ready = true
		c.ready++
		return nil
	}
	_, done, first := c.state(st, ev.Copy.Index)
	if done || ev.Copy.N >= policy.MaxCopies {
		return nil
	}
	u, at := c.unit(st, ev.Copy.Index), c.find(first, ev.Copy.N)
	switch {
	case ev.Kind == policy.Started && at < 0:
		w := c.enroll(st, u, ev.Copy.Index)
		w.n, w.partition, w.state = ev.Copy.N, ev.Partition, copyAsked
		u.live++
		j.live++
		u.used = max(u.used, ev.Copy.N+1)
		if j.job.Stages[ev.Copy.Stage].Saves {
			st.keep(ev.Copy.Index, saved{st.saved[ev.Copy.Index].work, true})
		}
		return c.copyStarted(j, st, c.find(st.units[ev.Copy.Index], ev.Copy.N), ev)
	case ev.Kind == policy.Suspended && at >= 0 && c.attempts.At(at).state == copyRuns:
		c.attempts.At(at).state = copyStands
		c.standing++
		return c.hold(at, &j.job.Stages[ev.Copy.Stage], -1, 0, 0, ev)
	case ev.Kind == policy.Finished:
		u.done, u.used = true, max(u.used, ev.Copy.N+1)
		st.left--
		c.finished++
		c.tidy(st, ev.Copy.Index)
	case ev.Kind == policy.Refused || ev.Kind.End():
		u.used = max(u.used, ev.Copy.N+1)
		if j.job.Stages[ev.Copy.Stage].Saves && ev.Saved > 0 {
			st.keep(ev.Copy.Index, saved{work: ev.Saved})
		}
	}
	return nil
}

// complete checks that a replay has named everything.
func (c *Checker) complete() error {
	for _, x := range []struct {
		what        string
		named, real int
	}{
		{"nodes", c.named.nodes, c.up},
		{"jobs", c.named.jobs, c.jobs.Len()},
		{"Ready stages", c.named.ready, c.ready},
		{"copies that run or are suspended", c.named.copies, c.live},
		{"suspended copies", c.named.standing, c.standing},
		{"finished tasks", c.named.finished, c.finished},
	} {
		if x.named != x.real {
			return c.violation(ruleRestart, "the replay has named %d %s, but there are %d", x.named, x.what, x.real)
		}
	}
	return nil
}

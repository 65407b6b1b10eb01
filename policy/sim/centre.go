package sim

import (
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/check"
)

// centre is the host's side of the centre: what it knows of the jobs, and tells the policy.
type centre struct {
	clock    *clock
	nodes    *nodes
	books    *books
	parts    *parts
	orders   *orders
	machines *machines
	checker  *check.Checker

	truth       policy.Truth
	faults      *Faults
	maxFailures int
	waiters     map[policy.JobID][]*job
	record      func(*JobRecord) // of a job that is over
	submitted   int              // jobs
}

func (c *centre) submit(spec *policy.Job) {
	if c.books.jobs.Get(spec.ID) != nil || c.books.outcomes.Of(spec.ID) != 0 {
		c.clock.fail(fmt.Errorf("sim: job %d is submitted twice", spec.ID))
		return
	}
	j := &job{spec: spec, id: spec.ID, left: len(spec.Stages), stages: make([]stage, len(spec.Stages))}
	for i := range spec.Stages {
		j.stages[i] = stage{spec: &spec.Stages[i], units: make([]int32, spec.Stages[i].Units())}
	}
	for i := range spec.Stages {
		st := &j.stages[i]
		for _, d := range spec.Stages[i].Reads {
			j.stages[d.Stage].readers = append(j.stages[d.Stage].readers, policy.Dep{Stage: uint32(i), Pipe: d.Pipe})
			if d.Pipe {
				st.pipes++
				st.flowing++
			} else {
				st.barriers++
			}
		}
	}
	if err := c.describe(j); err != nil {
		c.clock.fail(err)
		return
	}
	c.books.jobs.Put(spec.ID, j)
	c.submitted++
	c.clock.changed()
	c.parts.tell(0, &policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: spec.ID}}, Job: spec})
	switch {
	case !Holds(c.nodes.list, spec):
		c.endJob(j, policy.TooLarge)
	case !c.await(j):
		c.endJob(j, policy.NoInput)
	case j.inputs == 0:
		c.beginJob(j)
	}
}

// await checks the jobs that j reads. It returns false if one of them will never have an output, or has none yet and
// j does not wait.
func (c *centre) await(j *job) bool {
	in := j.spec.Inputs
	if in == nil {
		return true
	}
	for _, id := range in.Jobs {
		switch o := c.books.outcomes.Of(id); {
		case o == policy.Done:
		case o != 0 || !in.Wait:
			return false
		default:
			j.inputs++
			c.waiters[id] = append(c.waiters[id], j)
		}
	}
	return true
}

// beginJob makes the stages ready that read no other.
func (c *centre) beginJob(j *job) {
	for i := range j.stages {
		c.makeReady(j, uint32(i))
	}
}

// makeReady reports a stage as ready to the policy, if it has just become so.
func (c *centre) makeReady(j *job, i uint32) {
	st := &j.stages[i]
	if st.ready || st.barriers > 0 || st.pipes > 0 || j.inputs > 0 || j.outcome != 0 {
		return
	}
	st.ready, st.readyAt = true, c.clock.now
	c.parts.tell(0, &policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: j.spec.ID, Stage: i}}})
}

// hear handles a report from a node at the centre. It updates the job, and passes the report on to the policy.
func (c *centre) hear(r report) {
	ev := &r.event
	if ev.Kind == policy.Joined || ev.Kind == policy.Left {
		c.parts.tell(0, ev)
		return
	}
	j := c.books.jobs.Get(ev.Copy.Job)
	if j == nil || j.told {
		// The job had ended when a part started this copy; the centre's policy does not
		// hear of it.
		if ev.Kind == policy.Started {
			c.orders.kill(ev.Copy, false)
		}
		return
	}
	st := &j.stages[ev.Copy.Stage]
	u := c.books.unit(j, ev.Copy)
	switch {
	case ev.Kind == policy.Started:
		c.heardStart(j, st, u, &r)
	case ev.Kind == policy.Refused:
		if !r.local {
			u.live--
			j.live--
		}
		c.parts.tell(0, ev).local = r.local
		c.uncover(j, st, u)
		c.books.tidy(u)
	case ev.Kind.End():
		c.heardEnd(j, st, u, &r)
	default:
		if ev.Kind == policy.Suspended && !ev.Idle {
			j.preemptions++
		}
		c.parts.tell(0, ev)
	}
	c.settle(j)
}

func (c *centre) heardStart(j *job, st *stage, u *attempt, r *report) {
	if r.local {
		u.live++
		j.live++
		u.used = max(u.used, r.event.Copy.N+1)
	}
	if !u.is(tried) {
		u.set(tried, true)
		tasks := st.spec.UnitTasks()
		j.tried += int(tasks)
		j.waits += r.at.Sub(st.readyAt).Seconds() * float64(tasks)
		if j.copies == 0 {
			j.firstStart = r.at
		}
	}
	j.copies++
	c.parts.tell(0, &r.event).local = r.local
	if u.done() || j.outcome != 0 {
		c.orders.kill(r.event.Copy, false)
		return
	}
	if !u.is(covered) {
		u.set(covered, true)
		if st.covered++; st.covered == uint32(len(st.units)) {
			for _, d := range st.readers {
				if d.Pipe {
					j.stages[d.Stage].pipes--
					c.makeReady(j, d.Stage)
				}
			}
		}
	}
}

func (c *centre) heardEnd(j *job, st *stage, u *attempt, r *report) {
	ev := &r.event
	u.live--
	j.live--
	if ev.Kind == policy.Finished && (u.done() || j.outcome != 0) {
		ev.Kind, ev.Saved = policy.Killed, j.saved[ev.Copy.Task].work // it lost the race while the order to kill it was under way
	}
	if u.done() {
		ev.Saved = 0
	}
	own, width := ev.Service-r.carried.service, float64(st.spec.Width())
	j.service += own.Seconds() * width
	j.reloaded += r.carried.reloaded.Seconds() * width
	if r.stopped {
		j.stops++
	}
	fails := false
	switch ev.Kind {
	case policy.Finished:
		j.services += (own + r.carried.took).Seconds() * width
	case policy.Failed:
		if !u.done() {
			u.failures++
			fails = int(u.failures) >= c.maxFailures
		}
	}
	if !u.done() {
		u.last = ev.Kind
	}
	c.parts.tell(0, ev)
	switch {
	case ev.Kind == policy.Finished:
		c.unitDone(j, st, ev.Copy.Index, r.at)
		delete(j.saved, ev.Copy.Task)
	case fails:
		c.endJob(j, policy.TaskFailed)
	case r.limit && !u.done() && u.live == 0:
		c.endJob(j, policy.TimedOut)
	default:
		if u.used >= maxTries && !u.done() && j.outcome == 0 {
			c.clock.fail(c.hopeless(r, u.used))
		}
		c.uncover(j, st, u)
	}
}

// maxTries is a number of copies of a task that proves that it will never finish.
const maxTries = 1 << 18

// hopeless returns the error about a task that has had maxTries copies, of which the last one has just ended. It says
// who is to blame: what ended that copy.
func (c *centre) hopeless(r *report, copies uint32) error {
	id, ended := r.event.Copy, r.event.Kind
	if _, fault := c.faults.breaks(id); ended == policy.Killed && !r.limit && fault == 0 {
		return c.checker.Breach("Legal start", "task %v has had %d copies: the policy starts and kills them without end", id.Task, copies)
	}
	runtime, _ := c.truth.Runtime(id)
	return fmt.Errorf("sim: at %v s, task %v has had %d copies and has not finished, and no policy can finish it: the last copy ended as %v after %v, and a copy runs for %v; the job is too long for the Faults, or too much fails", c.clock.now.Seconds(), id.Task, copies, ended, r.event.Service, runtime)
}

// unitDone handles what follows from a finished task.
func (c *centre) unitDone(j *job, st *stage, index uint32, at policy.Time) {
	c.killCopies(st, index, false)
	if st.finished++; st.finished < uint32(len(st.units)) {
		return
	}
	for _, d := range st.readers {
		reader := &j.stages[d.Stage]
		if d.Pipe {
			if reader.flowing--; reader.flowing == 0 {
				c.machines.drain(reader)
			}
		} else {
			reader.barriers--
			c.makeReady(j, d.Stage)
		}
	}
	if j.left--; j.left == 0 && j.outcome == 0 {
		j.outcome = policy.Done
		j.ended = at
	}
}

// uncover checks whether an unfinished task has no copy left: tasks that read its stage through a pipe have then lost
// their input (see Pipelines in package policy).
func (c *centre) uncover(j *job, st *stage, u *attempt) {
	if !u.is(covered) || u.done() || u.live > 0 || j.outcome != 0 {
		return
	}
	u.set(covered, false)
	whole := st.covered == uint32(len(st.units))
	st.covered--
	if !whole {
		return // they have lost it before
	}
	for _, d := range st.readers {
		if !d.Pipe {
			continue
		}
		reader := &j.stages[d.Stage]
		reader.pipes++
		for i := range reader.units {
			c.killCopies(reader, uint32(i), true)
		}
	}
}

// killCopies ends the copies of a unit, as Killed or as Lost.
func (c *centre) killCopies(st *stage, index uint32, lost bool) {
	for at := st.units[index]; at > 0; {
		a := c.books.attempts.At(at - 1)
		at = a.next
		if a.state != away {
			c.orders.kill(a.id(), lost)
		}
	}
}

// endJob sets the outcome of a job; it is over when the last of its copies has ended.
func (c *centre) endJob(j *job, o policy.Outcome) {
	if j.outcome != 0 {
		return
	}
	j.outcome = o
	j.ended = c.clock.now
	for i := range j.stages {
		for k := range j.stages[i].units {
			c.killCopies(&j.stages[i], uint32(k), false)
		}
	}
	c.settle(j)
}

// settle reports to the policy that a job is over, once no copy of it is left.
func (c *centre) settle(j *job) {
	if j.outcome == 0 || j.live > 0 || j.told {
		return
	}
	j.told = true
	c.clock.changed()
	id := j.spec.ID
	c.books.outcomes.Set(id, j.outcome)
	c.parts.tell(0, &policy.Event{Kind: policy.Ended, Copy: policy.Copy{Task: policy.Task{Job: id}}, Outcome: j.outcome})
	c.conclude(j)

	waiters := c.waiters[id]
	delete(c.waiters, id)
	for _, w := range waiters {
		if w.outcome != 0 {
			continue
		}
		if j.outcome != policy.Done {
			c.endJob(w, policy.NoInput)
		} else if w.inputs--; w.inputs == 0 {
			c.beginJob(w)
		}
	}
}

// open updates a delivery before it is made. It returns false if it must not be made now.
func (c *centre) open(e *delivery) bool {
	ev := &e.event
	if e.part != 0 || ev.Replay {
		return true
	}
	switch {
	case ev.Kind == policy.Started, ev.Kind == policy.Refused, ev.Kind.End():
		c.askAgain(e)
	case ev.Kind == policy.Ended:
		return c.forget(e)
	}
	return true
}

// askAgain decides, when an event about a copy is delivered, whether the task needs another Start (Again, rule Copy).
// That depends on what the policy has heard and asked for until then.
func (c *centre) askAgain(e *delivery) {
	started := e.event.Kind == policy.Started
	if started && !e.local {
		return
	}
	j := c.books.jobs.Get(e.event.Copy.Job)
	u := c.books.unit(j, e.event.Copy)
	if started {
		u.open++
		return
	}
	if !(e.local && e.event.Kind == policy.Refused) {
		u.open--
	}
	e.event.Again = !u.done() && j.outcome == 0 && u.open == 0
	c.books.tidy(u)
}

// forget drops a job whose Ended is about to be delivered. If the policy has acted on the job since Ended was put
// into the inbox, forget puts Ended back behind the answers and returns false.
func (c *centre) forget(e *delivery) bool {
	j := c.books.jobs.Get(e.event.Copy.Job)
	if j.crossed {
		j.crossed = false
		c.parts.tell(0, &e.event)
		return false
	}
	j.over = true
	c.books.drop(j)
	return true
}

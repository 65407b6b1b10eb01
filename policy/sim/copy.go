package sim

import (
	"example.com/augur/policy"
	"example.com/augur/queue"
)

// running is a copy on a node, or a gang on several. It fills one cache line.
type running struct {
	job   *job // nil if the place is free
	stage uint32
	index uint32
	n     uint32
	node  policy.NodeID // 0 for a gang: see cluster.gangs
	next  int32         // the next copy of the same task, or the next free place, plus one
	state state
	fails bool // it will break when its time is over
	local bool // started by the part on the node
	idle  bool // the last thing said of it is Suspended

	since   policy.Time     // it has been running since then (if it is)
	service policy.Duration // before since
	left    policy.Duration // to run, from since on
	event   queue.Handle    // its next timed event
}

func (c *running) id() policy.Copy {
	return policy.Copy{Task: policy.Task{Job: c.job.spec.ID, Stage: c.stage, Index: c.index}, N: c.n}
}

func (c *running) spec() *policy.Stage { return c.job.stages[c.stage].spec }

// state is what a copy is doing.
type state uint8

const (
	runs       state = iota
	drains           // has done its own work and waits for the end of what it reads
	suspending       // still holds its cores
	turning          // the same, and will be resumed
	suspended
	resuming // holds its cores again
)

// find returns the place of a copy, plus one; 0 if it is on no node.
func (s *cluster) find(id policy.Copy) int32 {
	j := s.jobs.Get(id.Job)
	if j == nil {
		return 0
	}
	at := j.stages[id.Stage].units[id.Index].head
	for at != 0 && s.copies[at-1].n != id.N {
		at = s.copies[at-1].next
	}
	return at
}

// carryOut does on a node what an order says.
func (s *cluster) carryOut(o *order) {
	a := &o.action
	if a.Kind == policy.Start {
		s.start(o)
		return
	}
	if a.Kind == policy.Report && a.At > s.now {
		s.ask(o) // also of a copy that still waits for its cores
		return
	}
	at := s.find(a.Copy)
	if at == 0 {
		s.withdraw(o)
		return // it has ended
	}
	at--
	c := &s.copies[at]
	if o.from != 0 && !s.on(at, o.from) {
		s.fail(s.checker.violation("P5", "the part on node %d wants to %v %v, which is not there", o.from, a.Kind, a.Copy))
		return
	}
	switch a.Kind {
	case policy.Kill:
		kind := policy.Killed
		if o.lost {
			kind = policy.Lost
		}
		s.endCopy(at, kind)
	case policy.Suspend:
		s.suspend(at)
	case policy.Resume:
		switch c.state {
		case suspended:
			s.resume(at, o)
		case suspending:
			c.state = turning
		}
	case policy.Report:
		s.report(o, at)
	}
}

// tells makes the event of something that has happened to a copy.
func (s *cluster) tells(at int32, kind policy.EventKind, service policy.Duration) policy.Event {
	c := &s.copies[at]
	return policy.Event{Kind: kind, Copy: c.id(), Node: c.node, Gang: s.gang(at), Service: service}
}

// gang returns where a gang is, nil for a task.
func (s *cluster) gang(at int32) []policy.Share {
	if s.copies[at].node != 0 {
		return nil
	}
	return s.gangs[at]
}

// served returns the service of c until now.
func (s *cluster) served(c *running) policy.Duration {
	if c.state == runs || c.state == drains {
		return c.service + s.now.Sub(c.since)
	}
	return c.service
}

// halt adds up the service of a copy that runs until now.
func (s *cluster) halt(c *running) {
	if c.state == runs || c.state == drains {
		ran := s.now.Sub(c.since)
		c.service += ran
		c.left = max(0, c.left-ran)
		c.since = s.now
	}
	s.cancel(c.event)
}

// copyDue is the instant at which a copy has run for its time.
func (s *cluster) copyDue(at int32) {
	c := &s.copies[at]
	switch {
	case c.fails:
		s.endCopy(at, policy.Failed)
	case c.job.stages[c.stage].flowing > 0:
		c.state = drains
	default:
		s.endCopy(at, policy.Finished)
	}
}

// drain finishes the copies of a stage that waited for the last of their input.
func (s *cluster) drain(st *stage) {
	var places []int32
	for i := range st.units {
		for at := st.units[i].head; at != 0; at = s.copies[at-1].next {
			places = append(places, at-1)
		}
	}
	for _, at := range places {
		// The end of one may have ended another, which has lost the race.
		if c := &s.copies[at]; c.job != nil && c.state == drains {
			s.endCopy(at, policy.Finished)
		}
	}
}

// endCopy takes a copy off its node.
func (s *cluster) endCopy(at int32, kind policy.EventKind) {
	c := &s.copies[at]
	s.halt(c)
	if c.state == suspending || c.state == turning {
		s.freeing(at, -1)
	}
	s.hold(at, -1, c.state != suspended, true)
	s.leave(at)
	u := &c.job.stages[c.stage].units[c.index]
	for p := &u.head; ; p = &s.copies[*p-1].next {
		if *p == at+1 {
			*p = c.next
			break
		}
	}
	ev := s.tells(at, kind, c.service)
	ev.Idle = c.idle
	r := report{event: ev, local: c.local}
	if c.node == 0 {
		delete(s.gangs, at)
	}
	c.job.onNodes--
	s.drop(c.job)
	*c = running{next: s.free}
	s.free = at + 1
	s.changed()
	s.inform(r)
	s.grant(ev.Node, ev.Gang)
}

// ask is a Report that is due later.
type ask struct {
	order order
	life  int // the policy's, as cluster.lives
}

// ask keeps a Report until it is due.
func (s *cluster) ask(o *order) {
	i := len(s.asks)
	if n := len(s.freeAsks); n > 0 {
		i, s.freeAsks = int(s.freeAsks[n-1]), s.freeAsks[:n-1]
	} else {
		s.asks = append(s.asks, ask{})
	}
	s.asks[i] = ask{*o, s.lives}
	s.at(o.action.At, askDue, uint32(i))
}

// report answers a Report that is due.
func (s *cluster) report(o *order, at int32) {
	c := &s.copies[at]
	served := s.served(c)
	ev := s.tells(at, policy.Progress, served)
	whole := served + c.left - (served - c.service)
	if c.fails { // it has not so much left as it would need
		var err error
		if whole, err = s.runtime(ev.Copy, c.job, c.node, s.gang(at)); err != nil {
			s.fail(err)
		}
	}
	ev.Value = 1
	if served < whole {
		ev.Value = float64(served) / float64(whole)
	}
	if o.from != 0 {
		s.tell(o.from, ev)
		return
	}
	s.bring(report{event: ev})
}

func (s *cluster) askDue(i uint32) {
	a := s.asks[i]
	s.freeAsks = append(s.freeAsks, i)
	if a.life == s.lives {
		s.carryOut(&a.order)
	}
}

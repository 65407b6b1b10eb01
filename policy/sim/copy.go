package sim

import (
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// carryOut carries out an order on a node.
func (s *cluster) carryOut(o *order) {
	a := &o.action
	if a.Kind == policy.Start {
		s.start(o)
		return
	}
	if a.Kind == policy.GiveUp {
		if j := s.jobs.Get(a.Copy.Job); j != nil {
			s.endJob(j, policy.GivenUp)
		}
		return
	}
	if a.Kind == policy.Report && a.At > s.now {
		if a.At < policy.Never {
			s.ask(o) // also of a copy that still waits for its cores
		}
		return
	}
	at := s.find(a.Copy)
	if at == 0 {
		s.withdraw(o)
		return // it has ended
	}
	at--
	c := s.attempts.At(at)
	if o.from != 0 && !s.on(at, o.from) {
		if o.late {
			return // it has gone elsewhere meanwhile
		}
		s.fail(s.checker.Breach("Parts", "the part on node %d wants to %v %v, which is not there", o.from, a.Kind, a.Copy))
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

// tells makes the report of something that has happened to a copy.
func (s *cluster) tells(at int32, kind policy.EventKind, service policy.Duration) report {
	a := s.attempts.At(at)
	var devices policy.Devices
	if len(s.devices) > 0 {
		devices = s.devices[at]
	}
	return report{
		event: policy.Event{Kind: kind, Copy: a.id(), Node: a.node, Gang: s.gang(at), Devices: devices, Service: service},
		local: a.is(local),
	}
}

// gang returns where a gang is, nil for a task.
func (s *cluster) gang(at int32) []policy.Share {
	if s.attempts.At(at).node != 0 {
		return nil
	}
	return s.gangs[at]
}

// served returns the service of a copy so far.
func (s *cluster) served(a *attempt) policy.Duration {
	if a.state == runs || a.state == drains {
		return policy.Duration(int64(s.now) - a.begun)
	}
	return policy.Duration(a.begun)
}

// total returns how long a copy runs in all if nothing ends it: until it finishes or, if it will fail, until it
// fails.
func (s *cluster) total(at int32) policy.Duration {
	a := s.attempts.At(at)
	whole, err := s.runtime(a.id(), a.job, a.node, s.gang(at))
	if err != nil {
		s.fail(err)
	}
	return s.cutShort(a, whole)
}

// cutShort returns after how much of its runtime a copy ends.
func (s *cluster) cutShort(a *attempt, whole policy.Duration) policy.Duration {
	if !a.is(fails) {
		return whole
	}
	part, _ := s.config.Faults.breaks(a.id())
	return saturate.To[policy.Duration](part * float64(whole))
}

// goOn lets a suspended copy run from now on, for that long.
func (s *cluster) goOn(at int32, left policy.Duration) {
	a := s.attempts.At(at)
	if limit, ok := s.limit(a); ok {
		left = min(left, max(0, limit-policy.Duration(a.begun)))
	}
	a.begun, a.state = int64(s.now)-a.begun, runs
	a.event = s.after(left, copyDue, uint32(at))
}

// limit returns the service after which a copy is killed, and false if it has no limit.
func (s *cluster) limit(a *attempt) (policy.Duration, bool) {
	requested := a.job.spec.Requested
	return requested - a.past, requested > 0 && s.config.EndAtRequested
}

// joinRace lets a copy that starts share the limit of the copies beside it, which counts from the first of them.
func (s *cluster) joinRace(a *attempt) {
	for at := a.of().units[a.index]; at > 0; {
		x := s.attempts.At(at - 1)
		if at = x.next; x.state != away {
			a.past = max(a.past, x.past+s.served(x))
		}
	}
}

// exceeds reports whether a copy has reached its limit without finishing.
func (s *cluster) exceeds(at int32) bool {
	a := s.attempts.At(at)
	limit, ok := s.limit(a)
	return ok && s.served(a) >= limit && (a.of().flowing > 0 || s.total(at) > limit)
}

// halt stops the clock of a copy from now on; the caller sets its next state.
func (s *cluster) halt(a *attempt) {
	a.begun = int64(s.served(a))
	s.cancelEvent(&a.event)
}

// copyDue handles the instant at which a copy has run for its time.
func (s *cluster) copyDue(at int32) {
	a := s.attempts.At(at)
	switch {
	case s.exceeds(at):
		a.set(overran, true)
		s.endCopy(at, policy.Killed)
	case a.is(fails):
		s.result.Faults.Failures++
		_, kind := s.config.Faults.breaks(a.id())
		s.endCopy(at, kind)
	case a.of().flowing > 0:
		a.state = drains
		if limit, ok := s.limit(a); ok {
			a.event = s.after(limit-s.served(a), copyDue, uint32(at))
		}
	default:
		s.endCopy(at, policy.Finished)
	}
}

// drain finishes the copies of a stage that waited for the last of their input.
func (s *cluster) drain(st *stage) {
	var places []int32
	for i := range st.units {
		places = append(places, s.copies(st, uint32(i))...)
	}
	for _, at := range places {
		// The end of one may have ended another, which has lost the race.
		if s.attempts.At(at).state == drains {
			s.endCopy(at, policy.Finished)
		}
	}
}

// endCopy takes a copy off its node.
func (s *cluster) endCopy(at int32, kind policy.EventKind) {
	a := s.attempts.At(at)
	if a.state == suspending || a.state == turning {
		s.freeing(at, -1)
	}
	s.hold(at, -1, a.state != suspended, true)
	s.leave(at)
	r := s.tells(at, kind, s.served(a))
	r.event.Idle = a.is(idle)
	r.limit = a.is(overran)
	if a.node == 0 {
		delete(s.gangs, at)
	}
	delete(s.devices, at)
	s.cancelEvent(&a.event)
	j := a.job
	if kind == policy.Finished {
		s.unit(j, r.event.Copy).set(written, true)
	}
	s.strike(at)
	j.onNodes--
	s.drop(j)
	s.changed()
	s.inform(&r)
	s.grant(r.event.Node, r.event.Gang)
}

// ask is a Report that is due later.
type ask struct {
	order order
	life  int // the policy's, as cluster.lives
}

// ask keeps a Report until it is due.
func (s *cluster) ask(o *order) {
	i := s.asks.Take()
	*s.asks.At(i) = ask{*o, s.lives}
	s.at(o.action.At, askDue, uint32(i))
}

// report answers a Report that is due.
func (s *cluster) report(o *order, at int32) {
	a := s.attempts.At(at)
	served := s.served(a)
	r := s.tells(at, policy.Progress, served)
	ev := &r.event
	whole, err := s.runtime(ev.Copy, a.job, a.node, s.gang(at)) // though it may break before
	if err != nil {
		s.fail(err)
	}
	ev.Value = 1
	if served < whole {
		ev.Value = float64(served) / float64(whole)
	}
	if o.from != 0 {
		s.tell(o.from, ev)
		return
	}
	r.local = false
	s.bring(&r)
}

func (s *cluster) askDue(i uint32) {
	a := *s.asks.At(int32(i))
	s.asks.Drop(int32(i))
	if a.life == s.lives {
		s.carryOut(&a.order)
	}
}

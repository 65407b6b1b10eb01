package sim

import (
	"example.com/augur/policy"
)

// suspend takes a copy off its cores.
func (s *cluster) suspend(at int32) {
	c := s.attempts.At(at)
	switch c.state {
	case suspending:
		return
	case turning:
		c.state = suspending
		return
	case suspended:
		if s.unwant(c.node, policy.Resume, c.id()) != nil {
			s.tellSuspended(at) // the answer to the Resume that waited
		}
		return
	}
	s.halt(c)
	c.state = suspending
	s.idle = 0
	if s.config.SuspendCost == 0 {
		s.copyOff(at)
		return
	}
	s.freeing(at, 1)
	c.event = s.after(s.config.SuspendCost, copyFreed, uint32(at))
}

// freeing records that a copy is about to leave its cores, or no longer is.
func (s *cluster) freeing(at int32, sign int32) {
	cores := sign * s.attempts.At(at).of().spec.Cores
	for n, tasks := range s.where(at) {
		n.freeing += cores * tasks
	}
}

func (s *cluster) copyFreed(at int32) {
	s.freeing(at, -1)
	s.copyOff(at)
}

// copyOff handles the instant at which a suspended copy has left its cores.
func (s *cluster) copyOff(at int32) {
	c := s.attempts.At(at)
	turns := c.state == turning
	c.state = suspended
	s.hold(at, -1, true, false)
	s.idle = 0
	id, gang, copy := c.node, s.gang(at), c.id()
	s.tellSuspended(at)
	s.grant(id, gang)
	if turns {
		s.carryOut(&order{action: policy.Action{Kind: policy.Resume, Copy: copy}})
	}
}

func (s *cluster) tellSuspended(at int32) {
	c := s.attempts.At(at)
	r := s.tells(at, policy.Suspended, s.served(c))
	r.event.Idle = c.is(idle)
	c.set(idle, true)
	s.inform(&r)
}

// resume gives a suspended copy its cores back, if they are free.
func (s *cluster) resume(at int32, o *order) {
	c := s.attempts.At(at)
	cores, fits := c.of().spec.Cores, true
	var last *node
	want := int64(0)
	for n, tasks := range s.where(at) {
		if n != last {
			last, want = n, 0
		}
		want += int64(cores) * int64(tasks)
		fits = fits && int64(n.cores) >= want
	}
	if c.node != 0 {
		n := &s.nodes[c.node]
		fits = fits && len(n.wants) == 0
		if !fits && n.freeing > 0 && n.cores+n.freeing >= cores {
			n.wants = append(n.wants, *o)
			return
		}
	}
	if !fits {
		s.tellSuspended(at)
		return
	}
	s.resumeNow(at)
}

func (s *cluster) resumeNow(at int32) {
	c := s.attempts.At(at)
	s.hold(at, 1, true, false)
	c.state = resuming
	s.idle = 0
	if s.config.ResumeCost == 0 {
		s.copyBack(at)
		return
	}
	c.event = s.after(s.config.ResumeCost, copyBack, uint32(at))
	r := s.tells(at, policy.Resumed, s.served(c)) // also if nobody watches, so that watching changes nothing
	r.holds = true
	s.bring(&r)
}

// copyBack handles the instant at which a resumed copy goes on.
func (s *cluster) copyBack(at int32) {
	s.attempts.At(at).set(idle, false)
	s.goOn(at, max(0, s.total(at)-policy.Duration(s.attempts.At(at).begun)))
	s.idle = 0
	r := s.tells(at, policy.Resumed, s.served(s.attempts.At(at)))
	s.inform(&r)
}

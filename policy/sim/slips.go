package sim

import (
	"cmp"
	"slices"

	"example.com/augur/internal/slab"
	"example.com/augur/policy"
)

// slips are the actions that the host carries out late, in the order that rule Order requires: an action waits for
// earlier ones that concern the same copy or name the same node.
type slips struct {
	list  slab.Slab[slip]
	made  uint64 // so far
	sent  uint64 // messages that could be late
	lanes map[lane]queued
}

// A slip is a late order or message.
type slip struct {
	order   order
	message message // if mail
	mail    bool
	void    bool   // it has been dealt with
	made    uint64 // its number, 0 if there is none at this place
	lanes   []lane // in which others wait for it
}

// A lane is a queue whose order is kept: the orders about one copy, the orders of the centre or of the part on one
// node, or the messages from one part to another.
type lane struct {
	copy     policy.Copy
	from, to policy.NodeID
	mail     bool
}

// queued is the last thing that waits in a lane.
type queued struct {
	till policy.Time
	made uint64
}

// A request is what is asked of a copy.
type request struct {
	copy policy.Copy
	kind policy.ActionKind
}

// slip draws by how much an action is late, 0 if it is not. The caller counts it.
func (s *cluster) slip(kind policy.ActionKind, key ...uint64) policy.Duration {
	f := &s.config.Faults
	key = append(key, uint64(kind))
	if f.luck(luckSlip, key...) >= f.ActionLate {
		return 0
	}
	return max(1, exponential(f.MeanSlip, f.luck(luckSlipFor, key...)))
}

// times counts how often something was asked of a copy, so that each time has its own luck: the number of a Start
// that was Refused may be used again.
func (s *cluster) times(r request) uint64 {
	of := s.asked[r.copy.Job]
	if of == nil {
		if s.jobs.Get(r.copy.Job) == nil {
			return 0 // nothing will come of it
		}
		if s.asked == nil {
			s.asked = make(map[policy.JobID]map[request]uint32)
		}
		of = make(map[request]uint32)
		s.asked[r.copy.Job] = of
	}
	of[r]++
	return uint64(of[r])
}

// obey carries out an order: now or, if the host slips, later.
func (s *cluster) obey(o *order) {
	if s.config.Faults.ActionLate == 0 {
		s.carryOut(o)
		return
	}
	c := o.action.Copy
	if o.action.Kind == policy.GiveUp {
		c = policy.Copy{Task: policy.Task{Job: c.Job}}
	}
	late := policy.Duration(0)
	if !o.host {
		late = s.slip(o.action.Kind, uint64(c.Job)<<32|uint64(c.Stage), uint64(c.Index)<<32|uint64(c.N),
			s.times(request{c, o.action.Kind}))
		if late > 0 {
			s.result.Faults.ActionsLate++
		}
	}
	lanes := append([]lane{{copy: o.action.Copy}}, s.lanesOf(o)...)
	till, waits := s.waitsIn(lanes, late)
	if late == 0 && !waits {
		s.carryOut(o)
		return
	}
	o.late = true
	if o.action.Kind == policy.GiveUp {
		lanes = lanes[1:] // it is about a job
	}
	s.slipUntil(till, &slip{order: *o, lanes: lanes})
}

// waitsIn returns until when an action waits that is late by so much, and whether earlier ones are in its lanes.
func (s *cluster) waitsIn(lanes []lane, late policy.Duration) (till policy.Time, waits bool) {
	till = s.now.Add(late)
	for _, l := range lanes {
		if q, some := s.slips.lanes[l]; some {
			till, waits = max(till, q.till), true
		}
	}
	return till, waits
}

// lanesOf returns the lanes of an order on nodes: that of the part that wants it, or those from the centre to the
// nodes that a Start names or that the copy is on.
func (s *cluster) lanesOf(o *order) (lanes []lane) {
	if o.from != 0 {
		return append(lanes, lane{from: o.from, to: o.from})
	}
	id := o.action.Node
	if o.action.Kind != policy.Start {
		at := s.find(o.action.Copy)
		if at == 0 {
			return nil
		}
		for _, share := range s.gang(at - 1) {
			lanes = append(lanes, lane{to: share.Node})
		}
		id = s.attempts.At(at - 1).node
	}
	if id != 0 {
		lanes = append(lanes, lane{to: id})
	}
	return lanes
}

// sendSlipping sends a message that must not be lost: now or, if the host slips, later.
func (s *cluster) sendSlipping(m *message) {
	if s.config.Faults.ActionLate > 0 {
		s.slips.sent++
		late := s.slip(policy.Send, s.slips.sent)
		if late > 0 {
			s.result.Faults.ActionsLate++
		}
		lanes := []lane{{from: m.from, to: m.to, mail: true}}
		if till, waits := s.waitsIn(lanes, late); late > 0 || waits {
			s.slipUntil(till, &slip{message: *m, mail: true, lanes: lanes})
			return
		}
	}
	s.mail.push(s.now.Add(s.config.Delay), *m)
}

// alarmSlips returns by how much an alarm is late, if no other alarm replaces it.
func (s *cluster) alarmSlips(part policy.NodeID, at policy.Time) policy.Duration {
	if s.config.Faults.ActionLate == 0 {
		return 0
	}
	return s.slip(policy.Wake, uint64(part), uint64(at.Sub(s.result.Begin)))
}

// slipUntil keeps a slip until an instant, and makes others wait for it.
func (s *cluster) slipUntil(till policy.Time, x *slip) {
	w := &s.slips
	if w.lanes == nil {
		w.lanes = make(map[lane]queued)
	}
	w.made++
	x.made = w.made
	i := w.list.Take()
	*w.list.At(i) = *x
	s.at(till, slipDue, uint32(i))
	for _, l := range x.lanes {
		w.lanes[l] = queued{till, x.made}
	}
}

// slipDue handles the instant at which the host does what it was late to do.
func (s *cluster) slipDue(i uint32) {
	w := &s.slips
	x := *w.list.At(int32(i))
	w.list.Drop(int32(i))
	for _, l := range x.lanes {
		if w.lanes[l].made == x.made {
			delete(w.lanes, l)
		}
	}
	switch {
	case x.void:
	case x.mail:
		s.mail.push(s.now.Add(s.config.Delay), x.message)
	default:
		s.carryOut(&x.order)
	}
}

// late returns the open slips for which which returns true, in the order in which they were made, and closes them.
func (s *cluster) late(which func(*slip) bool) (late []slip) {
	for i := range s.slips.list.End() {
		if x := s.slips.list.At(i); x.made > 0 && !x.void && which(x) {
			late = append(late, *x)
			x.void = true
		}
	}
	slices.SortFunc(late, func(a, b slip) int { return cmp.Compare(a.made, b.made) })
	return late
}

// dropSlips drops the late actions of the part on a node that is lost, except for its messages, which are still sent.
func (s *cluster) dropSlips(id policy.NodeID) {
	for _, x := range s.late(func(x *slip) bool { return x.mail && x.message.from == id || !x.mail && x.order.from == id }) {
		switch {
		case x.mail:
			s.mail.push(s.now.Add(s.config.Delay), x.message)
		case x.order.action.Kind == policy.Start:
			s.refuse(&x.order)
		}
	}
}

// settleSlips settles all late actions before a restart: it refuses Starts, loses messages, and carries out
// everything else at once.
func (s *cluster) settleSlips() {
	for _, x := range s.late(func(*slip) bool { return true }) {
		switch {
		case x.mail:
		case x.order.action.Kind == policy.Start:
			s.refuse(&x.order)
		default:
			s.carryOut(&x.order)
		}
	}
	clear(s.slips.lanes)
}

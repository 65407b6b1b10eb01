package sim

import "example.com/augur/policy"

// parts are the parts of the policy, and what they are about to hear. The centre is part 0.
type parts struct {
	clock *clock
	slips *slips

	distributed policy.Distributed // nil if the policy has no parts on nodes
	all         []part             // by node
	lives       int                // restarts of the policy
	inbox
}

// A part decides on a node.
type part struct {
	policy policy.Scheduler // nil if there is none
	alarm  ticket
	life   uint32 // how often the node has joined
	known  uint32 // as life, as far as the centre was told
}

// use puts a policy in charge, without parts on nodes as yet.
func (p *parts) use(centre policy.Scheduler) {
	p.all[0].policy = centre
	p.distributed, _ = centre.(policy.Distributed)
}

// join makes the part on a node that has joined.
func (p *parts) join(ev *policy.Event) {
	x := &p.all[ev.Node]
	x.life++
	x.policy = nil
	if p.distributed != nil {
		x.policy = p.distributed.Part(ev.Info)
		p.tell(ev.Node, ev)
	}
}

// leave drops the part on a node that has left.
func (p *parts) leave(id policy.NodeID) {
	p.all[id].policy = nil
	p.clock.cancelAlarm(&p.all[id].alarm)
}

// tell puts an event into the inbox of a part. It is valid until the next call.
func (p *parts) tell(id policy.NodeID, ev *policy.Event) *delivery {
	e := p.inbox.next()
	e.part, e.life, e.local, e.event = id, p.all[id].life, false, *ev
	e.event.Time = p.clock.now
	if id == 0 {
		p.inbox.centre++
	}
	return e
}

// tellNodes reports an event to the parts where its copy is.
func (p *parts) tellNodes(ev *policy.Event) {
	if p.distributed == nil {
		return
	}
	if ev.Node != 0 {
		p.tell(ev.Node, ev)
	}
	for i, share := range ev.Gang {
		if i == 0 || share.Node != ev.Gang[i-1].Node {
			p.tell(share.Node, ev)
		}
	}
}

// receiver returns the part that hears a delivery, nil if it is no longer there.
func (p *parts) receiver(e *delivery) policy.Scheduler {
	if x := &p.all[e.part]; x.life == e.life {
		return x.policy
	}
	return nil
}

// wake sets the alarm of a part in place of its last one.
func (p *parts) wake(id policy.NodeID, at policy.Time) {
	alarm := &p.all[id].alarm
	p.clock.cancelAlarm(alarm)
	if at == policy.Never {
		return
	}
	at = max(at, p.clock.now)
	if late := p.slips.ofAlarm(id, at); late > 0 {
		*alarm = p.clock.at(at.Add(late), lateAlarmDue, uint32(id))
	} else {
		*alarm = p.clock.at(at, alarmDue, uint32(id))
	}
}

// ring tells a part that its alarm has gone off.
func (p *parts) ring(id policy.NodeID) {
	p.all[id].alarm = 0
	p.tell(id, &policy.Event{Kind: policy.Woken})
}

// An inbox holds the events that parts are about to hear, all of this instant.
type inbox struct {
	deliveries []delivery
	head       int
	centre     int // deliveries for the centre
}

type delivery struct {
	part  policy.NodeID
	life  uint32 // of the part: a later one on the same node gets no deliveries of this one
	local bool   // for the centre: the Start came from the part on the node
	event policy.Event
}

// next appends a delivery, which the caller fills in.
func (b *inbox) next() *delivery {
	if len(b.deliveries) < cap(b.deliveries) {
		b.deliveries = b.deliveries[:len(b.deliveries)+1]
	} else {
		b.deliveries = append(b.deliveries, delivery{})
	}
	return &b.deliveries[len(b.deliveries)-1]
}

// pop returns the first delivery, which is valid until the next call of pop or next, and nil if there is none.
func (b *inbox) pop() *delivery {
	if b.head == len(b.deliveries) {
		b.deliveries, b.head = b.deliveries[:0], 0
		return nil
	}
	if b.head > 64 && 2*b.head > len(b.deliveries) { // an instant may be long
		b.deliveries, b.head = b.deliveries[:copy(b.deliveries, b.deliveries[b.head:])], 0
	}
	b.head++
	e := &b.deliveries[b.head-1]
	if e.part == 0 {
		b.centre--
	}
	return e
}

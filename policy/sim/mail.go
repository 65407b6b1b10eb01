package sim

import (
	"example.com/augur/internal/saturate"
	"example.com/augur/internal/slab"
	"example.com/augur/policy"
)

// mail is what parts send to each other.
type mail struct {
	clock  *clock
	parts  *parts
	slips  *slips
	faults *Faults
	count  *FaultCount

	wire  wire[message]
	aside slab.Slab[message] // posts that go a way of their own, by the index in their timed event
	sent  uint64             // messages that could be late
	posts uint64             // messages that could be lost
}

// A message is on its way from one part to another.
type message struct {
	from, to policy.NodeID
	msg      policy.Msg
	life     int    // the policy's, as parts.lives
	node     uint32 // the life of the node that it is for
}

// send puts a message on the network. A Send is never lost, but the host may be late.
func (m *mail) send(from policy.NodeID, a *policy.Action) {
	x := message{from: from, to: a.Node, msg: a.Msg, life: m.parts.lives, node: m.parts.all[a.Node].known}
	if a.Kind == policy.Post {
		m.post(&x)
		return
	}
	if m.faults.ActionLate > 0 {
		m.sent++
		late := m.slips.draw(policy.Send, m.sent)
		if m.slips.keep(late, slip{message: x, mail: true, channels: []channel{{from: x.from, to: x.to, mail: true}}}) {
			return
		}
	}
	m.wire.push(&x)
}

// post sends a message that may be lost, late or doubled.
func (m *mail) post(x *message) {
	f, count, delay := m.faults, m.count, m.wire.delay
	m.posts++
	n := m.posts
	if f.PostTwice > 0 && f.luck(luckTwice, n) < f.PostTwice {
		count.PostsTwice++
		m.postAside(x, delay+exponential(f.MeanLate, f.luck(luckAgain, n)))
	}
	u := 1.0
	if f.PostLoss > 0 || f.PostLate > 0 || f.PostEarly > 0 {
		u = f.luck(luckPost, n)
	}
	switch {
	case u < f.PostLoss:
		count.PostsLost++
	case u < f.PostLoss+f.PostLate:
		count.PostsLate++
		m.postAside(x, delay+exponential(f.MeanLate, f.luck(luckLate, n)))
	case u < f.PostLoss+f.PostLate+f.PostEarly:
		count.PostsEarly++
		m.postAside(x, saturate.To[policy.Duration](f.luck(luckLate, n)*float64(delay)))
	default:
		m.wire.push(x)
	}
}

// postAside sends a message with a delay of its own, outside the wire.
func (m *mail) postAside(x *message, d policy.Duration) {
	i := m.aside.Take()
	*m.aside.At(i) = *x
	m.clock.after(d, mailAside, uint32(i))
}

// asideDue handles the arrival of a message outside the wire.
func (m *mail) asideDue(i int32) {
	x := *m.aside.At(i)
	m.aside.Drop(i)
	if x.life == m.parts.lives {
		m.arrive(&x)
	}
}

// arrive delivers a message, unless it is for a part that has left, or for what was there before it came back.
func (m *mail) arrive(x *message) {
	if to := &m.parts.all[x.to]; to.life == x.node && to.policy != nil {
		m.parts.tell(x.to, &policy.Event{Kind: policy.Arrived, Node: x.from, Msg: x.msg})
	}
}

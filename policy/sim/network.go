package sim

import (
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// A wire carries things with the same delay for all, so they come out in the order in which they went in.
type wire[T any] struct {
	queue []timedItem[T]
	head  int
}

type timedItem[T any] struct {
	at policy.Time
	x  T
}

func (w *wire[T]) len() int { return len(w.queue) - w.head }

func (w *wire[T]) push(at policy.Time, x T) {
	if w.head > 64 && 2*w.head > len(w.queue) {
		n := copy(w.queue, w.queue[w.head:])
		clear(w.queue[n:])
		w.queue, w.head = w.queue[:n], 0
	}
	w.queue = append(w.queue, timedItem[T]{at, x})
}

func (w *wire[T]) due() (policy.Time, bool) {
	if w.len() == 0 {
		return 0, false
	}
	return w.queue[w.head].at, true
}

// has reports whether something is due by now.
func (w *wire[T]) has(now policy.Time) bool {
	at, some := w.due()
	return some && at <= now
}

// pop takes out what is due next.
func (w *wire[T]) pop() T {
	x := w.queue[w.head].x
	w.head++
	if w.head == len(w.queue) {
		w.queue, w.head = w.queue[:0], 0
	}
	return x
}

// A report is an event of a copy on its way to the centre.
type report struct {
	event policy.Event
	at    policy.Time // when it happened
	local bool        // the Start came from the part on the node
	limit bool        // a copy was killed since it had run for the requested time
	holds bool        // a copy that is about to go on has its cores again; nobody is told but those who watch
}

// An order is an action on its way to a node.
type order struct {
	action policy.Action
	from   policy.NodeID
	lost   bool // a Kill whose victim is to end as Lost
	host   bool // the host's own
	late   bool // it was carried out late
}

// A message is on its way from one part to another.
type message struct {
	from, to policy.NodeID
	msg      policy.Msg
	life     int    // the policy's, as cluster.lives
	node     uint32 // the life of the node that it is for
}

// The inbox holds the events that parts are about to hear, all of this instant.
type inbox struct {
	letters []letter
	head    int
	centre  int // letters for the centre
}

type letter struct {
	part  policy.NodeID
	life  uint32 // of the part: a later one on the same node gets no letters of this one
	local bool   // for the centre: the Start came from the part on the node
	holds bool   // as report.holds
	event policy.Event
}

// next appends a letter, which the caller fills in.
func (b *inbox) next() *letter {
	if len(b.letters) < cap(b.letters) {
		b.letters = b.letters[:len(b.letters)+1]
	} else {
		b.letters = append(b.letters, letter{})
	}
	return &b.letters[len(b.letters)-1]
}

// pop returns the first letter, which is valid until the next call of pop or next, and
// nil if there is none.
func (b *inbox) pop() *letter {
	if b.head == len(b.letters) {
		b.letters, b.head = b.letters[:0], 0
		return nil
	}
	if b.head > 64 && 2*b.head > len(b.letters) { // an instant may be long
		b.letters, b.head = b.letters[:copy(b.letters, b.letters[b.head:])], 0
	}
	b.head++
	e := &b.letters[b.head-1]
	if e.part == 0 && !e.holds {
		b.centre--
	}
	return e
}

// tell puts an event into the inbox of a part: of node id, or of the centre if that is 0. The letter is valid until
// the next call.
func (s *cluster) tell(id policy.NodeID, ev *policy.Event) *letter {
	e := s.inbox.next()
	e.part, e.life, e.local, e.holds, e.event = id, 0, false, false, *ev
	e.event.Time = s.now
	if id == 0 {
		s.inbox.centre++
	} else {
		e.life = s.nodes[id].life
	}
	return e
}

// part returns the receiver of a letter, nil if it is no longer there.
func (s *cluster) part(e *letter) policy.Scheduler {
	if e.part == 0 {
		return s.centre
	}
	if n := &s.nodes[e.part]; n.up && n.life == e.life {
		return n.part
	}
	return nil
}

// act carries out an action of a part, or sends it on its way.
func (s *cluster) act(from policy.NodeID, a *policy.Action) {
	switch a.Kind {
	case policy.Start:
		if from == 0 && !s.sendStart(a) {
			return
		}
		o := order{from: from, action: *a}
		if from != 0 {
			o.action.Node = from
			if j := s.jobs.Get(a.Copy.Job); j != nil {
				u := s.unit(j, a.Copy)
				u.used = max(u.used, a.Copy.N+1)
				s.tidy(u)
			}
		}
		s.command(&o)
	case policy.Suspend, policy.Resume, policy.Kill, policy.Report:
		s.command(&order{from: from, action: *a})
	case policy.GiveUp:
		s.obey(&order{action: *a})
	case policy.Send, policy.Post:
		s.send(from, a)
	case policy.Wake:
		s.wake(from, a.At)
	}
}

// sendStart records a Start of the centre that is under way. If the job's Ended is already in the inbox, it refuses
// the Start at once and returns false.
func (s *cluster) sendStart(a *policy.Action) bool {
	j := s.jobs.Get(a.Copy.Job)
	u := s.unit(j, a.Copy)
	u.used = max(u.used, a.Copy.N+1)
	u.open++
	if j.told {
		j.crossed = true
		s.tell(0, &policy.Event{Kind: policy.Refused, Copy: a.Copy, Partition: a.Partition})
		return false
	}
	u.live++
	j.live++
	return true
}

// command sends an order to its node: at once from the part there, after the network's delay from the centre.
func (s *cluster) command(o *order) {
	if o.from != 0 || s.config.Delay == 0 {
		s.obey(o)
		return
	}
	s.orders.push(s.now.Add(s.config.Delay), *o)
}

// inform reports an event of a copy to the parts where it is, at once, and to the centre.
func (s *cluster) inform(r *report) {
	if s.distributed != nil {
		s.tellNodes(&r.event)
	}
	s.bring(r)
}

// tellNodes reports an event to the parts where its copy is.
func (s *cluster) tellNodes(ev *policy.Event) {
	if ev.Node != 0 {
		s.tell(ev.Node, ev)
	}
	for i, share := range ev.Gang {
		if i == 0 || share.Node != ev.Gang[i-1].Node {
			s.tell(share.Node, ev)
		}
	}
}

// bring sends a report to the centre, with the network's delay.
func (s *cluster) bring(r *report) {
	r.at = s.now
	if s.config.Delay == 0 {
		s.hear(r)
		return
	}
	s.news.push(s.now.Add(s.config.Delay), *r)
}

// send puts a message on the network.
func (s *cluster) send(from policy.NodeID, a *policy.Action) {
	m := message{from: from, to: a.Node, msg: a.Msg, life: s.lives}
	if m.to != 0 {
		m.node = s.nodes[m.to].known
	}
	if a.Kind == policy.Post {
		s.post(&m)
	} else {
		s.sendSlipping(&m)
	}
}

func (s *cluster) arrive(m *message) {
	if n := &s.nodes[m.to]; m.to != 0 && (!n.up || n.life != m.node) {
		return // it was for a node that has left, or for what was there before it came back
	}
	s.tell(m.to, &policy.Event{Kind: policy.Arrived, Node: m.from, Msg: m.msg})
}

func (s *cluster) wake(part policy.NodeID, at policy.Time) {
	alarm := s.alarm(part)
	s.cancelAlarm(alarm)
	if at == policy.Never {
		return
	}
	at = max(at, s.now)
	if late := s.alarmSlips(part, at); late > 0 {
		*alarm = s.at(at.Add(late), lateAlarmDue, uint32(part))
	} else {
		*alarm = s.at(at, alarmDue, uint32(part))
	}
}

// alarm returns the alarm of a part.
func (s *cluster) alarm(part policy.NodeID) *ticket {
	if part == 0 {
		return &s.centreAlarm
	}
	return &s.nodes[part].alarm
}

// post sends a message that may be lost, late or doubled.
func (s *cluster) post(m *message) {
	f, count := &s.config.Faults, &s.result.Faults
	s.posts++
	n := s.posts
	if f.PostTwice > 0 && f.luck(luckTwice, n) < f.PostTwice {
		count.PostsTwice++
		s.postAside(m, s.config.Delay+exponential(f.MeanLate, f.luck(luckAgain, n)))
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
		s.postAside(m, s.config.Delay+exponential(f.MeanLate, f.luck(luckLate, n)))
	case u < f.PostLoss+f.PostLate+f.PostEarly:
		count.PostsEarly++
		s.postAside(m, saturate.To[policy.Duration](f.luck(luckLate, n)*float64(s.config.Delay)))
	default:
		s.mail.push(s.now.Add(s.config.Delay), *m)
	}
}

// postAside sends a message with a delay of its own, outside the wires.
func (s *cluster) postAside(m *message, d policy.Duration) {
	i := s.asidePosts.Take()
	*s.asidePosts.At(i) = *m
	s.after(d, mailAside, uint32(i))
}

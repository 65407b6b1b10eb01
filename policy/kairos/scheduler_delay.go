package kairos

import (
	"example.com/augur/policy"
)

// A delayed list holds things until their time has come. Each is added with a time that is not
// before that of the one added last.
type delayed[T any] struct {
	list []timed[T] // from head on
	head int
}

type timed[T any] struct {
	at policy.Time
	x  T
}

func (d *delayed[T]) add(at policy.Time, x T) {
	if len(d.list) == cap(d.list) && d.head > len(d.list)/2 {
		d.list, d.head = d.list[:copy(d.list, d.list[d.head:])], 0
	}
	d.list = append(d.list, timed[T]{at, x})
}

// next returns when the first one is due, Never if there is none.
func (d *delayed[T]) next() policy.Time {
	if d.head == len(d.list) {
		return policy.Never
	}
	return d.list[d.head].at
}

// due takes out the first one, and returns false if it is not due yet.
func (d *delayed[T]) due(now policy.Time) (x T, ok bool) {
	if d.next() > now || d.head == len(d.list) {
		return x, false
	}
	x = d.list[d.head].x
	d.head++
	return x, true
}

// heard passes a heartbeat on to the centre that it is for, at once or after a while.
func (s *Nodes) heard(ev *policy.Event) {
	r := reportOf(ev.Node, &ev.Msg, s.config.Central.Tie)
	centre := int(ev.Msg.Copy.Stage)
	if s.config.Gossip > 0 && ev.Msg.Kind == heartbeat && int(ev.Node)%len(s.centres) != centre {
		s.gossip.add(ev.Time.Add(s.config.Gossip), rumour{r, centre})
		return
	}
	_, _ = s.centres[centre].Heartbeat(r)
}

// comeRound lets the centres hear of what has come round by now, and lets jobs try again.
func (s *Nodes) comeRound(now policy.Time) {
	for r, ok := s.gossip.due(now); ok; r, ok = s.gossip.due(now) {
		_, _ = s.centres[r.centre].Heartbeat(r.report)
	}
	for id, ok := s.shy.due(now); ok; id, ok = s.shy.due(now) {
		if e := s.jobs.Get(id); e != nil && e.until <= now {
			j := s.view.Job(id)
			j.Held = false
			s.claim(j)
		}
	}
}

// Until implements [central.Nodes]: it returns when there is more to do.
func (s *Nodes) Until() policy.Time { return min(s.gossip.next(), s.shy.next()) }

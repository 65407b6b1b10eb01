package kairos

import "example.com/augur/policy"

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
func (s *Scheduler) heard(ev *policy.Event) {
	r := reportOf(ev.Node, &ev.Msg, s.config.Central.Tie)
	centre := int(ev.Msg.Copy.Stage)
	if s.config.Gossip > 0 && ev.Msg.Kind == heartbeat && int(ev.Node)%len(s.centres) != centre {
		s.gossip.add(ev.Time.Add(s.config.Gossip), rumour{r, centre})
		return
	}
	_, _ = s.centres[centre].Heartbeat(r)
}

// wake lets the centres hear of what has come round by now, and lets jobs try again; and it
// sets the alarm for the rest.
func (s *Scheduler) wake(ev *policy.Event, actions []policy.Action) []policy.Action {
	if ev.Kind == policy.Woken {
		s.alarm = policy.Never
	}
	for r, ok := s.gossip.due(ev.Time); ok; r, ok = s.gossip.due(ev.Time) {
		_, _ = s.centres[r.centre].Heartbeat(r.report)
	}
	for id, ok := s.shy.due(ev.Time); ok; id, ok = s.shy.due(ev.Time) {
		if j := s.view.Job(id); j != nil && j.Own.until <= ev.Time {
			j.Own.shy = false
			s.place(j)
		}
	}
	next := min(s.gossip.next(), s.shy.next())
	if next != s.alarm && !ev.Replay {
		s.alarm = next
		actions = append(actions, policy.Action{Kind: policy.Wake, At: next})
	}
	return actions
}

package sim

import (
	"context"
	"fmt"

	"example.com/augur/policy"
)

// deliver reports what is in the inbox to the policy and carries out its answers, which may put more into the inbox,
// until the inbox is empty.
func (s *simulation) deliver(ctx context.Context) error {
	for {
		e := s.parts.pop()
		if e == nil {
			return s.clock.failed
		}
		if !s.centre.open(e) {
			continue
		}
		part := s.parts.receiver(e)
		if part == nil {
			continue // the node has left
		}
		e.event.More = e.part == 0 && s.parts.inbox.centre > 0
		if err := s.step(part, e); err != nil {
			return err
		}
		if s.result.Events%tellEvery == 0 && s.config.Progress != nil {
			s.config.Progress(s.ended, s.result.Events)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.clock.spin > maxIdle+8*(len(s.nodes.all)+int(s.books.attempts.End())) {
			return s.checker.Breach("No circles", "%d events at one instant, and no job or copy came or went: the policy goes round in a circle", s.clock.spin)
		}
	}
}

// watch shows an event to the checker and to Config.Watch.
func (s *simulation) watch(e *delivery) error {
	if s.config.Watch != nil {
		s.config.Watch(e.part, &e.event)
	}
	return s.checker.Event(e.part, &e.event)
}

// step tells a part an event, and does what it answers.
func (s *simulation) step(part policy.Scheduler, e *delivery) error {
	if err := s.watch(e); err != nil {
		return err
	}
	s.result.Events++
	if !e.event.Replay {
		if e.part == 0 && e.event.Kind == policy.Joined {
			s.parts.all[e.event.Node].known++
		}
		s.clock.idle++
		s.clock.spin++
	}
	actions, err := part.Step(&e.event, s.actions[:0])
	s.actions = actions
	if err != nil {
		return fmt.Errorf("sim: at %v s, %v: %w", s.clock.now.Seconds(), e.event.Kind, err)
	}
	id := e.part // e is overwritten by what the actions cause
	var bad error
	for i := 0; i < len(actions) && bad == nil; i++ {
		bad = s.checker.Action(id, s.clock.now, &actions[i])
	}
	if s.record != nil {
		if err := s.record.Encode(entry{Part: id, Event: &e.event, Actions: actions}); err != nil && bad == nil {
			bad = fmt.Errorf("sim: recording: %w", err)
		}
	}
	if bad != nil {
		return bad
	}
	for i := range actions {
		s.act(id, &actions[i])
	}
	return s.clock.failed
}

// act sends an action of a part on its way.
func (s *simulation) act(from policy.NodeID, a *policy.Action) {
	switch a.Kind {
	case policy.Start:
		o := order{from: from, action: *a}
		if from != 0 {
			o.action.Node = from
			s.books.used(a.Copy)
		} else if !s.asked(a) {
			return
		}
		s.orders.command(&o)
	case policy.Suspend, policy.Resume, policy.Kill, policy.Report:
		s.orders.command(&order{from: from, action: *a})
	case policy.GiveUp:
		s.orders.obey(&order{action: *a})
	case policy.Send, policy.Post:
		s.mail.send(from, a)
	case policy.Wake:
		s.parts.wake(from, a.At)
	}
}

// asked records a Start of the centre that is under way. If the job's Ended is already in the inbox, it refuses the
// Start at once and returns false.
func (s *simulation) asked(a *policy.Action) bool {
	j := s.books.jobs.Get(a.Copy.Job)
	u := s.books.unit(j, a.Copy)
	u.used = max(u.used, a.Copy.N+1)
	u.open++
	if j.told {
		j.crossed = true
		s.parts.tell(0, &policy.Event{Kind: policy.Refused, Copy: a.Copy, Partition: a.Partition})
		return false
	}
	u.live++
	j.live++
	return true
}

package kairos

import (
	"fmt"
	"iter"
	"math"

	"example.com/augur/policy"
)

// Step implements [policy.Scheduler]: that of the centre.
func (s *Scheduler) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if err := s.check(ev); err != nil {
		return actions, err
	}
	j, err := s.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	actions = s.note(ev, j, actions)
	if j != nil {
		s.place(j)
	}
	actions = s.wake(ev, actions)
	if !s.view.Decide(ev) {
		return actions, nil
	}
	for i := range s.centres {
		actions = s.dispatch(i, actions)
	}
	return actions, nil
}

// check returns an error for what the View lets through, and Kairos cannot do with.
func (s *Scheduler) check(ev *policy.Event) error {
	switch {
	case ev.Kind == policy.Joined && ev.Info != nil && ev.Info.Cores > MaxCores:
		return fmt.Errorf("kairos: node %d has %d cores, want at most %d", ev.Node, ev.Info.Cores, MaxCores)
	case ev.Kind == policy.Submitted && ev.Job != nil:
		for i := range ev.Job.Stages {
			if w := ev.Job.Stages[i].Width(); w != 1 {
				return fmt.Errorf("kairos: job %d: each unit of stage %d takes %d cores, want 1", ev.Job.ID, i, w)
			}
		}
	case ev.Kind == policy.Arrived:
		switch m := &ev.Msg; {
		case m.Kind == refuse:
		case m.Kind != heartbeat && m.Kind != protest:
			return fmt.Errorf("kairos: message of node %d is of kind %d, want a heartbeat or a refusal", ev.Node, m.Kind)
		case int64(m.Copy.Stage) >= int64(len(s.centres)):
			return fmt.Errorf("kairos: heartbeat of node %d is for centre %d, want less than %d", ev.Node, m.Copy.Stage, len(s.centres))
		default:
			r := reportOf(ev.Node, m, s.config.Central.Tie)
			return r.check()
		}
	}
	return nil
}

// note takes note of an event that is possible.
func (s *Scheduler) note(ev *policy.Event, j *jobView, actions []policy.Action) []policy.Action {
	switch ev.Kind {
	case policy.Joined:
		memory := ev.Info.Memory
		if memory == 0 {
			memory = math.MaxInt64
		}
		s.memory.Put(ev.Node, &memory)
		s.least = min(s.least, memory)
		for i := range s.centres {
			// The View has seen to it that the node is not there.
			_ = s.centres[i].Joined(ev.Node, int(ev.Info.Cores))
			if !ev.Replay {
				actions = append(actions, s.begin(i, ev.Node))
			}
		}
	case policy.Left:
		for i := range s.centres {
			s.left(i, ev.Node)
		}
		s.memory.Delete(ev.Node)
		s.least = math.MaxInt64
		for _, memory := range s.memory.All() {
			s.least = min(s.least, *memory)
		}
	case policy.Started:
		if ev.Replay {
			c := s.of(ev.Copy.Job)
			if _, err := s.centres[c].Adopt(ev.Copy, ev.Node); err == nil {
				j.Own.sent++
			}
		}
	case policy.Restored:
		return s.restored(actions)
	case policy.Ended:
		return s.forget(j, actions)
	case policy.Arrived:
		if ev.Msg.Kind != refuse {
			s.heard(ev)
		} else if s.release(ev.Msg.Copy, ev.Node) {
			if j := s.view.Job(ev.Msg.Copy.Job); j != nil {
				s.pause(j, ev.Time)
			}
			s.takeBack(ev.Msg.Copy)
		}
	case policy.Refused:
		if node, ok := s.where(ev.Copy); ok {
			s.release(ev.Copy, node)
		}
		if j.Waiting > 0 {
			s.pause(j, ev.Time)
		}
	default:
		if ev.Kind.End() {
			s.release(ev.Copy, ev.Node)
		}
	}
	return actions
}

// pause lets a job wait a little after a task of it was refused, by the host or by a node that
// had no place: sent anew at once it could be refused for ever, at one instant. With one centre
// that is rare: the node still has tasks of a job that is over, say.
func (s *Scheduler) pause(j *jobView, now policy.Time) {
	j.Own.shy, j.Own.until = true, now.Add(policy.Duration(1e9))
	s.shy.add(j.Own.until, j.Job.ID)
}

// begin tells a node from where a centre counts.
func (s *Scheduler) begin(centre int, node policy.NodeID) policy.Action {
	_, sent, _ := s.centres[centre].Node(node)
	return policy.Action{Kind: policy.Send, Node: node, Msg: policy.Msg{Kind: begin, Seq: sent, Count: uint32(centre)}}
}

// restored tells the nodes again what they had been told before a restart.
func (s *Scheduler) restored(actions []policy.Action) []policy.Action {
	for i := range s.centres {
		for node := range s.centres[i].nodes() {
			for a := range s.centres[i].on(node) {
				actions = append(actions, s.send(adopt, i, a))
			}
			actions = append(actions, s.begin(i, node))
		}
	}
	return actions
}

func (s *Scheduler) send(kind uint32, centre int, a Assignment[policy.Copy]) policy.Action {
	memory := s.view.Job(a.Task.Job).Job.Stages[a.Task.Stage].Memory
	return policy.Action{Kind: policy.Send, Node: a.Node, Msg: assignment(kind, a.Task, a.Number, centre, memory)}
}

// left lets the tasks wait again that were on their way to a node which is gone. Those that
// it had begun have ended before (rule Copy).
func (s *Scheduler) left(centre int, node policy.NodeID) {
	c := &s.centres[centre]
	for a, ok := first(c.on(node)); ok; a, ok = first(c.on(node)) {
		s.release(a.Task, node)
		s.takeBack(a.Task)
	}
	_ = c.Left(node) // which the View has seen to be there
}

func first[T any](seq iter.Seq[T]) (x T, ok bool) {
	for x := range seq {
		return x, true
	}
	return x, false
}

// takeBack lets a task that was sent out, and not begun, wait again.
func (s *Scheduler) takeBack(c policy.Copy) {
	s.view.Return(c, 0)
	if j := s.view.Job(c.Job); j != nil {
		s.place(j)
	}
}

// release takes note that an assignment is over, and returns false if there is none.
func (s *Scheduler) release(c policy.Copy, node policy.NodeID) bool {
	central := s.centres[s.of(c.Job)]
	number, ok := central.number(c, node)
	if !ok {
		return false
	}
	_, _ = central.Ended(node, number) // which has been sent it
	if j := s.view.Job(c.Job); j != nil {
		j.Own.sent--
	}
	return true
}

// number returns that of a copy's assignment to a node, and false if there is none. A node has so
// few that to look at them all is faster than a table of all assignments.
func (c centre) number(copy policy.Copy, node policy.NodeID) (number uint64, ok bool) {
	for a := range c.on(node) {
		if a.Task == copy {
			return a.Number, true
		}
	}
	return 0, false
}

// forget takes note that a job is over, and takes back what was sent out for it and has not
// begun. To find that it looks at all nodes.
func (s *Scheduler) forget(j *jobView, actions []policy.Action) []policy.Action {
	i := s.of(j.Job.ID)
	c := &s.centres[i]
	from := len(actions)
	for node := range c.nodes() {
		if j.Own.sent == 0 {
			break
		}
		for a := range c.on(node) {
			if a.Task.Job == j.Job.ID {
				actions = append(actions, policy.Action{Kind: policy.Send, Node: node, Msg: policy.Msg{Kind: withdraw, Copy: a.Task, Count: uint32(i)}})
				j.Own.sent--
			}
		}
	}
	for _, a := range actions[from:] {
		s.release(a.Msg.Copy, a.Node)
	}
	return actions
}

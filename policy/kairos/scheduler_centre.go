package kairos

import (
	"fmt"
	"iter"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Bind implements [central.Nodes].
func (s *Nodes) Bind(b central.Books) error {
	s.view, s.claim, s.returned = b.View, b.Claim, b.Returned
	return nil
}

// Check implements [central.Nodes]: an error is for what the books let through, and Kairos cannot do with.
func (s *Nodes) Check(ev *policy.Event) error {
	switch {
	case ev.Kind == policy.Joined && ev.Info != nil && ev.Info.Cores > MaxCores:
		return fmt.Errorf("kairos: node %d has %d cores, want at most %d", ev.Node, ev.Info.Cores, MaxCores)
	case ev.Kind == policy.Submitted && ev.Job != nil:
		for i := range ev.Job.Stages {
			switch st := &ev.Job.Stages[i]; {
			case st.Width() == 1:
			case st.Gang:
				return fmt.Errorf("kairos: stage %d of job %d is a gang, and Kairos runs no gangs: want tasks that may start one by one", i, ev.Job.ID)
			default:
				return fmt.Errorf("kairos: each task of stage %d of job %d takes %d cores, want 1", i, ev.Job.ID, st.Cores)
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

// Note implements [central.Nodes].
func (s *Nodes) Note(ev *policy.Event, j *central.Job, actions []policy.Action) []policy.Action {
	actions = s.note(ev, j, actions)
	s.comeRound(ev.Time)
	return actions
}

func (s *Nodes) note(ev *policy.Event, j *central.Job, actions []policy.Action) []policy.Action {
	switch ev.Kind {
	case policy.Submitted:
		s.jobs.Put(j.Job.ID, new(entry))
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
				s.jobs.Get(j.Job.ID).sent++
			}
		}
	case policy.Restored:
		return s.restored(actions)
	case policy.Ended:
		return s.forget(j, actions)
	case policy.Arrived:
		if ev.Msg.Kind != refuse {
			s.heard(ev)
		} else if s.takeBack(ev.Msg.Copy, ev.Node) {
			if j := s.view.Job(ev.Msg.Copy.Job); j != nil {
				s.pause(j, ev.Time)
				s.claim(j)
			}
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
		if ev.Kind == policy.Finished {
			s.finished(ev.Copy)
		}
	}
	return actions
}

// pause lets a job wait a little after a task of it was refused, by the host or by a node that
// had no place: sent anew at once it could be refused for ever, at one instant. With one centre
// that is rare: the node still has tasks of a job that is over, say.
func (s *Nodes) pause(j *central.Job, now policy.Time) {
	e := s.jobs.Get(j.Job.ID)
	j.Held, e.until = true, now.Add(policy.Duration(1e9))
	s.shy.add(e.until, j.Job.ID)
}

// begin tells a node from where a centre counts.
func (s *Nodes) begin(centre int, node policy.NodeID) policy.Action {
	_, sent, _ := s.centres[centre].Node(node)
	return policy.Action{Kind: policy.Send, Node: node, Msg: policy.Msg{Kind: begin, Seq: sent, Count: uint32(centre)}}
}

// restored tells the nodes again what they had been told before a restart.
func (s *Nodes) restored(actions []policy.Action) []policy.Action {
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

func (s *Nodes) send(kind uint32, centre int, a Assignment[policy.Copy]) policy.Action {
	memory := s.view.Job(a.Task.Job).Job.Stages[a.Task.Stage].Memory
	return policy.Action{Kind: policy.Send, Node: a.Node, Msg: assignment(kind, a.Task, a.Number, centre, memory)}
}

// left lets the tasks wait again that were on their way to a node which is gone. Those that
// it had begun have ended before (rule Copy).
func (s *Nodes) left(centre int, node policy.NodeID) {
	c := &s.centres[centre]
	for a, ok := first(c.on(node)); ok; a, ok = first(c.on(node)) {
		s.takeBack(a.Task, node)
	}
	_ = c.Left(node) // which the View has seen to be there
}

func first[T any](seq iter.Seq[T]) (x T, ok bool) {
	for x := range seq {
		return x, true
	}
	return x, false
}

// takeBack takes back a copy that was sent out, and not begun. Its task waits again unless another copy of it is on its
// way or has begun, or has finished it. It is a no-op, and false, if the node has not been sent it.
func (s *Nodes) takeBack(c policy.Copy, node policy.NodeID) bool {
	stale := s.stale[c]
	if !s.release(c, node) {
		return false
	}
	s.returned(c, !stale && !s.another(c))
	return true
}

// finished notes which copies of a task that has finished are on nodes still: if they are lost, they need not be sent
// again. It looks at all nodes if the job has copies of any task.
func (s *Nodes) finished(c policy.Copy) {
	if s.jobs.Get(c.Job).copies == 0 && c.N == 0 {
		return
	}
	centre := s.centres[s.of(c.Job)]
	for node := range centre.nodes() {
		for a := range centre.on(node) {
			if a.Task.Task == c.Task {
				s.stale[a.Task] = true
			}
		}
	}
}

// another reports whether a copy of the same task has been sent to a node, and its end has not been heard.
func (s *Nodes) another(c policy.Copy) bool {
	centre := s.centres[s.of(c.Job)]
	for node := range centre.nodes() {
		for a := range centre.on(node) {
			if a.Task.Task == c.Task {
				return true
			}
		}
	}
	return false
}

// release takes note that an assignment is over, and returns false if there is none.
func (s *Nodes) release(c policy.Copy, node policy.NodeID) bool {
	centre := s.centres[s.of(c.Job)]
	number, ok := centre.number(c, node)
	if !ok {
		return false
	}
	_, _ = centre.Ended(node, number) // which has been sent it
	delete(s.stale, c)
	if e := s.jobs.Get(c.Job); e != nil {
		if e.sent--; c.N > 0 {
			e.copies--
		}
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
func (s *Nodes) forget(j *central.Job, actions []policy.Action) []policy.Action {
	sent := s.jobs.Get(j.Job.ID).sent
	s.jobs.Delete(j.Job.ID)
	i := s.of(j.Job.ID)
	c := &s.centres[i]
	from := len(actions)
	for node := range c.nodes() {
		if sent == 0 {
			break
		}
		for a := range c.on(node) {
			if a.Task.Job == j.Job.ID {
				actions = append(actions, policy.Action{Kind: policy.Send, Node: node, Msg: policy.Msg{Kind: withdraw, Copy: a.Task, Count: uint32(i)}})
				sent--
			}
		}
	}
	for _, a := range actions[from:] {
		s.release(a.Msg.Copy, a.Node)
	}
	return actions
}

package kairos

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"example.com/augur/policy"
)

// Step is [policy.Scheduler]: that of the centre.
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
			if a, err := s.centres[c].Adopt(ev.Copy, ev.Node); err == nil {
				s.sent[ev.Copy] = whereabouts{ev.Node, a.Number}
				j.Own.sent++
			}
		}
	case policy.Restored:
		return s.restored(actions)
	case policy.Ended:
		return s.forget(j, actions)
	case policy.Arrived:
		switch {
		case ev.Msg.Kind != refuse:
			s.heard(ev)
		case s.sent[ev.Msg.Copy].node == ev.Node:
			s.takeBack(ev.Msg.Copy)
		}
	case policy.Refused:
		s.release(ev.Copy)
		if j.Waiting > 0 {
			j.Own.until = ev.Time.Add(pause)
			s.shy = append(s.shy, shyJob{j.Own.until, j.Job.ID})
		}
	default:
		if ev.Kind.End() {
			s.release(ev.Copy)
		}
	}
	return actions
}

// pause is how long a job waits after a task of it was refused. The nodes know what they have
// room for, so that this is rare.
const pause policy.Duration = 1e9

// begin tells a node from where a centre counts.
func (s *Scheduler) begin(centre int, node policy.NodeID) policy.Action {
	state, _ := s.centres[centre].Node(node)
	return policy.Action{Kind: policy.Send, Node: node, Msg: policy.Msg{Kind: begin, Seq: state.Sent, Count: uint32(centre)}}
}

// restored tells the nodes again what they had been told before a restart.
func (s *Scheduler) restored(actions []policy.Action) []policy.Action {
	for i := range s.centres {
		for node := range s.centres[i].Nodes() {
			for a := range s.centres[i].On(node) {
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
// it had begun have ended before (H4).
func (s *Scheduler) left(centre int, node policy.NodeID) {
	c := &s.centres[centre]
	for a, ok := first(c.On(node)); ok; a, ok = first(c.On(node)) {
		s.takeBack(a.Task)
		_, _ = c.Ended(node, a.Number) // if what is known of that task was false
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
	s.release(c)
	s.view.Return(c, 0)
	if j := s.view.Job(c.Job); j != nil {
		s.place(j)
	}
}

// release takes note that an assignment, if there is one, is over.
func (s *Scheduler) release(c policy.Copy) {
	p, ok := s.sent[c]
	if !ok {
		return
	}
	delete(s.sent, c)
	_, _ = s.centres[s.of(c.Job)].Ended(p.node, p.number) // which has been sent it
	if j := s.view.Job(c.Job); j != nil {
		j.Own.sent--
	}
}

// forget takes note that a job is over, and takes back what was sent out for it and has not
// begun. To find that it looks at all nodes.
func (s *Scheduler) forget(j *jobView, actions []policy.Action) []policy.Action {
	i := s.of(j.Job.ID)
	c := &s.centres[i]
	from := len(actions)
	for node := range c.Nodes() {
		if j.Own.sent == 0 {
			break
		}
		for a := range c.On(node) {
			if a.Task.Job == j.Job.ID {
				actions = append(actions, policy.Action{Kind: policy.Send, Node: node, Msg: policy.Msg{Kind: withdraw, Copy: a.Task, Count: uint32(i)}})
				j.Own.sent--
			}
		}
	}
	for _, a := range actions[from:] {
		s.release(a.Msg.Copy)
	}
	return actions
}

// heard passes a heartbeat on to the centre that it is for, at once or after a while.
func (s *Scheduler) heard(ev *policy.Event) {
	r := reportOf(ev.Node, &ev.Msg, s.config.Central.Tie)
	centre := int(ev.Msg.Copy.Stage)
	if s.config.Gossip > 0 && ev.Msg.Kind == heartbeat && int(ev.Node)%len(s.centres) != centre {
		s.gossip = append(s.gossip, rumour{ev.Time.Add(s.config.Gossip), r, centre})
		return
	}
	_, _ = s.centres[centre].Heartbeat(r)
}

// wake lets the centres hear of what has come round by now, and lets jobs try again; and it
// sets the alarm for the rest.
func (s *Scheduler) wake(ev *policy.Event, actions []policy.Action) []policy.Action {
	if ev.Kind == policy.Woken {
		s.alarm = 0
	}
	for ; s.told < len(s.gossip) && s.gossip[s.told].at <= ev.Time; s.told++ {
		r := &s.gossip[s.told]
		_, _ = s.centres[r.centre].Heartbeat(r.report)
	}
	if s.told == len(s.gossip) {
		s.gossip, s.told = s.gossip[:0], 0
	}
	for len(s.shy) > 0 && s.shy[0].until <= ev.Time {
		if j := s.view.Job(s.shy[0].id); j != nil && j.Own.until == s.shy[0].until {
			j.Own.until = 0
			s.place(j)
		}
		s.shy = slices.Delete(s.shy, 0, 1)
	}
	next := policy.Time(0)
	if len(s.gossip) > 0 {
		next = s.gossip[s.told].at
	}
	if len(s.shy) > 0 && (next == 0 || s.shy[0].until < next) {
		next = s.shy[0].until
	}
	if next != s.alarm && !ev.Replay {
		s.alarm = next
		actions = append(actions, policy.Action{Kind: policy.Wake, At: next})
	}
	return actions
}

// place brings the place of a job in its queue up to date.
func (s *Scheduler) place(j *jobView) {
	jobs := s.centres[s.of(j.Job.ID)].jobs
	if j.Waiting == 0 || j.Own.until != 0 {
		jobs.Remove(j.Own.handle)
	} else if _, ok := jobs.Get(j.Own.handle); !ok {
		j.Own.handle = jobs.Push(j)
	}
}

// dispatch sends out tasks of a centre's jobs as long as nodes have places.
func (s *Scheduler) dispatch(centre int, actions []policy.Action) []policy.Action {
	c := &s.centres[centre]
	for !c.Full() {
		j, ok := c.jobs.Peek()
		if !ok {
			break
		}
		node := policy.NodeID(0)
		if stage, _ := j.Next(); j.Job.Stages[stage].Memory > s.least {
			if node, ok = s.roomy(c, j.Job.Stages[stage].Memory); !ok {
				break
			}
		}
		copy := s.view.Start(j, 0).Copy
		a, _ := c.assign(copy, node)
		s.sent[copy] = whereabouts{a.Node, a.Number}
		j.Own.sent++
		actions = append(actions, s.send(assign, centre, a))
		s.place(j)
	}
	return actions
}

// assign sends a task to a node that was chosen, or, if it is 0, to the one whose turn it is.
func (c *centre) assign(task policy.Copy, node policy.NodeID) (a Assignment[policy.Copy], ok bool) {
	if node == 0 {
		return c.Assign(task)
	}
	a, err := c.Adopt(task, node)
	return a, err == nil
}

// roomy returns the node that gets the next task among those with enough memory for it, and
// false if all of these are full. It looks at all nodes.
func (s *Scheduler) roomy(c *centre, memory int64) (best policy.NodeID, ok bool) {
	var most int64
	var least float64
	for node := range c.Nodes() {
		if *s.memory.Get(node) < memory {
			continue
		}
		state, _ := c.Node(node)
		free := int64(state.Cores) + int64(s.config.Central.Queue) - state.Tasks
		measure := state.Variance
		if s.config.Central.Tie == LeastSum {
			measure = state.Sum
		}
		if free > 0 && (!ok || free > most || free == most && measure < least) {
			best, most, least, ok = node, free, measure, true
		}
	}
	return best, ok
}

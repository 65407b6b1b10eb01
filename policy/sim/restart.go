package sim

import (
	"cmp"
	"errors"
	"fmt"

	"example.com/augur/policy"
)

// restart drops the policy and reports the present state to a new one (see Restart in package policy). The nodes, and
// the copies on them, go on.
func (s *simulation) restart() {
	s.settleWires()
	s.settleNodes()
	s.settleWires()
	s.parts.lives++
	s.result.Faults.Restarts++
	s.mail.wire.clear()
	for id := range s.nodes.all { // 0 is the centre
		s.parts.wake(policy.NodeID(id), policy.Never)
	}

	// What the old policy will not hear any more, those who watch still must.
	s.discard()
	s.checker.Restart()
	if s.record != nil {
		if err := s.record.Encode(entry{Restart: true}); err != nil {
			s.clock.fail(fmt.Errorf("sim: recording: %w", err))
		}
	}
	p, err := s.config.Faults.NewPolicy()
	if err != nil {
		s.clock.fail(fmt.Errorf("sim: making the policy anew: %w", err))
		return
	}
	if p == nil {
		s.clock.fail(errors.New("sim: Faults.NewPolicy returned a nil policy and no error, want one of the two"))
		return
	}
	s.parts.use(p)
	s.replay()
}

// discard empties the inbox; only the checker and Config.Watch see what is in it.
func (s *simulation) discard() {
	for e := s.parts.inbox.pop(); e != nil; e = s.parts.inbox.pop() {
		if s.centre.open(e) && e.part == 0 {
			if err := s.watch(e); err != nil {
				s.clock.fail(err)
			}
		}
	}
}

// settleWires settles what is between the centre and the nodes: it refuses Starts that have not arrived, and does
// everything else at once.
func (s *simulation) settleWires() {
	for _, x := range s.slips.settle(func(*slip) bool { return true }) {
		if !x.mail { // messages are lost
			s.settle(x.order)
		}
	}
	clear(s.slips.channels)
	for s.reports.wire.some() || s.orders.wire.some() {
		for s.reports.wire.some() {
			s.centre.hear(s.reports.wire.pop())
		}
		for s.orders.wire.some() {
			s.settle(s.orders.wire.pop())
		}
	}
}

func (s *simulation) settle(o order) {
	if o.action.Kind == policy.Start {
		s.machines.refuse(&o)
	} else {
		s.orders.carryOut(&o)
	}
}

// settleNodes brings every copy into one of two states, running (or reloading) or suspended, or to its end if it is being saved.
func (s *simulation) settleNodes() {
	for id := range s.nodes.all {
		s.machines.refuseWaiting(policy.NodeID(id))
	}
	for at := range s.books.attempts.End() {
		a := s.books.attempts.At(at)
		switch a.state {
		case suspending, turning:
			s.clock.cancel(&a.event)
			a.state = suspending
			s.machines.copyFreed(at)
		case resuming:
			s.clock.cancel(&a.event)
			s.machines.copyBack(at)
		case saving:
			s.clock.cancel(&a.event)
			s.machines.copySaved(at)
		}
	}
}

// replay puts the present state into the inboxes.
func (s *simulation) replay() {
	for id := 1; id < len(s.nodes.all); id++ {
		if n := &s.nodes.all[id]; n.up {
			ev := policy.Event{Kind: policy.Joined, Replay: true, Node: n.info.ID, Info: n.info}
			s.parts.join(&ev)
			s.parts.tell(0, &ev)
		}
		s.parts.all[id].known = s.parts.all[id].life
	}
	for id, j := range s.books.jobs.All() {
		if j.over {
			continue
		}
		s.parts.tell(0, &policy.Event{Kind: policy.Submitted, Replay: true, Copy: policy.Copy{Task: policy.Task{Job: id}}, Job: j.spec})
		for i := range j.stages {
			if j.stages[i].ready {
				task := policy.Task{Job: id, Stage: uint32(i)}
				s.parts.tell(0, &policy.Event{Kind: policy.Ready, Replay: true, Copy: policy.Copy{Task: task}})
				s.replayStage(&j.stages[i], task, j.saved)
			}
		}
	}
	for id := range s.parts.all {
		if s.parts.all[id].policy != nil {
			s.parts.tell(policy.NodeID(id), &policy.Event{Kind: policy.Restored})
		}
	}
}

func (s *simulation) replayStage(st *stage, task policy.Task, saved map[policy.Task]save) {
	for i, at := range st.units {
		task.Index = uint32(i)
		used, done, last := uint32(max(0, -at)), at < 0, policy.Refused
		if a := s.books.first(st, task.Index); a != nil {
			used, done, last = a.used, a.done(), cmp.Or(a.last, last)
		}
		ev := policy.Event{Replay: true, Copy: policy.Copy{Task: task, N: max(1, used) - 1}}
		switch {
		case done:
			ev.Kind = policy.Finished
			s.parts.tell(0, &ev)
		case used > 0:
			copies := s.books.copies(st, task.Index)
			if n := len(copies); n == 0 || s.books.attempts.At(copies[n-1]).n < ev.Copy.N {
				ev.Kind, ev.Again, ev.Saved = last, n == 0, saved[task].work
				s.parts.tell(0, &ev)
			}
			for _, at := range copies {
				s.replayEvent(at, policy.Started)
				if s.books.attempts.At(at).state == suspended {
					s.replayEvent(at, policy.Suspended)
				}
			}
		}
	}
}

func (s *simulation) replayEvent(at int32, kind policy.EventKind) {
	ev := s.machines.tells(at, kind, s.machines.served(s.books.attempts.At(at))).event
	ev.Replay = true
	s.parts.tellNodes(&ev)
	s.parts.tell(0, &ev)
}

package sim

import (
	"cmp"
	"errors"
	"fmt"

	"example.com/augur/policy"
)

// restart drops the policy and reports the present state to a new one (see Restart in package policy). The nodes, and
// the copies on them, go on.
func (s *cluster) restart() {
	s.settleWires()
	s.settleNodes()
	s.settleWires()
	s.lives++
	s.result.Faults.Restarts++
	s.mail = wire[message]{}
	for id := range s.nodes { // 0 is the centre
		s.wake(policy.NodeID(id), policy.Never)
	}

	// What the old policy will not hear any more, those who watch still must.
	s.discard()
	s.checker.Restart()
	if s.record != nil {
		if err := s.record.Encode(entry{Restart: true}); err != nil {
			s.fail(fmt.Errorf("sim: recording: %w", err))
		}
	}
	p, err := s.config.Faults.NewPolicy()
	if err != nil {
		s.fail(fmt.Errorf("sim: making the policy anew: %w", err))
		return
	}
	if p == nil {
		s.fail(errors.New("sim: Faults.NewPolicy returned a nil policy and no error, want one of the two"))
		return
	}
	s.centre = p
	s.distributed, _ = p.(policy.Distributed)
	s.replay()
}

// discard empties the inbox; only the checker and Config.Watch see what is in it.
func (s *cluster) discard() {
	for e := s.inbox.pop(); e != nil; e = s.inbox.pop() {
		if s.open(e) && e.part == 0 {
			if err := s.watch(e); err != nil {
				s.fail(err)
			}
		}
	}
}

// settleWires settles what is between the centre and the nodes: it refuses Starts that have not arrived, and does
// everything else at once.
func (s *cluster) settleWires() {
	s.settleSlips()
	for s.news.len() > 0 || s.orders.len() > 0 {
		for s.news.len() > 0 {
			r := s.news.pop()
			s.hear(&r)
		}
		for s.orders.len() > 0 {
			o := s.orders.pop()
			if o.action.Kind == policy.Start {
				s.refuse(&o)
			} else {
				s.carryOut(&o)
			}
		}
	}
}

// settleNodes brings every copy into one of two states, running or suspended.
func (s *cluster) settleNodes() {
	for id := range s.nodes {
		n := &s.nodes[id]
		wants := n.wants
		n.wants = nil
		for _, w := range wants {
			if w.action.Kind == policy.Start {
				s.refuse(&w)
			}
		}
	}
	for at := range s.attempts.End() {
		a := s.attempts.At(at)
		switch a.state {
		case suspending, turning:
			s.cancelEvent(&a.event)
			a.state = suspending
			s.copyFreed(at)
		case resuming:
			s.cancelEvent(&a.event)
			s.copyBack(at)
		}
	}
}

// replay puts the present state into the inboxes.
func (s *cluster) replay() {
	for id := 1; id < len(s.nodes); id++ {
		n := &s.nodes[id]
		n.known = n.life
		if !n.up {
			continue
		}
		n.life++
		n.known++
		ev := policy.Event{Kind: policy.Joined, Replay: true, Node: n.info.ID, Info: n.info}
		if n.part = nil; s.distributed != nil {
			n.part = s.distributed.Part(n.info)
			s.tell(n.info.ID, &ev)
		}
		s.tell(0, &ev)
	}
	for id, j := range s.jobs.All() {
		if j.over {
			continue
		}
		s.tell(0, &policy.Event{Kind: policy.Submitted, Replay: true, Copy: policy.Copy{Task: policy.Task{Job: id}}, Job: j.spec})
		for i := range j.stages {
			if j.stages[i].ready {
				task := policy.Task{Job: id, Stage: uint32(i)}
				s.tell(0, &policy.Event{Kind: policy.Ready, Replay: true, Copy: policy.Copy{Task: task}})
				s.replayStage(&j.stages[i], task)
			}
		}
	}
	for id := range s.nodes {
		if id == 0 || s.nodes[id].part != nil {
			s.tell(policy.NodeID(id), &policy.Event{Kind: policy.Restored})
		}
	}
}

func (s *cluster) replayStage(st *stage, task policy.Task) {
	for i, at := range st.units {
		task.Index = uint32(i)
		used, done, last := uint32(max(0, -at)), at < 0, policy.Refused
		if a := s.first(st, task.Index); a != nil {
			used, done, last = a.used, a.done(), cmp.Or(a.last, last)
		}
		ev := policy.Event{Replay: true, Copy: policy.Copy{Task: task, N: max(1, used) - 1}}
		switch {
		case done:
			ev.Kind = policy.Finished
			s.tell(0, &ev)
		case used > 0:
			copies := s.copies(st, task.Index)
			if n := len(copies); n == 0 || s.attempts.At(copies[n-1]).n < ev.Copy.N {
				ev.Kind, ev.Again = last, n == 0
				s.tell(0, &ev)
			}
			for _, at := range copies {
				s.replayEvent(at, policy.Started)
				if s.attempts.At(at).state == suspended {
					s.replayEvent(at, policy.Suspended)
				}
			}
		}
	}
}

func (s *cluster) replayEvent(at int32, kind policy.EventKind) {
	ev := s.tells(at, kind, s.served(s.attempts.At(at))).event
	ev.Replay = true
	if s.distributed != nil {
		s.tellNodes(&ev)
	}
	s.tell(0, &ev)
}

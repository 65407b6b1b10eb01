package sim

import (
	"context"
	"fmt"
	"math"

	"example.com/augur/policy"
)

// fail keeps the first error of a handler, which ends the loop.
func (s *cluster) fail(err error) {
	if s.failed == nil {
		s.failed = err
	}
}

const (
	checkEvery = 1 << 16 // jumps of the clock between two looks at the context
	tellEvery  = 1 << 6  // events between two calls of Config.Progress
	maxIdle    = 1 << 20 // events without any effect that prove a stall
)

func (s *cluster) run(ctx context.Context) error {
	if err := s.read(); err != nil {
		return err
	}
	s.begin()
	for {
		if s.failed != nil {
			return s.failed
		}
		if err := ctx.Err(); err != nil { // however little the policy is told
			return err
		}
		if s.pending == nil && s.jobs.Len() == 0 {
			break // the work is done
		}
		if at, ok := s.next(); ok && !s.stalled() {
			if s.config.Pause != nil && at > s.now {
				s.config.Pause(s.state, s.now, at)
			}
			at, err := s.jump(ctx, at)
			if err != nil {
				return err
			}
			s.pass(at)
			if err := s.instant(ctx); err != nil {
				return err
			}
		} else if !s.stall() {
			break
		}
		if err := s.deliver(ctx); err != nil {
			return err
		}
	}
	return s.finish()
}

// next returns the instant of the next event.
func (s *cluster) next() (at policy.Time, ok bool) {
	at = math.MaxInt64
	if t := s.upcoming(); t != nil {
		at, ok = t.at, true
	}
	if s.pending != nil {
		at, ok = min(at, s.pending.Submitted), true
	}
	if t, some := s.news.due(); some {
		at, ok = min(at, t), true
	}
	if t, some := s.orders.due(); some {
		at, ok = min(at, t), true
	}
	if t, some := s.mail.due(); some {
		at, ok = min(at, t), true
	}
	return at, ok
}

// stalled reports whether only the policy's own alarms and messages are left, and have had no effect for long. (At
// one instant that is a circle: see deliver.)
func (s *cluster) stalled() bool {
	return s.external == 0 && s.pending == nil && s.news.len() == 0 && s.orders.len() == 0 && s.idle-s.spin > maxIdle
}

// stall ends the jobs that are left. It returns false if there are none.
func (s *cluster) stall() bool {
	s.idle = 0
	ended := false
	for _, j := range s.jobs.All() {
		if j.outcome == 0 {
			s.endJob(j, policy.Stalled)
			ended = true
		}
	}
	return ended
}

// instant handles everything that is due now, in the order of rule Time.
func (s *cluster) instant(ctx context.Context) error {
	s.due(1)
	for s.news.has(s.now) {
		r := s.news.pop()
		s.hear(&r)
	}
	for s.orders.has(s.now) {
		o := s.orders.pop()
		s.obey(&o)
	}
	s.due(3)
	for s.mail.has(s.now) {
		m := s.mail.pop()
		s.arrive(&m)
	}
	s.due(4)
	for s.pending != nil && s.pending.Submitted <= s.now {
		s.submit(s.pending)
		if err := s.read(); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil { // there may be no end of them
			return err
		}
	}
	s.due(math.MaxUint8)
	return s.failed
}

// due handles the timed events of this instant, up to a class.
func (s *cluster) due(class uint64) {
	for {
		first := s.upcoming()
		if first == nil || first.at > s.now || first.order>>56 > class {
			return
		}
		t := *first
		s.agenda.pop()
		if s.isExternal(t.what, t.index) {
			s.external--
		}
		s.happen(&t)
	}
}

func (s *cluster) happen(t *timed) {
	switch t.what {
	case copyDue, copyFreed, copyBack:
		s.attempts.At(int32(t.index)).event = 0
	case alarmDue, lateAlarmDue:
		*s.alarm(policy.NodeID(t.index)) = 0
	}
	switch t.what {
	case copyDue:
		s.copyDue(int32(t.index))
	case copyFreed:
		s.copyFreed(int32(t.index))
	case copyBack:
		s.copyBack(int32(t.index))
	case restarts:
		s.restart()
	case nodeFails:
		s.nodeFails(t.index)
	case nodeBack:
		s.nodeBack(t.index)
	case askDue:
		s.askDue(t.index)
	case lateAlarmDue:
		s.result.Faults.ActionsLate++
		s.tell(policy.NodeID(t.index), &policy.Event{Kind: policy.Woken})
	case alarmDue:
		s.tell(policy.NodeID(t.index), &policy.Event{Kind: policy.Woken})
	case slipDue:
		s.slipDue(t.index)
	case mailAside:
		m := *s.asidePosts.At(int32(t.index))
		s.asidePosts.Drop(int32(t.index))
		if m.life == s.lives {
			s.arrive(&m)
		}
	case jobCancelled:
		if j := s.jobs.Get(s.config.Faults.Cancels[t.index].Job); j != nil {
			s.result.Faults.Cancels++
			s.endJob(j, policy.Cancelled)
		}
	}
}

// read takes the next job from the source and checks it.
func (s *cluster) read() error {
	if s.drained {
		s.pending = nil
		return nil
	}
	last := s.pending
	j, err, ok := s.source()
	if !ok {
		s.drained, s.pending = true, nil
		return nil
	}
	if err != nil {
		return fmt.Errorf("sim: reading jobs: %w", err)
	}
	if err := j.Validate(); err != nil {
		return fmt.Errorf("sim: reading jobs: %w", err)
	}
	if last != nil && j.Submitted < last.Submitted {
		return fmt.Errorf("sim: job %d is submitted at %v s, before job %d, which came first, at %v s; want order of submission, as workload.ReadAll returns", j.ID, j.Submitted.Seconds(), last.ID, last.Submitted.Seconds())
	}
	s.pending = j
	return nil
}

// begin starts the clock at the first submission; the nodes join then.
func (s *cluster) begin() {
	if s.pending != nil {
		s.now = s.pending.Submitted
	}
	s.usage.since = s.now
	s.result.Begin, s.result.End = s.now, s.now
	for id := 1; id < len(s.nodes); id++ {
		s.join(policy.NodeID(id))
	}
	s.plan()
}

// pass advances the clock.
func (s *cluster) pass(at policy.Time) {
	if at > s.now {
		s.usage.advance(s.now, at)
		s.now, s.spin = at, 0
	}
}

// changed records that something has happened to a job or a copy.
func (s *cluster) changed() { s.idle, s.spin = 0, 0 }

// deliver reports what is in the inbox to the policy and carries out its answers, which may put more into the inbox,
// until the inbox is empty.
func (s *cluster) deliver(ctx context.Context) error {
	for {
		e := s.inbox.pop()
		if e == nil {
			return s.failed
		}
		if !s.open(e) {
			continue
		}
		part := s.part(e)
		if part == nil {
			continue // the node has left
		}
		if e.holds {
			if err := s.watch(e); err != nil {
				return err
			}
			continue
		}
		e.event.More = e.part == 0 && s.inbox.centre > 0
		if err := s.step(part, e); err != nil {
			return err
		}
		if s.result.Events%tellEvery == 0 && s.config.Progress != nil {
			s.config.Progress(s.ended, s.result.Events)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.spin > maxIdle+8*(len(s.nodes)+int(s.attempts.End())) {
			return s.checker.Breach("No circles", "%d events at one instant, and no job or copy came or went: the policy goes round in a circle", s.spin)
		}
	}
}

// watch shows an event to the checker and to Config.Watch.
func (s *cluster) watch(e *letter) error {
	if s.config.Watch != nil {
		s.config.Watch(e.part, &e.event)
	}
	if e.holds {
		return nil // it is no event of the contract
	}
	return s.checker.Event(e.part, &e.event)
}

func (s *cluster) step(part policy.Scheduler, e *letter) error {
	if err := s.watch(e); err != nil {
		return err
	}
	s.result.Events++
	if e.part == 0 && e.event.Kind == policy.Joined && !e.event.Replay {
		s.nodes[e.event.Node].known++
	}
	if !e.event.Replay {
		s.idle++
		s.spin++
	}
	actions, err := part.Step(&e.event, s.actions[:0])
	s.actions = actions
	if err != nil {
		return fmt.Errorf("sim: at %v s, %v: %w", s.now.Seconds(), e.event.Kind, err)
	}
	// e is overwritten by what the actions cause.
	id := e.part
	var bad error
	for i := 0; i < len(actions) && bad == nil; i++ {
		bad = s.checker.Action(id, s.now, &actions[i])
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
	return s.failed
}

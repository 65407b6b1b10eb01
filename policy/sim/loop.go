package sim

import (
	"context"
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/check"
)

// A simulation is a run. An event goes through its rooms one after another: the clock says when it is due; orders go
// down to the machines, which put copies on nodes, and reports go up to the centre, which tells the policy's parts.
type simulation struct {
	config   Config
	clock    clock
	jumps    jumps
	nodes    nodes
	books    books
	slips    slips
	parts    parts
	mail     mail
	orders   orders
	reports  reports
	machines machines
	centre   centre
	outages  outages

	source  func() (*policy.Job, error, bool)
	pending *policy.Job // read from the source, not yet submitted
	drained bool        // the source has no more
	actions []policy.Action
	state   *State // for Config.Pause
	checker *check.Checker
	record  *recorder
	result  *Result
	ended   int // jobs
}

const (
	tellEvery = 1 << 6  // events between two calls of Config.Progress
	maxIdle   = 1 << 20 // events without any effect that prove a stall
)

func (s *simulation) run(ctx context.Context) error {
	if err := s.read(); err != nil {
		return err
	}
	s.begin()
	for {
		if s.clock.failed != nil {
			return s.clock.failed
		}
		if err := ctx.Err(); err != nil { // however little the policy is told
			return err
		}
		if s.pending == nil && s.books.jobs.Len() == 0 {
			return s.finish() // the work is done
		}
		if at, ok := s.next(); ok && !s.stalled() {
			if err := s.pass(ctx, at); err != nil {
				return err
			}
			if err := s.instant(ctx); err != nil {
				return err
			}
		} else if !s.stall() {
			return s.finish()
		}
		if err := s.deliver(ctx); err != nil {
			return err
		}
	}
}

// read takes the next job from the source and checks it.
func (s *simulation) read() error {
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
	if err == nil {
		err = j.Validate()
	}
	if err != nil {
		return fmt.Errorf("sim: reading jobs: %w", err)
	}
	if last != nil && j.Submitted < last.Submitted {
		return fmt.Errorf("sim: job %d is submitted at %v s, before job %d, which came first, at %v s; want order of submission, as workload.ReadAll returns", j.ID, j.Submitted.Seconds(), last.ID, last.Submitted.Seconds())
	}
	s.pending = j
	return nil
}

// begin starts the clock at the first submission; the nodes join then.
func (s *simulation) begin() {
	if s.pending != nil {
		s.clock.now = s.pending.Submitted
	}
	now := s.clock.now
	s.clock.begin = now
	s.result.Begin, s.result.End = now, now
	for id := 1; id < len(s.nodes.all); id++ {
		s.outages.join(policy.NodeID(id))
	}
	f := &s.config.Faults
	s.outages.plan()
	for i, c := range f.Cancels {
		s.clock.at(max(c.At, now), jobCancelled, uint32(i))
	}
	for _, t := range f.Restarts {
		s.clock.at(max(t, now), restarts, 0)
	}
	s.jumps = newJumps(f, now)
}

// next returns the instant of the next event, false if there is none.
func (s *simulation) next() (at policy.Time, ok bool) {
	at = math.MaxInt64
	first := s.clock.next()
	if first != nil {
		at = first.at
	}
	if s.pending != nil {
		at = min(at, s.pending.Submitted)
	}
	at = s.mail.wire.next(s.orders.wire.next(s.reports.wire.next(at)))
	return at, first != nil || s.pending != nil || s.reports.wire.some() || s.orders.wire.some() || s.mail.wire.some()
}

// stalled reports whether only the policy's own alarms and messages are left, and have had no effect for long. (At
// one instant that is a circle: see deliver.)
func (s *simulation) stalled() bool {
	return s.clock.external == 0 && s.pending == nil && !s.reports.wire.some() && !s.orders.wire.some() && s.clock.idle-s.clock.spin > maxIdle
}

// stall ends the jobs that are left. It returns false if there are none.
func (s *simulation) stall() bool {
	s.clock.idle = 0
	ended := false
	for _, j := range s.books.jobs.All() {
		if j.outcome == 0 {
			s.centre.endJob(j, policy.Stalled)
			ended = true
		}
	}
	return ended
}

// pass advances the clock to an instant, or further if it jumps.
func (s *simulation) pass(ctx context.Context, at policy.Time) error {
	now := s.clock.now
	if at <= now {
		return nil // what is told at this instant is not all told yet
	}
	if s.config.Pause != nil {
		s.config.Pause(s.state, now, at)
	}
	to, err := s.jumps.over(ctx, at)
	if err != nil {
		return err
	}
	if to > at {
		s.result.Faults.Jumps++
		s.clock.postpone(to)
	}
	s.nodes.usage.advance(now, to)
	s.clock.now, s.clock.spin = to, 0
	return nil
}

// instant handles everything that is due now, in the order of rule Time.
func (s *simulation) instant(ctx context.Context) error {
	s.due(1)
	for s.reports.wire.has() {
		s.centre.hear(s.reports.wire.pop())
	}
	for s.orders.wire.has() {
		o := s.orders.wire.pop()
		s.orders.obey(&o)
	}
	s.due(3)
	for s.mail.wire.has() {
		x := s.mail.wire.pop()
		s.mail.arrive(&x)
	}
	s.due(4)
	for s.pending != nil && s.pending.Submitted <= s.clock.now {
		s.centre.submit(s.pending)
		if err := s.read(); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil { // there may be no end of them
			return err
		}
	}
	s.due(5)
	return s.clock.failed
}

// due handles the timed events of this instant, up to a class.
func (s *simulation) due(class uint64) {
	for t, ok := s.clock.take(class); ok; t, ok = s.clock.take(class) {
		s.happen(t.what, int32(t.index))
	}
}

func (s *simulation) happen(what happening, index int32) {
	switch what {
	case copyDue, copyFreed, copyBack, copyLoaded, copySaved:
		s.machines.due(what, index)
	case restarts:
		s.restart()
	case nodeFails, chanceFails:
		s.outages.begin(int(index))
	case nodeBack, chanceBack:
		s.outages.end(int(index))
	case askDue:
		s.machines.askDue(index)
	case lateAlarmDue:
		s.result.Faults.ActionsLate++
		s.parts.ring(policy.NodeID(index))
	case alarmDue:
		s.parts.ring(policy.NodeID(index))
	case slipDue:
		if x, ok := s.slips.due(index); ok && x.mail {
			s.mail.wire.push(&x.message)
		} else if ok {
			s.orders.carryOut(&x.order)
		}
	case mailAside:
		s.mail.asideDue(index)
	case jobCancelled:
		if j := s.books.jobs.Get(s.config.Faults.Cancels[index].Job); j != nil {
			s.result.Faults.Cancels++
			s.centre.endJob(j, policy.Cancelled)
		}
	}
}

// giveUp ends a job that the policy does not want any more.
func (s *simulation) giveUp(id policy.JobID) {
	if j := s.books.jobs.Get(id); j != nil {
		s.centre.endJob(j, policy.GivenUp)
	}
}

// over records a job that is over.
func (s *simulation) over(r *JobRecord) {
	s.ended++
	s.result.End = max(s.result.End, r.Ended)
	if s.config.Ended != nil {
		s.config.Ended(r)
		return
	}
	s.result.Jobs = append(s.result.Jobs, *r)
}

// finish completes the result.
func (s *simulation) finish() error {
	r, u := s.result, &s.nodes.usage
	if err := s.checker.Done(); err != nil {
		return err
	}
	if u.busy != 0 {
		return fmt.Errorf("sim: internal error: %d cores are in use, but every job has ended", u.busy)
	}
	slices.SortFunc(r.Jobs, byID)
	r.Submitted, r.Busy, r.Available = s.centre.submitted, u.busyTime, u.available
	return nil
}

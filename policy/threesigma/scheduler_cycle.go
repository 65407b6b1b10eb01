package threesigma

import (
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/threesigma/plan"
)

// A held is a running unit that may be killed.
type held struct {
	u     *unit
	may   bool
	index int // in the problem, if it may
}

// cycle makes a plan and carries out what of it is due.
func (s *Scheduler) cycle(actions []policy.Action) []policy.Action {
	s.last = Cycle{N: s.last.N + 1, Time: s.now}
	s.gather()
	if len(s.list) == 0 {
		return actions
	}
	same := s.pools.begin(s.used(), len(s.cluster.parts))
	s.drafted()
	problem := s.draft.Problem()
	choice := s.solve(problem, same)
	s.intend(problem, choice)
	actions = s.giveUp(actions)
	actions = s.carryOut(problem, choice, actions)
	s.letGo()
	return actions
}

// letGo lets go of the jobs and units of a cycle, which may be over before the next one.
func (s *Scheduler) letGo() {
	clear(s.list)
	clear(s.holds)
	s.list, s.holds = s.list[:0], s.holds[:0]
}

// drafted drafts the problem, and lists the running units that it has jobs for. A distribution that turns out to
// have no values where it is asked is one of which nothing is known from then on.
func (s *Scheduler) drafted() {
	nodes := make([]float64, len(s.pools.list))
	for p := range s.cluster.parts {
		for _, k := range s.pools.member[p] {
			nodes[k] += float64(s.cluster.parts[p].cores)
		}
	}
	now := s.seconds(s.now)
	s.best = s.bestEffort(now)
	s.fail(s.draft.Begin(now, nodes))
	// The first candidate has a deadline if any has.
	kill := !s.config.NoPreemption && s.list[0].j.deadline
	scratch := make([]float64, len(nodes))
	for _, u := range s.running {
		var place plan.Place
		if len(u.held) == 0 {
			place = s.pools.appendPlace(nil, u.set, float64(u.width))
		} else {
			place = s.pools.appendHeld(nil, u.held, scratch)
		}
		h := held{u: u}
		err := s.run(&h, place, kill)
		if err != nil {
			u.runtime = nil
			s.fail(fmt.Errorf("threesigma: %v: %w", u.copy, err))
			err = s.run(&h, place, kill)
		}
		s.fail(err)
		if h.may {
			s.holds = append(s.holds, h)
		}
	}
	for i := range s.list {
		c := &s.list[i]
		err := s.offer(c)
		if err != nil {
			c.est.runtime, c.est.epoch = nil, -1
			s.fail(fmt.Errorf("threesigma: job %d: %w", c.j.Job.ID, err))
			s.place(c)
			err = s.offer(c)
		}
		s.fail(err)
	}
}

// fail takes note of the first error of a cycle.
func (s *Scheduler) fail(err error) {
	if s.last.Err == nil {
		s.last.Err = err
	}
}

// run drafts a running unit: one that may be killed has a job.
func (s *Scheduler) run(h *held, place plan.Place, kill bool) error {
	u := h.u
	runtime, elapsed, err := s.left(u)
	if err != nil {
		return err
	}
	if !kill || u.job.deadline || u.killed || !u.began {
		return s.draft.Occupy(place, runtime, elapsed)
	}
	value := s.worth(u, runtime)
	if value > plan.MaxUtility { // nothing is worth to kill it
		return s.draft.Occupy(place, runtime, elapsed)
	}
	h.index, err = s.draft.Hold(value, place, runtime, elapsed)
	h.may = err == nil
	return err
}

// worth returns the value of letting a best-effort unit go on: what it is still expected to be worth, and what
// its cores would be in the time that it has run, which would have to be done again.
func (s *Scheduler) worth(u *unit, runtime Distribution) float64 {
	value := s.config.BestEffort.Value
	if runtime != nil {
		value = s.best.Expected(runtime, u.since)
	}
	again := max(0, s.seconds(s.now)-u.since) / s.config.BestEffort.Horizon.Seconds()
	return value + float64(s.config.BestEffort.Value*float64(u.width)*again)
}

// bestEffort returns the utility of what has no deadline, but for what it is worth to have waited.
func (s *Scheduler) bestEffort(now float64) Utility {
	value, horizon := s.config.BestEffort.Value, s.config.BestEffort.Horizon.Seconds()
	u, err := NewUtility(Point{now, value}, Point{now + horizon, value / 10}, Point{now + float64(100*horizon), value / 1000})
	s.fail(err)
	return u
}

// giveUp gives up what is late, if that is to be.
func (s *Scheduler) giveUp(actions []policy.Action) []policy.Action {
	for i := range s.list {
		c := &s.list[i]
		if !c.j.givenUp && s.givesUp(c) {
			c.j.givenUp = true
			actions = append(actions, policy.Action{Kind: policy.GiveUp, Copy: policy.Copy{Task: policy.Task{Job: c.j.Job.ID}}})
		}
	}
	return actions
}

package threesigma

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/threesigma/plan"
)

// A candidate is what of a job waits and is looked at in a cycle: a gang, or a number of tasks. A bag of tasks
// is several candidates, of 1, 2, 4 and so on and what is left, so that any number of them can be chosen.
type candidate struct {
	j     *jobView
	stage uint32
	units int
	est   *estimate
	sites []Site
	index int   // in the problem
	set   int32 // of partitions, where it is to start now
}

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
	return s.carryOut(problem, choice, actions)
}

// gather lists the candidates.
func (s *Scheduler) gather() {
	total := int64(0)
	for i := range s.cluster.parts {
		total += s.cluster.parts[i].cores
	}
	list := s.list[:0]
	for _, j := range s.view.Jobs() {
		stage, ok := j.Next()
		if !ok || j.Own.givenUp || j.Own.skip > s.last.N || j.Job.Stages[stage].Width() > total {
			continue
		}
		if j.Own.late && j.Own.lateAt != s.cluster.epoch {
			s.value(j, stage) // there may be nodes now where it is not
		}
		list = append(list, candidate{j: j, stage: stage, units: 1})
	}
	slices.SortFunc(list, func(a, b candidate) int { return before(a.j, b.j) })
	s.last.Waiting = len(list)
	if n := s.config.Candidates; len(list) > n {
		// The sort is stable, so that of equal widths those that came first go first.
		rest := list[n-n/4:]
		slices.SortStableFunc(rest, func(a, b candidate) int {
			return cmp.Or(urgency(a.j, b.j), cmp.Compare(a.width(), b.width()))
		})
		list = list[:n]
	}
	for i := range list {
		c := &list[i]
		stage := &c.j.Job.Stages[c.stage]
		// More than there are cores can wait for the next cycle.
		left := int64(min(c.j.Waiting, int(stage.Units()))) - 1
		left = min(left, total/stage.Width()-1)
		for units := int64(2); left > 0; units *= 2 {
			n := min(units, left)
			list = append(list, candidate{j: c.j, stage: c.stage, units: int(n)})
			left -= n
		}
	}
	s.list = list
}

// width returns the cores of a task or gang of a candidate.
func (c *candidate) width() int64 { return c.j.Job.Stages[c.stage].Width() }

// urgency puts jobs with deadlines before others.
func urgency(a, b *jobView) int {
	switch {
	case a.Own.deadline == b.Own.deadline:
		return 0
	case a.Own.deadline:
		return -1
	}
	return 1
}

// before is the order in which jobs are looked at.
func before(a, b *jobView) int {
	c := urgency(a, b)
	if c == 0 && a.Own.deadline {
		c = cmp.Compare(a.Job.SLO.Deadline, b.Job.SLO.Deadline)
	}
	return cmp.Or(c, cmp.Compare(a.Job.Submitted, b.Job.Submitted), cmp.Compare(a.Job.ID, b.Job.ID))
}

// used returns the sets of partitions that something may be taken from, in rising order.
func (s *Scheduler) used() []int32 {
	var used []int32
	for i := range s.list {
		c := &s.list[i]
		c.est = &c.j.Own.stages[c.stage]
		if c.est.epoch != s.cluster.epoch {
			s.place(c)
		}
		for _, a := range c.est.areas {
			used = append(used, a.set)
		}
	}
	for _, u := range s.running {
		if len(u.held) == 0 {
			used = append(used, u.set) // it is not known yet where
		}
	}
	slices.Sort(used)
	return slices.Compact(used)
}

// place finds where a candidate may run.
func (s *Scheduler) place(c *candidate) {
	e := c.est
	e.epoch = s.cluster.epoch
	e.areas = s.cluster.areas(&c.j.Job.Stages[c.stage], &s.pools.sets)
	e.runtimes = e.runtimes[:0]
	for _, a := range e.areas {
		var d Distribution
		if e.runtime != nil {
			d = scaled(e.runtime, a.factor)
		}
		e.runtimes = append(e.runtimes, d)
	}
}

// drafted drafts the problem, and lists the running units that it has jobs for. A distribution that turns out to
// have no values where it is asked is one of which nothing is known from then on.
func (s *Scheduler) drafted() {
	s.holds = s.holds[:0]
	nodes := make([]float64, len(s.pools.list))
	for p := range s.cluster.parts {
		for _, k := range s.pools.member[p] {
			nodes[k] += float64(s.cluster.parts[p].cores)
		}
	}
	now := s.now.Seconds()
	s.best = s.bestEffort(now)
	s.fail(s.draft.Begin(now, nodes))
	// The first candidate has a deadline if any has.
	kill := !s.config.NoPreemption && s.list[0].j.Own.deadline
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
	if !kill || u.job.Own.deadline || u.killed || !u.began {
		return s.draft.Occupy(place, runtime, elapsed)
	}
	h.index, err = s.draft.Hold(s.worth(u, runtime), place, runtime, elapsed)
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
	again := max(0, s.now.Seconds()-u.since) / s.config.BestEffort.Horizon.Seconds()
	return value + float64(s.config.BestEffort.Value*float64(u.width)*again)
}

// bestEffort returns the utility of what has no deadline, but for what it is worth to have waited.
func (s *Scheduler) bestEffort(now float64) Utility {
	value, horizon := s.config.BestEffort.Value, s.config.BestEffort.Horizon.Seconds()
	u, err := NewCurve(Point{now, value}, Point{now + horizon, value / 10}, Point{now + float64(100*horizon), value / 1000})
	s.fail(err)
	return u
}

// offer offers a candidate its sites. One with a deadline that nothing is worth is late.
func (s *Scheduler) offer(c *candidate) (err error) {
	own := &c.j.Own
	if own.deadline {
		s.find(c, 1)
		c.index, err = s.draft.Offer(own.utility, c.sites)
		if err != nil || len(s.draft.Problem().Jobs[c.index].Options) > 0 || len(c.sites) == 0 {
			return err
		}
		own.deadline, own.tail, own.utility = false, false, Utility{}
		own.late, own.lateAt = true, s.cluster.epoch
	}
	if s.givesUp(c) {
		c.index, err = s.draft.Offer(Utility{}, nil)
		return err
	}
	waited := max(0, s.now.Sub(c.j.Job.Submitted).Seconds())
	s.find(c, 1+waited/s.config.BestEffort.Horizon.Seconds())
	c.index, err = s.draft.Offer(s.best, c.sites)
	return err
}

// givesUp reports whether a candidate is to be given up: it is late, and no partition is known of that it waits
// for.
func (s *Scheduler) givesUp(c *candidate) bool {
	return s.config.Late == GiveUpLate && c.j.Own.late && s.cluster.complete(&c.j.Job.Stages[c.stage])
}

// find lists the sites of a candidate, one for each of its areas. It is worth so many times its utility.
func (s *Scheduler) find(c *candidate, worth float64) {
	c.sites = c.sites[:0]
	stage := &c.j.Job.Stages[c.stage]
	for i, a := range c.est.areas {
		c.sites = append(c.sites, Site{
			Place:   s.pools.appendPlace(nil, a.set, float64(c.units)*float64(stage.Width())),
			Worth:   worth * float64(c.units) / float64(max(c.units, min(c.j.Waiting, int(stage.Units())))),
			Runtime: c.est.runtimes[i],
		})
	}
}

// solve asks the solver, and checks its answer. If that is wrong, or no better than the last plan although more
// may be possible, the greedy solver is asked too, which takes little: else a solver that has no time would let
// jobs wait for ever.
func (s *Scheduler) solve(p *plan.Problem, same bool) []int {
	o := plan.Options{Iterations: s.config.Iterations, Seed: s.config.Seed + s.last.N, Start: s.before(p)}
	if same && s.prices != nil {
		shift := math.Round((s.now.Seconds() - s.planned) / s.config.Window.Width)
		o.Warm = s.prices.Shift(int(min(shift, float64(s.config.Window.Slots))))
	}
	ctx, cancel := context.Background(), func() {}
	if s.config.Context != nil {
		ctx, cancel = s.config.Context()
	}
	defer cancel()
	solution, err := s.config.Solver.Solve(ctx, p, o)
	if err == nil {
		solution.Objective, err = p.Value(solution.Choice)
	}
	if err != nil {
		s.fail(fmt.Errorf("threesigma: solver: %w", err))
		solution = plan.Solution{Bound: math.Inf(1)}
	}
	if err != nil || !solution.Proved && slices.Equal(solution.Choice, o.Start) {
		greedy, err := plan.Greedy{}.Solve(context.Background(), p, plan.Options{Start: o.Start})
		s.fail(err)
		if solution.Choice == nil || greedy.Objective > solution.Objective {
			solution.Choice, solution.Objective = greedy.Choice, greedy.Objective
			solution.Bound = min(solution.Bound, greedy.Bound)
		}
	}
	s.prices, _ = solution.State.(plan.Prices)
	s.planned = s.now.Seconds()
	s.last.note(p, &solution)
	return solution.Choice
}

// before returns the choice that the last cycle's plan is in this one: what runs goes on, and what waits starts
// when it was to, where it was to.
func (s *Scheduler) before(p *plan.Problem) []int {
	choice := make([]int, len(p.Jobs))
	for j := range choice {
		choice[j] = plan.None
		if len(p.Jobs[j].Options) == 1 {
			choice[j] = 0
		}
	}
	now := s.now.Seconds()
	for i := range s.list {
		c := &s.list[i]
		in := &c.j.Own.intent
		choice[c.index] = plan.None
		if !in.chosen || !c.j.Job.Stages[c.stage].Gang {
			continue
		}
		slot := int32(max(0, math.Ceil((in.start-now)/s.config.Window.Width-1e-9)))
		for o := range p.Jobs[c.index].Options {
			option := &p.Jobs[c.index].Options[o]
			if option.Start == slot && c.est.areas[option.Place].set == in.set {
				choice[c.index] = o
				break
			}
		}
	}
	return choice
}

// intend takes note of what is planned for each job: of a bag, when the first tasks are to start, and what all that
// are to start are worth together.
func (s *Scheduler) intend(p *plan.Problem, choice []int) {
	for i := range s.list {
		c := &s.list[i]
		in := &c.j.Own.intent
		if in.cycle != s.last.N {
			*in = intent{cycle: s.last.N, inTime: math.NaN()}
		}
		options := p.Jobs[c.index].Options
		best := 0.0
		for o := range options {
			best = max(best, options[o].Utility)
		}
		in.best += best
		o := choice[c.index]
		if o == plan.None {
			continue
		}
		option := &options[o]
		in.utility += option.Utility
		if start := s.draft.start(option.Start); !in.chosen || start < in.start {
			in.chosen, in.start, in.set = true, start, c.est.areas[option.Place].set
			if site := &c.sites[option.Place]; site.Runtime != nil && c.j.Job.SLO != nil {
				in.inTime = inTime(site.Runtime, c.j.Job.SLO.Deadline.Seconds()-start)
			}
		}
	}
}

// giveUp gives up what is late, if that is to be.
func (s *Scheduler) giveUp(actions []policy.Action) []policy.Action {
	for i := range s.list {
		c := &s.list[i]
		if !c.j.Own.givenUp && s.givesUp(c) {
			c.j.Own.givenUp = true
			actions = append(actions, policy.Action{Kind: policy.GiveUp, Copy: policy.Copy{Task: policy.Task{Job: c.j.Job.ID}}})
			s.last.GivenUp++
		}
	}
	return actions
}

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
	index int // in the problem
}

// A held is a running unit that may be killed.
type held struct {
	u     *unit
	index int // in the problem
}

// cycle makes a plan and carries out what of it is due.
func (s *Scheduler) cycle(actions []policy.Action) ([]policy.Action, error) {
	s.last = Cycle{N: s.last.N + 1, Time: s.now}
	s.gather()
	if len(s.list) == 0 {
		return actions, nil
	}
	same := s.pools.begin(s.used(), len(s.cluster.parts))
	holds, err := s.drafted()
	if err != nil {
		return actions, fmt.Errorf("threesigma: cycle at %v s: %w", s.now.Seconds(), err)
	}
	problem := s.draft.Problem()
	solution, err := s.solve(problem, same)
	if err != nil {
		return actions, fmt.Errorf("threesigma: cycle at %v s: %w", s.now.Seconds(), err)
	}
	s.intend(problem, solution.Choice)
	actions = s.giveUp(actions)
	return s.carryOut(problem, solution.Choice, holds, actions), nil
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
		list = append(list, candidate{j: j, stage: stage, units: 1})
	}
	slices.SortFunc(list, func(a, b candidate) int { return before(a.j, b.j) })
	s.last.Waiting = len(list)
	list = list[:min(len(list), s.config.Candidates)]
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

// before is the order in which jobs are looked at.
func before(a, b *jobView) int {
	if a.Own.deadline != b.Own.deadline {
		if a.Own.deadline {
			return -1
		}
		return 1
	}
	c := 0
	if a.Own.deadline {
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
			used = append(used, u.set)
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

// drafted drafts the problem, and returns the running units that it has jobs for.
func (s *Scheduler) drafted() (holds []held, err error) {
	nodes := make([]float64, len(s.pools.list))
	for p := range s.cluster.parts {
		for _, k := range s.pools.member[p] {
			nodes[k] += float64(s.cluster.parts[p].cores)
		}
	}
	s.room = nodes
	now := s.now.Seconds()
	if err := s.draft.Begin(now, nodes); err != nil {
		return nil, err
	}
	// The first candidate has a deadline if any has.
	kill := !s.config.NoPreemption && s.list[0].j.Own.deadline
	scratch := make([]float64, len(nodes))
	for _, u := range s.running {
		runtime, elapsed, err := s.left(u)
		if err != nil {
			return nil, fmt.Errorf("%v: %w", u.copy, err)
		}
		var place plan.Place
		if len(u.held) == 0 {
			place = s.pools.appendPlace(nil, u.set, float64(u.width))
		} else {
			place = s.pools.appendHeld(nil, u.held, scratch)
		}
		if !kill || u.job.Own.deadline || u.killed || len(u.held) == 0 {
			err = s.draft.Occupy(place, runtime, elapsed)
		} else {
			h := held{u: u}
			h.index, err = s.draft.Hold(s.worth(u, runtime), place, runtime, elapsed)
			holds = append(holds, h)
		}
		if err != nil {
			return nil, fmt.Errorf("%v: %w", u.copy, err)
		}
	}
	for i := range s.list {
		if err := s.offer(&s.list[i]); err != nil {
			return nil, fmt.Errorf("job %d: %w", s.list[i].j.Job.ID, err)
		}
	}
	return holds, nil
}

// worth returns the value of letting a best-effort unit go on: what it is still expected to be worth; what others
// could be worth on its cores, so that none of them takes its place; and for the time that it would have to run
// again as much as those cores are worth if others wait for them.
func (s *Scheduler) worth(u *unit, runtime Distribution) float64 {
	j := u.job
	s.bestEffort(j)
	value := j.Own.utility.At(s.now.Seconds())
	if runtime != nil {
		value = j.Own.utility.Expected(runtime, u.since)
	}
	again := max(0, s.now.Seconds()-u.since) / s.config.BestEffort.Horizon.Seconds()
	return value + float64(s.config.BestEffort.Value*float64(u.width)*(1+again))
}

// bestEffort makes the utility of a best-effort job, which is that of BestEffort, and a new one if it has become
// too old.
func (s *Scheduler) bestEffort(j *jobView) {
	value, horizon := s.config.BestEffort.Value, s.config.BestEffort.Horizon.Seconds()
	from := max(j.Job.Submitted.Seconds(), s.now.Seconds()-float64(10*horizon))
	if _, ok := j.Own.utility.End(); ok && from < j.Own.from+horizon {
		return
	}
	u, err := NewCurve(Point{from, value}, Point{from + horizon, value / 10}, Point{from + float64(100*horizon), value / 1000})
	if err == nil { // it is one if the horizon is no less than what times are rounded to
		j.Own.utility, j.Own.from = u, from
	}
}

// offer offers a candidate its sites. One with a deadline that nothing is worth is late.
func (s *Scheduler) offer(c *candidate) (err error) {
	if !c.j.Own.deadline {
		s.bestEffort(c.j)
	}
	s.find(c)
	if c.index, err = s.draft.Offer(c.j.Own.utility, c.sites); err != nil {
		return err
	}
	own := &c.j.Own
	if !own.deadline || len(s.draft.Problem().Jobs[c.index].Options) > 0 || len(c.sites) == 0 {
		return nil
	}
	own.late = true
	if s.config.Late == GiveUpLate {
		return nil
	}
	own.deadline, own.tail, own.utility = false, false, Utility{}
	s.bestEffort(c.j)
	c.index, err = s.draft.Offer(own.utility, c.sites)
	return err
}

// find lists the sites of a candidate, one for each of its areas.
func (s *Scheduler) find(c *candidate) {
	c.sites = c.sites[:0]
	stage := &c.j.Job.Stages[c.stage]
	for i, a := range c.est.areas {
		c.sites = append(c.sites, Site{
			Place:   s.pools.appendPlace(nil, a.set, float64(c.units)*float64(stage.Width())),
			Worth:   float64(c.units) / float64(max(c.units, min(c.j.Waiting, int(stage.Units())))),
			Runtime: c.est.runtimes[i],
		})
	}
}

// solve asks the solver, and checks its answer. A solver that had no time to find anything would let jobs wait
// for ever if it never has, and then the greedy one is asked, which takes little.
func (s *Scheduler) solve(p *plan.Problem, same bool) (plan.Solution, error) {
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
	if err != nil {
		return plan.Solution{}, err
	}
	if solution.Objective == 0 && !solution.Proved {
		if solution, err = (plan.Greedy{}).Solve(context.Background(), p, plan.Options{}); err != nil {
			return plan.Solution{}, err
		}
	}
	if _, err := p.Value(solution.Choice); err != nil {
		return plan.Solution{}, err
	}
	s.prices, _ = solution.State.(plan.Prices)
	s.planned = s.now.Seconds()
	s.last.note(p, &solution)
	return solution, nil
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
	if s.config.Late != GiveUpLate {
		return actions
	}
	for i := range s.list {
		if j := s.list[i].j; j.Own.late && !j.Own.givenUp {
			j.Own.givenUp = true
			actions = append(actions, policy.Action{Kind: policy.GiveUp, Copy: policy.Copy{Task: policy.Task{Job: j.Job.ID}}})
			s.last.GivenUp++
		}
	}
	return actions
}

package threesigma

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/threesigma/plan"
)

// A candidate is a part of a waiting job that a cycle considers: a gang, or a number of tasks. A bag of tasks is
// several candidates, of 1, 2, 4, ... tasks and the rest, so that any number of tasks can be chosen.
type candidate struct {
	j     *job
	stage uint32
	units int
	est   *estimate
	sites []site
	index int   // in the problem
	set   int32 // of partitions, where it is to start now
}

// A held is a running unit that may be killed.
type held struct {
	u     *unit
	may   bool
	index int // in the problem, if it may
}

// cycle makes a plan and carries out what is due.
func (s *Scheduler) cycle(actions []policy.Action) []policy.Action {
	s.last = Cycle{N: s.last.N + 1, Time: s.now}
	s.gather()
	if len(s.list) == 0 {
		return actions
	}
	same := s.pools.begin(s.used(), len(s.cluster.parts))
	s.formulate()
	problem := &s.draft.problem
	choice := s.solve(problem, same)
	s.intend(problem, choice)
	actions = s.giveUp(actions)
	actions = s.carryOut(problem, choice, actions)
	// What is over before the next cycle is not kept.
	clear(s.list)
	clear(s.holds)
	s.list, s.holds = s.list[:0], s.holds[:0]
	return actions
}

// gather lists the candidates.
func (s *Scheduler) gather() {
	total := int64(0)
	for i := range s.cluster.parts {
		total += s.cluster.parts[i].cores
	}
	list := s.list[:0]
	for _, j := range s.jobs.All() {
		if j.givenUp || j.skip > s.last.N {
			continue
		}
		stage, ok := j.Next()
		for ok && !s.view.Possible(&j.Job.Stages[stage]) {
			s.view.Park(j.books) // until a node joins
			stage, ok = j.Next()
		}
		s.count(j)
		if !ok {
			continue
		}
		if j.late && j.lateAt != s.cluster.epoch {
			s.value(j, stage) // there may be nodes now where it is not
		}
		list = append(list, candidate{j: j, stage: stage, units: 1})
	}
	slices.SortFunc(list, func(a, b candidate) int { return before(a.j, b.j) })
	if n := s.config.Candidates; len(list) > n {
		// The sort is stable, so that of equal widths those that came first go first.
		rest := list[n-n/4:]
		slices.SortStableFunc(rest, func(a, b candidate) int {
			return cmp.Or(urgency(a.j, b.j), cmp.Compare(a.width(), b.width()))
		})
		clear(list[n:]) // let go of them
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
func urgency(a, b *job) int {
	switch {
	case a.deadline == b.deadline:
		return 0
	case a.deadline:
		return -1
	}
	return 1
}

// before is the order in which jobs are considered.
func before(a, b *job) int {
	c := urgency(a, b)
	if c == 0 && a.deadline {
		c = cmp.Compare(a.Job.SLO.Deadline, b.Job.SLO.Deadline)
	}
	return cmp.Or(c, cmp.Compare(a.Job.Submitted, b.Job.Submitted), cmp.Compare(a.Job.ID, b.Job.ID))
}

// used returns the sets of partitions that something may be taken from, in rising order.
func (s *Scheduler) used() []int32 {
	var used []int32
	for i := range s.list {
		c := &s.list[i]
		c.est = &c.j.stages[c.stage]
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
			d = scale(e.runtime, a.factor)
		}
		e.runtimes = append(e.runtimes, d)
	}
}

// formulate drafts the MILP of the cycle, and lists the running units that are jobs in it. If a distribution has no
// values where it is asked, its runtime counts as unknown from then on.
func (s *Scheduler) formulate() {
	nodes := make([]float64, len(s.pools.list))
	for p := range s.cluster.parts {
		for _, k := range s.pools.member[p] {
			nodes[k] += float64(s.cluster.parts[p].cores)
		}
	}
	now := s.seconds(s.now)
	var err error
	s.best, err = s.config.BestEffort.from(now)
	s.fail(err)
	s.draft.begin(now, nodes)
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

// run drafts a running unit: a job, if it may be killed.
func (s *Scheduler) run(h *held, place plan.Place, kill bool) error {
	u := h.u
	runtime, elapsed, err := s.left(u)
	if err != nil {
		return err
	}
	if !kill || u.job.deadline || u.killed || !u.began {
		return s.draft.occupy(place, runtime, elapsed)
	}
	utility := s.best
	if u.job.utility.points != nil {
		utility = u.job.utility
	}
	value := s.config.BestEffort.goingOn(utility, runtime, u.since, s.seconds(s.now), u.width)
	if value > plan.MaxUtility { // nothing is worth to kill it
		return s.draft.occupy(place, runtime, elapsed)
	}
	h.index, err = s.draft.hold(value, place, runtime, elapsed)
	h.may = err == nil
	return err
}

// offer offers a candidate its sites. A candidate with a deadline or its own utility is late if no option is worth anything.
func (s *Scheduler) offer(c *candidate) (err error) {
	j := c.j
	if j.utility.points != nil {
		s.find(c, 1)
		c.index, err = s.draft.offer(j.utility, c.sites)
		if err != nil || len(s.draft.problem.Jobs[c.index].Options) > 0 || len(c.sites) == 0 {
			return err
		}
		j.deadline, j.utility = false, Utility{}
		j.late, j.lateAt = true, s.cluster.epoch
	}
	if s.givesUp(c) {
		c.index, err = s.draft.offer(Utility{}, nil)
		return err
	}
	waited := max(0, s.now.Sub(c.j.Job.Submitted).Seconds())
	s.find(c, 1+min(waited/s.config.BestEffort.Horizon.Seconds(), maxHorizons))
	c.index, err = s.draft.offer(s.best, c.sites)
	return err
}

// maxHorizons bounds the bonus of best-effort jobs for having waited, so that with the largest Value they are not
// worth more than a plan can hold.
const maxHorizons = 1e6

// find lists the sites of a candidate, one for each of its areas. worth multiplies its utility.
func (s *Scheduler) find(c *candidate, worth float64) {
	c.sites = c.sites[:0]
	stage := &c.j.Job.Stages[c.stage]
	for i, a := range c.est.areas {
		c.sites = append(c.sites, site{
			place:   s.pools.appendPlace(nil, a.set, float64(c.units)*float64(stage.Width())),
			worth:   worth * float64(c.units) / float64(max(c.units, min(c.j.Waiting, int(stage.Units())))),
			runtime: c.est.runtimes[i],
		})
	}
}

// givesUp reports whether a candidate is to be given up: it is late, and all partitions that it prefers have been
// seen.
func (s *Scheduler) givesUp(c *candidate) bool {
	return s.config.GiveUpLate && c.j.late && s.cluster.complete(&c.j.Job.Stages[c.stage])
}

// giveUp gives up late candidates, if the Config says so.
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

// fail keeps the first error of a cycle.
func (s *Scheduler) fail(err error) {
	if s.last.Err == nil {
		s.last.Err = err
	}
}

package threesigma

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma/plan"
)

// A unit is a task or a gang that runs, or whose Start is on its way.
type unit struct {
	job     *job
	copy    policy.Copy
	at      int    // in Scheduler.running
	width   int64  // cores
	held    []hold // none if it may start in several partitions, and has not begun
	set     int32  // where it is to start, then
	began   bool
	factor  float64      // by which it runs longer here
	since   float64      // when it would have started if it had never stood still, s since the first event
	runtime Distribution // here; nil: unknown
	ends    Increments
	killed  bool // it has been told to end
}

// add records a unit that runs, or whose Start is on its way.
func (s *Scheduler) add(j *job, c policy.Copy) *unit {
	u := &unit{job: j, copy: c, at: len(s.running), width: j.Job.Stages[c.Stage].Width(), factor: 1}
	s.units[c] = u
	s.running = append(s.running, u)
	return u
}

// forget forgets a unit, if it is there.
func (s *Scheduler) forget(c policy.Copy) {
	u := s.units[c]
	if u == nil {
		return
	}
	delete(s.units, c)
	last := len(s.running) - 1
	s.running[u.at], s.running[last].at = s.running[last], u.at
	s.running = slices.Delete(s.running, last, last+1)
}

// started records where a unit runs.
func (s *Scheduler) started(j *job, ev *policy.Event) {
	u := s.units[ev.Copy]
	if u == nil {
		u = s.add(j, ev.Copy)
	}
	u.began = true
	j.refused, j.skip, j.served = 0, 0, s.last.N
	stage := &j.Job.Stages[ev.Copy.Stage]
	u.held, u.factor = u.held[:0], 0
	if len(ev.Gang) == 0 {
		s.hold(u, stage, ev.Node, int64(stage.Cores))
	}
	for _, share := range ev.Gang {
		s.hold(u, stage, share.Node, int64(share.Tasks)*int64(stage.Cores))
	}
	u.since = s.seconds(stage.Began(ev))
	if d := j.stages[ev.Copy.Stage].runtime; d != nil {
		u.runtime = scale(d, u.factor)
	}
}

// hold records what a unit holds on a node.
func (s *Scheduler) hold(u *unit, stage *policy.Stage, id policy.NodeID, cores int64) {
	n := &s.cluster.nodes[id]
	u.factor = max(u.factor, stage.Slowdown(s.cluster.parts[n.part].id, n.speed, true))
	if i := slices.IndexFunc(u.held, func(h hold) bool { return h.part == n.part }); i >= 0 {
		u.held[i].cores += cores
		return
	}
	u.held = append(u.held, hold{n.part, cores})
}

// left returns how long a unit has run, and the distribution of its runtime given that; nil if unknown.
func (s *Scheduler) left(u *unit) (runtime Distribution, elapsed float64, err error) {
	switch {
	case u.killed:
		return forecast.Known(0), 0, nil // it is expected to be gone in the next slot
	case !u.began:
		return u.runtime, 0, nil
	}
	elapsed = max(0, s.seconds(s.now)-u.since)
	if u.runtime != nil {
		runtime, err = u.ends.After(u.runtime, elapsed, s.config.Interval.Seconds())
	}
	return runtime, elapsed, err
}

// carryOut starts the jobs in the first slot of a plan, and kills what is in the way of jobs with deadlines.
// Candidates choose their partitions in this order: those that others are killed for, then those that can be in few
// partitions, then wide ones.
func (s *Scheduler) carryOut(p *plan.Problem, choice []int, actions []policy.Action) []policy.Action {
	var starts []*candidate
	for i := range s.list {
		c := &s.list[i]
		if o := choice[c.index]; o != plan.None && !c.j.givenUp && p.Jobs[c.index].Options[o].Start == 0 {
			c.set = c.est.areas[p.Jobs[c.index].Options[o].Place].set
			starts = append(starts, c)
		}
	}
	slices.SortStableFunc(starts, func(a, b *candidate) int {
		return cmp.Or(
			urgency(a.j, b.j),
			cmp.Compare(len(s.pools.sets[a.set]), len(s.pools.sets[b.set])),
			cmp.Compare(b.width(), a.width()),
		)
	})
	free := make([]int64, len(s.cluster.parts))
	for i := range free {
		free[i] = s.view.Free(s.cluster.parts[i].id)
	}
	for _, u := range s.running {
		if len(u.held) == 0 {
			s.spread(u.set, u.width, free)
		}
	}
	for _, u := range s.inTheWay(p, choice, starts) {
		u.killed = true
		actions = append(actions, policy.Action{Kind: policy.Kill, Copy: u.copy, Save: u.job.Job.Stages[u.copy.Stage].Saves})
		for _, h := range u.held {
			free[h.part] += h.cores
		}
	}
	for i, c := range starts {
		actions = s.start(c, starts[i+1:], free, actions)
	}
	return actions
}

// start starts the units of a candidate as long as there is room; others are to start after it.
func (s *Scheduler) start(c *candidate, others []*candidate, free []int64, actions []policy.Action) []policy.Action {
	width := c.width()
	for range c.units {
		if stage, ok := c.j.Next(); !ok || stage != c.stage {
			break
		}
		p, ok := s.choose(c, others, free)
		if !ok {
			break
		}
		id := policy.PartitionID(0)
		var held []hold
		if p < 0 {
			s.spread(c.set, width, free)
		} else {
			id = s.cluster.parts[p].id
			free[p] -= width
			held = []hold{{int32(p), width}}
		}
		a := s.view.Start(c.j.books, central.Where{Partition: id})
		actions = append(actions, a)
		if s.began != nil {
			s.began(c.j.books, a.Copy, false)
		}
		u := s.add(c.j, a.Copy)
		u.set, u.held = c.set, held
	}
	s.count(c.j)
	return actions
}

// choose returns the partition for a unit of a candidate, -1 for several at the host's choice, and false if there is
// no room. It takes the partition with the fewest free cores among those that leave room for the others. A host that
// has refused the candidate knows more than cores, such as memory: then choose tries another partition of its set
// once, and from then on leaves the choice to the host.
func (s *Scheduler) choose(c *candidate, others []*candidate, free []int64) (p int, ok bool) {
	width, set := c.width(), s.pools.sets[c.set]
	var fits []int
	sum := int64(0)
	for p, n := range free {
		if set.has(int32(p)) {
			sum += max(0, n)
			if n >= width {
				fits = append(fits, p)
			}
		}
	}
	if r := c.j.refused; r > 0 && len(fits) > 0 {
		if r > 1 || len(set) == len(free) {
			return -1, true
		}
		return fits[1%len(fits)], true
	}
	slices.SortStableFunc(fits, func(a, b int) int { return cmp.Compare(free[a], free[b]) })
	for _, p := range fits {
		free[p] -= width
		room := s.leavesRoom(others, free)
		free[p] += width
		if room {
			return p, true
		}
	}
	switch {
	case c.j.Job.Stages[c.stage].Gang && sum >= width:
		return -1, true
	case len(fits) > 0:
		return fits[0], true
	}
	return 0, false
}

// leavesRoom reports whether the other candidates still find room together.
func (s *Scheduler) leavesRoom(others []*candidate, free []int64) bool {
	s.room = resized(s.room, len(s.pools.list))
	room := s.room
	clear(room)
	for p, n := range free {
		for _, k := range s.pools.member[p] {
			room[k] += max(0, n)
		}
	}
	for _, c := range others {
		for _, k := range s.pools.above[c.set] {
			if room[k] -= int64(c.units) * c.width(); room[k] < 0 {
				return false
			}
		}
	}
	return true
}

// spread takes cores of a set in the order of partitions, as a host with a free choice is assumed to.
func (s *Scheduler) spread(set int32, width int64, free []int64) {
	for p := range free {
		if s.pools.sets[set].has(int32(p)) {
			x := min(max(0, free[p]), width)
			free[p] -= x
			width -= x
		}
	}
}

// inTheWay returns which of the units that a plan stops must stop now, to make room for the jobs with deadlines that
// start now. Those that stop for something later may still go on, and none stops for best-effort jobs. Nor does one
// stop for what the host has refused, since that lacks something other than cores.
func (s *Scheduler) inTheWay(p *plan.Problem, choice []int, starts []*candidate) []*unit {
	if len(s.holds) == 0 {
		return nil
	}
	room := make([]float64, len(p.Capacity))
	for k := range room {
		room[k] = p.Capacity[k][0]
	}
	for _, h := range s.holds {
		take(room, p.Jobs[h.index].Places[0], -1)
	}
	for k := range room {
		room[k] = max(room[k], 0) // of nodes that were lost more may be taken than is there
	}
	for _, c := range starts {
		if job := &p.Jobs[c.index]; c.j.deadline && c.j.refused == 0 {
			take(room, job.Places[job.Options[choice[c.index]].Place], -1)
		}
	}
	var stopped []held
	for _, h := range s.holds {
		if choice[h.index] != plan.None || !short(room, p.Jobs[h.index].Places[0]) {
			continue
		}
		take(room, p.Jobs[h.index].Places[0], +1)
		stopped = append(stopped, h)
	}
	// Those that were stopped before others made enough room go on, the latest first.
	var units []*unit
	for i := len(stopped) - 1; i >= 0; i-- {
		h := stopped[i]
		take(room, p.Jobs[h.index].Places[0], -1)
		if short(room, p.Jobs[h.index].Places[0]) {
			take(room, p.Jobs[h.index].Places[0], +1)
			units = append(units, h.u)
		}
	}
	return units
}

// take adds sign times a place to what is left.
func take(room []float64, place plan.Place, sign float64) {
	for _, share := range place {
		room[share.Pool] += sign * share.Nodes
	}
}

// short reports whether less than nothing is left of a pool of a place.
func short(room []float64, place plan.Place) bool {
	for _, share := range place {
		if room[share.Pool] < 0 {
			return true
		}
	}
	return false
}

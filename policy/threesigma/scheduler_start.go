package threesigma

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/threesigma/plan"
)

// carryOut starts what a plan has in its first slot, and kills what is in the way of that.
func (s *Scheduler) carryOut(p *plan.Problem, choice []int, holds []held, actions []policy.Action) []policy.Action {
	var starts []*candidate
	for i := range s.list {
		c := &s.list[i]
		if o := choice[c.index]; o != plan.None && p.Jobs[c.index].Options[o].Start == 0 {
			starts = append(starts, c)
		}
	}
	free := make([]int64, len(s.cluster.parts))
	for i := range free {
		free[i] = s.view.Free(s.cluster.parts[i].id)
	}
	for _, u := range s.inTheWay(p, choice, starts, holds) {
		u.killed = true
		actions = append(actions, policy.Action{Kind: policy.Kill, Copy: u.copy})
		s.last.Killed++
		for _, h := range u.held {
			free[h.part] += h.cores
		}
	}
	// What can be in few places chooses first, and of these what is wide.
	slices.SortStableFunc(starts, func(a, b *candidate) int {
		x, y := a.chosen(p, choice), b.chosen(p, choice)
		return cmp.Or(
			cmp.Compare(s.pools.sets.list[x].count(), s.pools.sets.list[y].count()),
			cmp.Compare(b.j.Job.Stages[b.stage].Width(), a.j.Job.Stages[a.stage].Width()),
		)
	})
	for _, c := range starts {
		actions = s.start(c, c.chosen(p, choice), free, actions)
	}
	return actions
}

// chosen returns the set of partitions that a choice has for a candidate.
func (c *candidate) chosen(p *plan.Problem, choice []int) int32 {
	return c.est.areas[p.Jobs[c.index].Options[choice[c.index]].Place].set
}

// start starts units of a candidate as long as there is room for them: in the partition with the fewest
// free cores, or anywhere if none has enough, or if a host that knows more than cores has refused before.
func (s *Scheduler) start(c *candidate, set int32, free []int64, actions []policy.Action) []policy.Action {
	width := c.j.Job.Stages[c.stage].Width()
	for range c.units {
		if stage, ok := c.j.Next(); !ok || stage != c.stage {
			break
		}
		tightest, sum := -1, int64(0)
		for p, n := range free {
			if !s.pools.sets.list[set].has(int32(p)) {
				continue
			}
			sum += max(0, n)
			if n >= width && (tightest < 0 || n < free[tightest]) {
				tightest = p
			}
		}
		var a policy.Action
		switch {
		case tightest >= 0 && c.j.Own.refused == 0:
			a = s.view.Start(c.j, s.cluster.parts[tightest].id)
			free[tightest] -= width
		case sum >= width && (tightest >= 0 || c.j.Job.Stages[c.stage].Gang):
			a = s.view.Start(c.j, 0)
			s.spread(set, width, free)
		default:
			return actions
		}
		s.add(c.j, a.Copy).set = set
		actions = append(actions, a)
		s.last.Started++
		if waits := c.j.Waiting > 0; !waits && c.j.Own.waits {
			c.j.Own.waits = false
			s.waiting--
		}
	}
	return actions
}

// spread takes cores of a set as a host is thought to that may choose, in the order of partitions.
func (s *Scheduler) spread(set int32, width int64, free []int64) {
	for p := range free {
		if s.pools.sets.list[set].has(int32(p)) {
			x := min(max(0, free[p]), width)
			free[p] -= x
			width -= x
		}
	}
}

// inTheWay returns which of the units that a plan would stop must be, so that there is room for what
// starts now: those that stop for something later may still go on.
func (s *Scheduler) inTheWay(p *plan.Problem, choice []int, starts []*candidate, holds []held) []*unit {
	if len(holds) == 0 {
		return nil
	}
	room := s.room
	for k := range room {
		room[k] = p.Capacity[k][0]
	}
	for _, h := range holds {
		take(room, p.Jobs[h.index].Places[0], -1)
	}
	for _, c := range starts {
		job := &p.Jobs[c.index]
		take(room, job.Places[job.Options[choice[c.index]].Place], -1)
	}
	var stopped []held
	for _, h := range holds {
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
		room[share.Pool] += float64(sign * share.Nodes)
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

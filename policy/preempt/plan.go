package preempt

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// A plan says which units are to run. Those that keep their cores in any case are not in it.
type plan struct {
	view  *central.View
	list  []entrant // the plan, in the order in which room was taken
	other []entrant // the same in another order
	runs  []entrant // those that run, by rank
	free  int64     // cores that nothing in the plan has yet
	nodes nodeplan
}

// An entrant is a unit that runs and may be stopped, or all like units of a job that wait.
type entrant struct {
	of    *contender
	runs  *holder // nil: it waits
	stage *policy.Stage
	key   float64
	width int64
	units int           // that there are
	in    int           // that are in the plan
	node  policy.NodeID // where they are to start; 0: anywhere
	off   bool          // of nodeplan: what it holds counts as free
}

// make makes the plan. It looks at as many of the jobs that wait as it needs to leave fewer cores idle than any of them takes, and
// until one is left out if there are such cores: widest first it looks at as many as would fill the cluster.
func (l *plan) make(p *filler) {
	l.gather(p)
	idle, out, least := int64(0), false, int64(0)
	if c, ok := p.narrow.Peek(); ok {
		least = c.width
	}
	for looked := 0; ; {
		looked = min(max(64, 4*looked), len(p.waiting))
		l.merge(p.waiting[:looked])
		idle = l.fill(p, l.list)
		out = slices.ContainsFunc(l.list, func(x entrant) bool { return x.in < x.units })
		if idle == 0 || idle < least && out || looked == len(p.waiting) {
			break
		}
	}
	all, _ := l.view.Capacity()
	if float64(idle) <= p.config.Idle*float64(all) || !out {
		return
	}
	l.other = append(l.other[:0], l.list...)
	first := 0
	for room := l.free; first < len(l.other) && room > 0; first++ {
		x := &l.other[first]
		room -= x.width * min(int64(x.units), room/x.width+1)
	}
	slices.SortStableFunc(l.other[:first], func(a, b entrant) int { return cmp.Compare(b.width, a.width) })
	if l.fill(p, l.other) < idle {
		l.list, l.other = l.other, l.list
	}
}

// gather lists the entrants that run by rank, and counts the cores that are there for the plan.
func (l *plan) gather(p *filler) {
	l.runs, l.free = l.runs[:0], l.view.Free(0)
	for _, h := range p.running {
		switch {
		case h.stops:
			l.free += h.stage.Width()
		case h.stage.Saves && h.exempt <= l.view.Now():
			l.free += h.stage.Width()
			l.runs = append(l.runs, entrant{of: h.of, runs: h, stage: h.stage, key: p.key(h), width: h.stage.Width(), units: 1})
		}
	}
	slices.SortFunc(l.runs, byRank)
}

// merge lists the entrants that run and those of jobs that wait, by rank, as both are given.
func (l *plan) merge(waiting []*contender) {
	l.list, l.nodes.on = l.list[:0], false
	runs := l.runs
	for _, c := range waiting {
		x := entrant{of: c, stage: c.next, key: c.rank, width: c.width, units: c.job.Waiting}
		for len(runs) > 0 && byRank(runs[0], x) < 0 {
			l.list, runs = append(l.list, runs[0]), runs[1:]
		}
		l.list, l.nodes.on = append(l.list, x), l.nodes.on || l.view.Short(c.next)
	}
	l.list = append(l.list, runs...)
}

// byRank orders entrants; what runs goes before what does not.
func byRank(a, b entrant) int {
	if c := cmp.Compare(a.key, b.key); c != 0 {
		return c
	}
	if (a.runs != nil) != (b.runs != nil) {
		if a.runs != nil {
			return -1
		}
		return +1
	}
	if a.runs == nil || a.of != b.of {
		return central.BySubmission(a.of.job, b.of.job)
	}
	x, y := &a.runs.copy, &b.runs.copy
	return cmp.Or(cmp.Compare(x.Stage, y.Stage), cmp.Compare(x.Index, y.Index), cmp.Compare(x.N, y.N))
}

// fill gives room to entrants in their order, and returns how many cores are left.
func (l *plan) fill(p *filler, list []entrant) (idle int64) {
	free := l.free
	if l.nodes.on {
		l.nodes.open(l.view, p.running, list)
		defer l.nodes.close(p.running, list)
	}
	for i := range list {
		x := &list[i]
		for x.in = 0; x.in < x.units && x.width <= free; x.in++ {
			if l.nodes.on && !l.nodes.take(x, list[i+1:]) {
				break
			}
			free -= x.width
		}
	}
	return free
}

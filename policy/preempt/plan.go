package preempt

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// A plan says which units are to run. Those that keep their cores in any case are not in it.
type plan struct {
	view   *central.View
	list   []entrant // the plan, in the order in which room was taken
	other  []entrant // the same in another order
	looked int       // at so many of the jobs that wait
	free   int64     // cores that nothing in the plan has yet
	nodes  nodeplan
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

// make makes the plan. It looks at as many of the jobs that wait as it needs to give all cores away.
func (l *plan) make(p *filler) {
	idle := int64(1)
	for l.looked = min(64, len(p.waiting)); ; l.looked = min(2*l.looked, len(p.waiting)) {
		l.gather(p)
		if idle = l.fill(p, l.list); idle == 0 || l.looked == len(p.waiting) {
			break
		}
	}
	all, _ := l.view.Capacity()
	if float64(idle) <= p.config.Idle*float64(all) || !slices.ContainsFunc(l.list, func(x entrant) bool { return x.in < x.units }) {
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

// gather lists the entrants by rank, and counts the cores that are there for them.
func (l *plan) gather(p *filler) {
	l.list, l.free, l.nodes.on = l.list[:0], l.view.Free(0), false
	for _, c := range p.waiting[:l.looked] {
		if stage, ok := c.job.Next(); ok {
			spec := &c.job.Job.Stages[stage]
			l.nodes.on = l.nodes.on || l.view.Short(spec)
			l.list = append(l.list, entrant{of: c, stage: spec, key: c.rank, width: spec.Width(), units: c.job.Waiting})
		}
	}
	for _, h := range p.running {
		switch {
		case h.stops:
			l.free += h.stage.Width()
		case h.stage.Saves && h.guard <= l.view.Now():
			l.free += h.stage.Width()
			l.list = append(l.list, entrant{of: h.of, runs: h, stage: h.stage, key: p.key(h), width: h.stage.Width(), units: 1})
		}
	}
	slices.SortFunc(l.list, byRank)
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

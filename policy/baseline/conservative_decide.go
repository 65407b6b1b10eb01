package baseline

import (
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Decide implements [central.Filler]. It brings the plan up to date and starts what is planned for now. Each job
// has a turn, in which it gets a reservation if it has none, or, if something has ended, an earlier one if there
// is one.
func (p *conservative) Decide(start func(j *central.Job) bool) {
	if now := p.view.Now(); p.renew(now) {
		p.pass(now, start)
	}
}

// renew brings the plan up to date, and reports whether something may start or get another reservation.
func (p *conservative) renew(now policy.Time) bool {
	if p.order.Reordered() || p.mixed {
		slices.SortFunc(p.waiting, p.compare)
		p.void, p.mixed = true, false
	}
	if p.units.revised() {
		for _, o := range p.waiting {
			if time := p.units.time.next(o.job, o.stage, 0.5); time != o.time {
				o.time, p.void = time, true
			}
		}
	}
	if by := p.kind(); by != p.plan {
		p.plan, p.void = by, true
	}
	late := p.units.until(1) <= now
	if !p.void && !late && p.soonest >= now {
		p.finish()
	}
	p.compress = p.ended && p.gaps
	p.anew = p.void || late || p.soonest < now
	if late {
		p.units.overdue(p.view)
	}
	p.ended = false
	switch {
	case p.anew:
		p.forgo()
		p.plan.reset(now, p.view, &p.units, p.sent, p.lag)
		p.made = now
		for _, o := range p.waiting {
			o.start = never
		}
	case p.soonest > now && !p.compress && !p.fresh:
		return false
	default:
		p.plan.forget(now)
	}
	p.gaps = p.gaps && !p.compress && !p.anew
	p.void = false
	p.soonest = never
	return true
}

// kind returns the plan that is called for.
func (p *conservative) kind() plan {
	switch {
	case p.shorts == 0:
		return &p.profile
	case p.rich:
		return &p.all
	}
	return &p.cores
}

// byNode reports whether the plan is made node by node.
func (p *conservative) byNode() bool { return p.plan != plan(&p.profile) }

// pass gives each job its turn. Of a plan made anew it makes no more than what may start now.
func (p *conservative) pass(now policy.Time, start func(j *central.Job) bool) {
	next := 0 // where to look again whether more may start
	for i := 0; i < len(p.waiting); i++ {
		if p.anew && i >= next {
			if next = p.startable(i, now); next == len(p.waiting) {
				p.partial, p.rest = true, i
				break
			}
			next++
		}
		o := p.waiting[i]
		switch {
		case o.start == never:
			p.reserve(i, now)
		case p.compress:
			p.advance(o, now)
		}
		if o.start == never && !p.view.Possible(o.spec) {
			start(o.job) // which puts it aside
			if !o.waits {
				i--
				continue
			}
		}
		for o.start <= now && p.view.Fits(o.job) && !p.view.Barred(o.job) && (i == 0 && !p.units.tries[o.job.Job.ID] || i > 0 && p.units.overtakes(o.job.Job.ID)) {
			planned, waiting := o.start, o.job.Waiting
			o.start = never // the reservation is the unit's now
			if !start(o.job) {
				p.void = true
				return
			}
			if o.waits && o.job.Waiting == waiting { // a copy went first, or was not wanted any more
				o.start = planned
				continue
			}
			if !o.waits {
				i--
				break
			}
			p.reserve(i, now)
		}
		p.soonest = min(p.soonest, o.start)
	}
	p.fresh = false
}

// startable returns the first job of the list, from i on, that may start now by a plan in which these have no reservations
// yet, or for which there is something else to do. By the sum of cores it does not look for how long they are free.
func (p *conservative) startable(i int, now policy.Time) int {
	for ; i < len(p.waiting); i++ {
		o := p.waiting[i]
		if o.job.Refused || !p.view.Possible(o.spec) {
			break
		}
		var at policy.Time
		if at, p.scratch = p.plan.earliest(now, now+1, o.spec, p.time(o), p.scratch[:0]); at == now {
			break
		}
	}
	return i
}

// finish makes the reservations that the last decision left for later. If the next one makes all anew they are never made.
func (p *conservative) finish() {
	if !p.partial {
		return
	}
	for i := p.rest; i < len(p.waiting); i++ {
		p.reserve(i, p.made)
		p.soonest = min(p.soonest, p.waiting[i].start)
	}
	for _, x := range p.pending {
		p.plan.add(x.at, x.stage, x.from, x.to, 1)
	}
	p.forgo()
}

// forgo drops what finish would do.
func (p *conservative) forgo() {
	for _, x := range p.pending {
		p.units.recycle(x.at)
	}
	p.partial, p.pending = false, p.pending[:0]
}

// Began hears of a start. A copy, which had no reservation, calls for new ones.
func (p *conservative) Began(j *central.Job, c policy.Copy, another bool) {
	o := p.jobs.Get(j.Job.ID)
	if p.byNode() {
		p.sent[c] = append(p.units.shares(), o.at...)
	}
	p.units.began(p.view, j, c)
	p.void = p.void || another
}

// Where returns the node of a task's reservation, see [central.Filler].
func (p *conservative) Where(j *central.Job, stage uint32) central.Where {
	o, spec := p.jobs.Get(j.Job.ID), &j.Job.Stages[stage]
	if !p.byNode() || spec.Gang || len(spec.Prefer) > 0 || len(spec.Holders) > 0 || len(o.at) != 1 || p.view.Tasks(o.at[0].Node, spec) == 0 {
		return central.Where{}
	}
	return central.Where{Node: o.at[0].Node}
}

// reserve makes the earliest reservation that there is for a job of the list, which has
// none.
func (p *conservative) reserve(i int, now policy.Time) {
	o := p.waiting[i]
	switch {
	case p.alone(i):
		return
	case o.time == unbounded && slices.ContainsFunc(p.waiting[:i], func(o *planned) bool { return o.start == never }):
		return
	}
	if o.start, o.at = p.plan.earliest(now, never, o.spec, p.time(o), o.at[:0]); o.start != never {
		p.plan.add(o.at, o.spec, o.start, p.end(o, o.start), -1)
	}
}

// time returns for how long the plan keeps room for the next unit of a job. By node it adds the longest time that an order has
// taken: otherwise each order that takes time would move what is planned after it, and a job that needs a whole node would be sent
// from one to the next for ever.
func (p *conservative) time(o *planned) policy.Duration {
	if p.byNode() && o.time < unbounded-p.lag {
		return o.time + p.lag
	}
	return o.time
}

// end returns when a job's next unit would end by the plan if it started at an instant.
func (p *conservative) end(o *planned, at policy.Time) policy.Time { return after(at, p.time(o)) }

// advance gives a job an earlier reservation if there is one. In the plan of all cores it only needs room up to the one that it
// has, since from there on it has its own. On other nodes it has not.
func (p *conservative) advance(o *planned, now policy.Time) {
	moves := p.byNode()
	if moves {
		p.plan.add(o.at, o.spec, o.start, p.end(o, o.start), 1)
	}
	at, nodes := p.plan.earliest(now, o.start, o.spec, p.time(o), p.scratch[:0])
	switch {
	case at >= o.start && moves:
		p.plan.add(o.at, o.spec, o.start, p.end(o, o.start), -1)
	case at < o.start && !moves:
		p.plan.add(o.at, o.spec, o.start, p.end(o, o.start), 1)
	}
	if at < o.start {
		p.plan.add(nodes, o.spec, at, p.end(o, at), -1)
		o.at, nodes, o.start, p.gaps = nodes, o.at, at, true
	}
	p.scratch = nodes
}

// alone reports whether a job of the list waits until it is the first, or something has become free, since the host found
// no room for it.
func (p *conservative) alone(i int) bool { return i > 0 && !p.units.due(p.waiting[i].job.Job.ID) }

// Planned returns when the next unit of a job is to start by its reservation, and false if it has
// none.
func (p *conservative) Planned(id policy.JobID) (at policy.Time, ok bool) {
	if !p.void {
		p.finish()
	}
	o := p.jobs.Get(id)
	if o == nil || !o.waits || o.start == never {
		return 0, false
	}
	return o.start, true
}

package baseline

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Conservative is a filler of gaps that gives every waiting job a reservation when the job comes: the earliest
// instant from which, by expected times as in [EASY], its cores will be free for as long as its next unit (a task, or
// a whole gang) takes, with everything that runs and all earlier reservations in place. So a job may overtake any
// number of others, but delays none of them, where EASY protects only the first one. When something ends early the
// plan is compressed: in their order, each job takes the earliest reservation that it can get in place of its own. So
// every reservation begins when something ends, and no alarm is needed.
//
// No job starts later than its first reservation if no task runs for longer than expected, the Forecast does not
// change, no task fails, no cores are lost, and orders to nodes take no time.
//
//   - If a job has several waiting units, only the next one has a reservation; the one after it gets its own when
//     that has started.
//   - If a unit runs on after its expected time, an expected time changes, cores join or are lost, or the order
//     changes, all reservations are made anew, in the order of the jobs. The time of a unit that runs on is corrected as
//     under EASY.
//   - A unit of unknown time is assumed to run forever. A job that then finds no place in the plan has no
//     reservation, nor do later jobs of unknown time; a reservation already given stays. If no times are
//     known, only the order counts.
//   - While there are jobs for which a node can be short of something ([central.View.Short]), the plan is made node by node, of
//     cores, memory and named resources. A task is sent to the node of its reservation, unless it has preferences of its own,
//     the scheduler has a Placer, or the host has refused it there. If the host places a unit elsewhere, as it does with
//     gangs, the plan is made anew and reservations may become later. Devices of a node are not told apart. Otherwise room is
//     counted in cores of the whole cluster.
//   - If the host finds no room for a unit after all, its job loses its reservation, and others go on. It tries again as under [EASY],
//     for which all reservations are made anew.
//
// A step takes time in proportion to the number of waiting jobs if one of them starts or comes. If something ends and the
// plan has gaps, the plan is searched for each waiting job, and most of them do move. A search passes over what has no core
// free for long enough; in the worst case it takes time in proportion to the running units and waiting jobs. If all
// reservations are made anew, they are made only as far as something may start, and the others when they are needed: never,
// if the next step makes all anew again.
//
// # Source
//
// D. Feitelson and A. Mu'alem Weil, "Utilization and predictability in scheduling the IBM SP2 with backfilling", IPPS
// 1998. Mu'alem and Feitelson (see [EASY]). pyss, the simulator of Feitelson's group, also compresses with one turn
// for each job. We differ: it compresses after each end, and we do it once for all ends of an instant. Compressing
// until no job moves is another reading; it takes longer, and gained nothing on the logs that we tried.
func Conservative() central.Filler {
	c := &conservative{units: newUnits(), void: true, sent: make(map[policy.Copy][]policy.Share)}
	c.plan = &c.profile
	return c
}

// NewConservative returns the policy of batch systems: [FIFO], filled by [Conservative].
func NewConservative() *central.Scheduler { return filled(FIFO(), Conservative()) }

type conservative struct {
	view    *central.View
	order   central.Order
	fixed   bool // see there
	jobs    policy.Table[policy.JobID, planned]
	units   units
	plan    plan // one of these
	profile profile
	cores   nodePlan[onlyCores]
	all     nodePlan[everything]
	rich    bool                           // nodes have memory or named resources, or had
	shorts  int                            // jobs for which a node can be short of something
	sent    map[policy.Copy][]policy.Share // where units are planned that have been started and are not answered
	lag     policy.Duration                // the longest time from an order to its answer so far
	scratch []policy.Share
	waiting []*planned  // in their order
	void    bool        // all reservations are to be made anew
	made    policy.Time // when all were made anew last
	gaps    bool        // the plan has free cores that some job has not tried to use
	ended   bool        // something has ended since the last decision
	fresh   bool        // a job waits that may want a reservation
	soonest policy.Time // the least of all reservations
	anew    bool        // this decision makes all reservations anew
	partial bool        // jobs of the list from rest on have no reservations yet, see finish
	rest    int
	pending []freed // meanwhile

	mixed    bool // the list is not in order
	compress bool // jobs may get earlier reservations in this decision
}

// planned is what Conservative keeps of a job.
type planned struct {
	job   *central.Job
	start policy.Time     // of the reservation of its next unit; never: it has none
	time  policy.Duration // that the reservation is for
	at    []policy.Share  // the nodes of the reservation, if the plan is by node
	stage uint32          // of that unit
	spec  *policy.Stage   // the same; nil: nothing waits
	waits bool            // it is in the list
	short bool            // it is one of shorts
}

// freed is what will be free in the plan, as in its add.
type freed struct {
	at       []policy.Share
	stage    *policy.Stage
	from, to policy.Time
}

func (p *conservative) Bind(b central.Books) error {
	if err := b.Enter(&p.view); err != nil {
		return err
	}
	p.order, p.fixed = orderOf(b), fixed(orderOf(b))
	p.units.bind(b.Forecast)
	return nil
}

func (p *conservative) Note(ev *policy.Event, j *central.Job) {
	switch ev.Kind {
	case policy.Submitted:
		o := &planned{job: j, start: never, at: slices.Grow(p.units.shares(), 1)}
		p.jobs.Put(j.Job.ID, o)
		p.count(o)
	case policy.Ended:
		o := p.jobs.Get(j.Job.ID)
		if o.short {
			p.shorts--
		}
		p.units.recycle(o.at)
		p.jobs.Delete(j.Job.ID)
	case policy.Joined, policy.Left:
		for _, o := range p.jobs.All() {
			p.count(o)
		}
		p.void = true
		p.rich = p.rich || ev.Info != nil && (ev.Info.Memory > 0 || len(ev.Info.Offers) > 0)
	case policy.Suspended, policy.Resumed, policy.Restored:
		p.void = true
	}
	p.void = p.units.heard(j, ev) || p.void
	if j == nil {
		return
	}
	before, held := p.units.end(ev.Copy)
	if ev.Kind == policy.Started && held && p.byNode() {
		p.lag = max(p.lag, ev.Time.Sub(p.units.spans[ev.Copy].since))
		p.void = p.void || p.lag > 0
	}
	p.units.observe(j, ev)
	if p.units.renew() {
		p.void = true
	}
	switch end, holds := p.units.end(ev.Copy); {
	case held && !holds:
		p.ended = true
		p.free(p.on(ev), &j.Job.Stages[ev.Copy.Stage], ev.Time, before)
	case ev.Kind == policy.Started && p.byNode() && !slices.Equal(p.sent[ev.Copy], p.on(ev)):
		p.void = true // it was started elsewhere than planned
	case holds != held || end != before:
		p.void = true // it was started later than planned, or before a restart
	}
	if ev.Kind == policy.Refused {
		p.void = true
	}
	if ev.Kind == policy.Started || ev.Kind == policy.Refused {
		p.units.recycle(p.sent[ev.Copy])
		delete(p.sent, ev.Copy)
	}
}

// count counts a job among those for which a node can be short of something.
func (p *conservative) count(o *planned) {
	short := slices.ContainsFunc(o.job.Job.Stages, func(s policy.Stage) bool { return p.view.Short(&s) })
	if short != o.short {
		o.short = short
		if p.shorts--; short {
			p.shorts += 2
		}
	}
}

// on returns the nodes of an event's copy, by increasing ID and without devices, until it is called again.
func (p *conservative) on(ev *policy.Event) []policy.Share {
	if !p.byNode() {
		return nil
	}
	at := p.scratch[:0]
	if ev.Node != 0 {
		at = append(at, policy.Share{Node: ev.Node, Tasks: 1})
	}
	for _, share := range ev.Gang {
		if i := slices.IndexFunc(at, func(x policy.Share) bool { return x.Node == share.Node }); i >= 0 {
			at[i].Tasks += share.Tasks
		} else {
			at = append(at, policy.Share{Node: share.Node, Tasks: share.Tasks})
		}
	}
	slices.SortFunc(at, func(a, b policy.Share) int { return cmp.Compare(a.Node, b.Node) })
	p.scratch = at
	return at
}

// free says that what a unit of a stage takes is free from now on, which it should have held until an instant.
// In the plan, what was due by the time that it was made ends in the moment after.
func (p *conservative) free(at []policy.Share, stage *policy.Stage, now, until policy.Time) {
	if until = max(until, p.made+1); p.void || until <= now {
		return
	}
	p.gaps, p.ended = true, true
	if p.partial {
		p.pending = append(p.pending, freed{append(p.units.shares(), at...), stage, now, until})
		return
	}
	p.plan.add(at, stage, now, until, 1)
}

// Update implements [central.Filler]. It keeps the list up to date with a job. It drops a reservation that is not for the
// job's next unit, and makes the plan void if the next unit is expected to take another time now.
func (p *conservative) Update(j *central.Job, _ central.Usage) {
	o := p.jobs.Get(j.Job.ID)
	stage, waits := j.Next()
	var spec *policy.Stage
	time := policy.Duration(0)
	if waits {
		spec, time = &j.Job.Stages[stage], p.units.time.next(j, stage, 0.5)
	}
	if spec != o.spec && !p.void {
		p.finish()
	}
	switch {
	case spec != o.spec:
		if o.waits {
			p.drop(o)
		}
		o.start, o.spec, o.stage, o.time = never, spec, stage, time
		p.fresh = true // also when it leaves: another becomes the first
	case time != o.time:
		o.time, p.void = time, true
	}
	if !waits && !o.waits || waits && o.waits && p.fixed {
		return
	}
	i, _ := slices.BinarySearchFunc(p.waiting, o, p.compare)
	switch {
	case waits && o.waits:
		p.mixed = p.mixed || !p.placed(i, o)
		return
	case !waits:
		o.waits = false
		if i == len(p.waiting) || p.waiting[i] != o { // the order has changed
			i = slices.Index(p.waiting, o)
		}
		p.waiting = slices.Delete(p.waiting, i, i+1)
		return
	}
	o.waits = true
	p.waiting = slices.Insert(p.waiting, i, o)
	if i == 0 && len(p.waiting) > 1 && p.alone(1) {
		p.drop(p.waiting[1]) // it was the first
	}
}

// placed reports whether a job is at i of the list, and there in order. A search may find it where it is though
// it should no longer be there.
func (p *conservative) placed(i int, o *planned) bool {
	n := len(p.waiting)
	return i < n && p.waiting[i] == o && (i == 0 || p.compare(p.waiting[i-1], o) < 0) && (i+1 == n || p.compare(o, p.waiting[i+1]) < 0)
}

func (p *conservative) compare(a, b *planned) int { return p.order.Compare(a.job, b.job) }

// drop takes the reservation of a job out of the plan, if it has one.
func (p *conservative) drop(o *planned) {
	if o.start != never {
		p.free(o.at, o.spec, max(p.view.Now(), o.start), p.end(o, o.start))
		o.start = never
	}
}

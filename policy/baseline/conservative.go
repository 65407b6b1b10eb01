package baseline

import (
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
//     reservation, and those behind it of the same kind get none either, but keep what they have. If no times are
//     known, only the order counts.
//   - Room is counted in cores of the whole cluster, and in nothing else: jobs that need much of a named resource may be
//     delayed again and again, so this filler is not for them. If the host finds none for a unit after all, its job loses its
//     reservation until it is the first waiting job, and then tries alone.
//
// A step takes time in proportion to the number of waiting jobs if one of them starts or comes. If something ends and
// the plan has gaps, it takes in the worst case that number times the number of running units and waiting jobs.
//
// # Source
//
// D. Feitelson and A. Mu'alem Weil, "Utilization and predictability in scheduling the IBM SP2 with backfilling", IPPS
// 1998. Mu'alem and Feitelson (see [EASY]). pyss, the simulator of Feitelson's group, also compresses with one turn
// for each job. We differ: it compresses after each end, and we do it once for all ends of an instant. Compressing
// until no job moves is another reading; it takes longer, and gained nothing on the logs that we tried.
func Conservative() central.Filler {
	return &conservative{units: newUnits(), void: true}
}

// NewConservative returns the policy of batch systems: [FIFO], filled by [Conservative].
func NewConservative() *central.Scheduler { return filled(FIFO(), Conservative()) }

type conservative struct {
	view    *central.View
	order   central.Order
	fixed   bool // see there
	jobs    policy.Table[policy.JobID, planned]
	units   units
	profile profile
	waiting []*planned  // in their order
	void    bool        // all reservations are to be made anew
	made    policy.Time // when all were made anew last
	gaps    bool        // the plan has free cores that some job has not tried to use
	ended   bool        // something has ended since the last decision
	fresh   bool        // a job waits that may want a reservation
	soonest policy.Time // the least of all reservations

	mixed    bool // the list is not in order
	compress bool // jobs may get earlier reservations in this decision
}

// planned is what Conservative keeps of a job.
type planned struct {
	job   *central.Job
	start policy.Time     // of the reservation of its next unit; never: it has none
	time  policy.Duration // that the reservation is for
	stage uint32          // of that unit
	width int64           // the same in cores
	waits bool            // it is in the list
}

// Bind implements [central.Filler].
func (p *conservative) Bind(b central.Books) error {
	if err := b.Enter(&p.view); err != nil {
		return err
	}
	p.order, p.fixed = orderOf(b), fixed(orderOf(b))
	p.units.bind(b.Forecast)
	return nil
}

// Note implements [central.Filler].
func (p *conservative) Note(ev *policy.Event, j *central.Job) {
	switch ev.Kind {
	case policy.Submitted:
		p.jobs.Put(j.Job.ID, &planned{job: j, start: never})
	case policy.Ended:
		p.jobs.Delete(j.Job.ID)
	case policy.Joined, policy.Left, policy.Suspended, policy.Resumed, policy.Restored:
		p.void = true
	}
	if j == nil {
		return
	}
	before, held := p.units.end(ev.Copy)
	if p.units.observe(j, ev) {
		p.void = true
	}
	switch end, holds := p.units.end(ev.Copy); {
	case held && !holds:
		p.ended = true
		p.free(ev.Time, before, j.Job.Stages[ev.Copy.Stage].Width())
	case holds != held || end != before:
		p.void = true // it was started later than planned, or before a restart
	}
	if ev.Kind == policy.Refused {
		p.void = true
	}
}

// free says that cores are free from now on which should have been held until an instant.
// In the plan, what was due by the time that it was made ends in the moment after.
func (p *conservative) free(now, until policy.Time, width int64) {
	if until = max(until, p.made+1); !p.void && until > now {
		p.profile.add(now, until, width)
		p.gaps, p.ended = true, true
	}
}

// Claim implements [central.Filler]. It keeps the list up to date with a job. It drops a reservation that is not for the
// job's next unit, and makes the plan void if the next unit is expected to take another time now.
func (p *conservative) Claim(j *central.Job, _ central.Claim) {
	o := p.jobs.Get(j.Job.ID)
	stage, waits := j.Next()
	width, time := int64(0), policy.Duration(0)
	if waits {
		width, time = j.Job.Stages[stage].Width(), p.units.time.of(j, stage, 0)
	}
	switch {
	case width != o.width || stage != o.stage:
		if o.waits {
			p.drop(o)
		}
		o.start, o.width, o.stage, o.time = never, width, stage, time
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
		p.free(max(p.view.Now(), o.start), after(o.start, o.time), o.width)
		o.start = never
	}
}

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
			if time := p.units.time.of(o.job, o.stage, 0); time != o.time {
				o.time, p.void = time, true
			}
		}
	}
	p.compress = p.ended && p.gaps
	reset := p.void || p.soonest < now
	if p.units.until(1) <= now {
		p.units.overdue(p.view)
		reset = true
	}
	p.ended = false
	switch {
	case reset:
		p.profile.reset(now, p.view.Free(0), &p.units)
		p.made = now
		for _, o := range p.waiting {
			o.start = never
		}
	case p.soonest > now && !p.compress && !p.fresh:
		return false
	default:
		p.profile.forget(now)
	}
	p.gaps = p.gaps && !p.compress && !reset
	p.void = false
	p.soonest = never
	return true
}

// pass gives each job its turn.
func (p *conservative) pass(now policy.Time, start func(j *central.Job) bool) {
	for i := 0; i < len(p.waiting); i++ {
		o := p.waiting[i]
		switch {
		case o.start == never:
			p.reserve(i, now)
		case p.compress:
			p.advance(o, now)
		}
		for o.start <= now && p.view.Fits(o.job) {
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

// Began hears of a start. A copy, which had no reservation, calls for new ones.
func (p *conservative) Began(j *central.Job, c policy.Copy, another bool) {
	p.units.hold(j, c, p.view.Now())
	p.void = p.void || another
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
	if at := p.profile.earliest(now, never, o.width, o.time); at != never {
		p.profile.add(at, after(at, o.time), -o.width)
		o.start = at
	}
}

// advance gives a job an earlier reservation if there is one.
// It needs free cores up to the one that it has only: from there on it has its own.
func (p *conservative) advance(o *planned, now policy.Time) {
	at := p.profile.earliest(now, o.start, o.width, o.time)
	if at >= o.start {
		return
	}
	p.profile.add(o.start, after(o.start, o.time), o.width)
	p.profile.add(at, after(at, o.time), -o.width)
	o.start, p.gaps = at, true
}

// alone reports whether a job of the list waits until it is the first, since the host found
// no room for it.
func (p *conservative) alone(i int) bool { return i > 0 && p.waiting[i].job.Refused }

// Planned returns when the next unit of a job is to start by its reservation, and false if it has
// none.
func (p *conservative) Planned(id policy.JobID) (at policy.Time, ok bool) {
	o := p.jobs.Get(id)
	if o == nil || !o.waits || o.start == never {
		return 0, false
	}
	return o.start, true
}

package baseline

import (
	"slices"

	"example.com/augur/policy"
)

// Conservative gives every job that waits a reservation, made when it comes: the earliest
// instant from which, by the time that users request for their jobs
// ([policy.Job.Requested]), its cores will be free for as long as it asks, with everything
// that runs and all earlier reservations in place. So a job may overtake any number of
// others, but delays none of them, where [EASY] cares for the first one only. When
// something ends early the plan is compressed: in the order of submission, each job takes
// the earliest reservation that it can get in place of its own, which is the same one or a
// better, until no job finds a better one. So every reservation begins when something ends,
// and no alarm is needed.
//
// If no task runs for longer than requested, none fails, no cores are lost, and orders to
// nodes take no time, no job starts later than at the first reservation that it was given.
//
//   - Of a job with several units (tasks, or whole gangs), the next one that waits has the
//     reservation; the one after it gets its own when that has started.
//   - If a unit runs on after its requested time, or cores join or are lost, all
//     reservations are made anew, in the order of submission.
//   - A job that requests no time is taken to run for ever. A job that then finds no place
//     in the plan has no reservation, and those behind it that request no time get none
//     either, but keep what they have. Where no job requests one, Conservative is FIFO.
//   - Room is cores of the whole cluster, counted. If the host finds none for a unit after
//     all, its job loses its reservation until it is the first that waits, and then tries
//     alone.
//
// Step takes time in proportion to the number of jobs that wait if one of them starts or
// comes, and, if something ends and the plan has gaps, to that number times that of the units
// that run and the jobs that wait, in the worst case.
//
// # Source
//
// D. Feitelson and A. Mu'alem Weil, "Utilization and predictability in scheduling the IBM
// SP2 with backfilling", IPPS 1998. Mu'alem and Feitelson (see [EASY]). One turn for each job is
// how pyss compresses, the simulator of Feitelson's group. We differ: it compresses after each end,
// and we do it once for all ends of an instant. Another reading is to go on until no job moves.
// That takes longer, and jobs wait longer on average on three logs (BenchmarkConservative).
type Conservative struct {
	view    policy.View[planned]
	units   units
	profile profile
	waiting []*plannedView // in the order of submission
	void    bool           // all reservations are to be made anew
	made    policy.Time    // when all were made anew last
	gaps    bool           // the plan has free cores that some job has not tried to use
	ended   bool           // something has ended since the last decision
	fresh   bool           // a job waits that may want a reservation
	soonest policy.Time    // the least of all reservations
}

// planned is what Conservative keeps of a job.
type planned struct {
	start   policy.Time // of the reservation of its next unit; never: it has none
	width   int64       // of that unit
	waits   bool        // it is in the list
	refused bool        // the host found no room for its last Start
}

type plannedView = policy.JobView[planned]

// NewConservative returns a Conservative policy.
func NewConservative() *Conservative { return &Conservative{units: newUnits(), void: true} }

// Step implements [policy.Scheduler].
func (p *Conservative) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	j, err := p.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	if j != nil {
		p.note(j, ev)
	}
	switch ev.Kind {
	case policy.Joined, policy.Left, policy.Suspended, policy.Resumed, policy.Restored:
		p.void = true
	}
	if p.view.Decide(ev) {
		actions = p.start(ev.Time, actions)
	}
	return actions, nil
}

// note takes note of an event about a job.
func (p *Conservative) note(j *plannedView, ev *policy.Event) {
	before, held := p.units.end(ev.Copy)
	p.units.observe(j.Job, ev)
	switch end, holds := p.units.end(ev.Copy); {
	case held && !holds:
		p.ended = true
		p.free(ev.Time, before, j.Job.Stages[ev.Copy.Stage].Width())
	case holds != held || end != before:
		p.void = true // it was started later than planned, or before a restart
	}
	if ev.Kind == policy.Started || ev.Kind == policy.Refused {
		j.Own.refused = ev.Kind == policy.Refused
		p.void = p.void || j.Own.refused
	}
	p.place(j, ev.Time)
}

// free says that cores are free from now on which should have been held until an instant.
// In the plan, what was due by the time that it was made ends in the moment after.
func (p *Conservative) free(now, until policy.Time, width int64) {
	if until = max(until, p.made+1); !p.void && until > now {
		p.profile.add(now, until, width)
		p.gaps, p.ended = true, true
	}
}

// place keeps the list up to date with a job, and drops a reservation that is not for its
// next unit.
func (p *Conservative) place(j *plannedView, now policy.Time) {
	o := &j.Own
	stage, waits := j.Next()
	width := int64(0)
	if waits {
		width = j.Job.Stages[stage].Width()
	}
	if width != o.width {
		if o.waits {
			p.drop(j, now)
		}
		o.start, o.width = never, width
		p.fresh = true // also when it leaves: another becomes the first
	}
	if waits == o.waits {
		return
	}
	o.waits = waits
	i, _ := slices.BinarySearchFunc(p.waiting, j, func(a, b *plannedView) int {
		return submission(a.Job, b.Job)
	})
	if !waits {
		p.waiting = slices.Delete(p.waiting, i, i+1)
		return
	}
	p.waiting = slices.Insert(p.waiting, i, j)
	if i == 0 && len(p.waiting) > 1 && p.alone(1) {
		p.drop(p.waiting[1], now) // it was the first
	}
}

// drop takes the reservation of a job out of the plan, if it has one.
func (p *Conservative) drop(j *plannedView, now policy.Time) {
	if o := &j.Own; o.start != never {
		p.free(max(now, o.start), after(o.start, requested(j.Job)), o.width)
		o.start = never
	}
}

// start brings the plan up to date and starts what is planned for now. Each job has a turn, in which it
// gets a reservation if it has none, or, if something has ended, an earlier one if there is one.
func (p *Conservative) start(now policy.Time, actions []policy.Action) []policy.Action {
	compress, reset := p.ended && p.gaps, p.void || p.soonest < now || p.units.until(1) <= now
	p.ended = false
	switch {
	case reset:
		p.profile.reset(now, p.view.Free(0), &p.units)
		p.made = now
		for _, j := range p.waiting {
			j.Own.start = never
		}
	case p.soonest > now && !compress && !p.fresh:
		return actions
	default:
		p.profile.forget(now)
	}
	p.gaps = p.gaps && !compress && !reset
	p.void = false
	p.soonest = never
	for i := 0; i < len(p.waiting); i++ {
		j := p.waiting[i]
		switch {
		case j.Own.start == never:
			p.reserve(i, now)
		case compress:
			p.advance(j, now)
		}
		for j.Own.start <= now && p.view.Fits(j) {
			a := p.view.Start(j, 0)
			p.units.hold(j.Job, a.Copy, now)
			actions = append(actions, a)
			if j.Own.refused {
				p.void = true
				return actions
			}
			j.Own.start = never // the reservation is the unit's now
			if p.place(j, now); !j.Own.waits {
				i--
				break
			}
			p.reserve(i, now)
		}
		p.soonest = min(p.soonest, j.Own.start)
	}
	p.fresh = false
	return actions
}

// reserve makes the earliest reservation that there is for a job of the list, which has
// none.
func (p *Conservative) reserve(i int, now policy.Time) {
	j := p.waiting[i]
	time := requested(j.Job)
	switch {
	case p.alone(i):
		return
	case time == unbounded && slices.ContainsFunc(p.waiting[:i], func(j *plannedView) bool { return j.Own.start == never }):
		return
	}
	if at := p.profile.earliest(now, never, j.Own.width, time); at != never {
		p.profile.add(at, after(at, time), -j.Own.width)
		j.Own.start = at
	}
}

// advance gives a job an earlier reservation if there is one.
// It needs free cores up to the one that it has only: from there on it has its own.
func (p *Conservative) advance(j *plannedView, now policy.Time) {
	o, time := &j.Own, requested(j.Job)
	at := p.profile.earliest(now, o.start, o.width, time)
	if at >= o.start {
		return
	}
	p.profile.add(o.start, after(o.start, time), o.width)
	p.profile.add(at, after(at, time), -o.width)
	o.start, p.gaps = at, true
}

// alone reports whether a job of the list waits until it is the first, since the host found
// no room for it.
func (p *Conservative) alone(i int) bool { return i > 0 && p.waiting[i].Own.refused }

// Planned returns when the next unit of a job is to start by its reservation, and false if it has
// none.
func (p *Conservative) Planned(id policy.JobID) (at policy.Time, ok bool) {
	j := p.view.Job(id)
	if j == nil || !j.Own.waits || j.Own.start == never {
		return 0, false
	}
	return j.Own.start, true
}

// Compare returns a negative number if job a was submitted before job b, a positive one if after. A
// job that is not there goes last.
func (p *Conservative) Compare(a, b policy.JobID) int {
	return p.view.Compare(a, b, func(a, b *plannedView) int { return submission(a.Job, b.Job) })
}

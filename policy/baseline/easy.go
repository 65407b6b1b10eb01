package baseline

import (
	"example.com/augur/policy"
)

// EASY serves jobs in the order of their submission, as FIFO does, and fills the gaps with
// later jobs that delay nobody by it: backfilling, as production batch systems do it. It
// goes by the time that users request for their jobs, [policy.Job.Requested].
//
// While the next unit (a task, or a whole gang) of the first job that waits finds no room,
// it has a reservation at its shadow time: the earliest instant at which enough cores will
// be free if all that runs ends at its requested time. A later job may start a unit now if
// there is room for it, and it either ends by the shadow time or makes do with the extra
// cores, those that the first unit will leave free at its shadow time.
//
// If no task runs for longer than requested, none fails, no cores are lost, and orders to
// nodes take no time, no job starts later than at the reservation that it was given when it
// became the first: those that overtake it never delay it.
//
//   - A running unit whose requested time is over counts as if it ended now.
//   - A job that requests no time is taken to run for ever, so that it overtakes only on
//     extra cores. The first unit may then have no shadow time; meanwhile any job that
//     requests a time may overtake. Where no job does, EASY is FIFO.
//   - Room is cores of the whole cluster, counted. If the host finds none for a unit after
//     all, since they are spread over many nodes or memory is lacking, its job overtakes
//     no more until it has got a unit through, and tries alone when it is the first.
//
// Step takes time logarithmic in the number of units that run and of jobs that wait, times
// the number of classes of like width (4 for each power of two) that the free cores span.
// Only in the classes next to the numbers of free and of extra cores a search may have to
// look at more jobs.
//
// # Source
//
// D. Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995. A. Mu'alem and D. Feitelson,
// "Utilization, predictability, workloads, and user runtime estimates in scheduling the IBM
// SP2 with backfilling", IEEE Transactions on Parallel and Distributed Systems 12(6), 2001.
type EASY struct{ backfill }

// NewEASY returns an EASY policy.
func NewEASY() *EASY { return &EASY{newBackfill(bySubmission)} }

// A reservation says by when a job will be able to start its next unit.
type reservation struct {
	job policy.JobID // 0: there is none
	at  policy.Time  // never: nobody knows
}

// backfill serves jobs in an order, with backfilling.
type backfill struct {
	inOrder
	units      units
	candidates candidates
	reserved   reservation // of the first job that waits, at the last decision, before others overtook it
}

func newBackfill(compare func(a, b *jobView) int) backfill {
	return backfill{inOrder: newInOrder(compare), units: newUnits(), candidates: candidates{compare: compare}}
}

// Step implements [policy.Scheduler].
func (p *backfill) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	j, err := p.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	p.note(j, ev)
	return p.start(ev, actions), nil
}

// note keeps the queue, the units and the candidates up to date.
func (p *backfill) note(j *jobView, ev *policy.Event) {
	p.inOrder.note(j, ev)
	if j != nil {
		p.units.observe(j.Job, ev)
		p.candidates.place(j)
	}
}

// start starts what is first in the queue as long as there is room for it, and then what
// may overtake it.
func (p *backfill) start(ev *policy.Event, actions []policy.Action) []policy.Action {
	if !p.view.Decide(ev) {
		return actions
	}
	p.reserved = reservation{}
	for {
		j, ok := p.waiting.Peek()
		if !ok {
			return actions
		}
		if !p.view.Fits(j) {
			return p.fill(j, ev.Time, actions)
		}
		actions = p.launch(j, ev.Time, actions)
		if j.Own.refused {
			return actions
		}
	}
}

// launch starts the next unit of a job.
func (p *backfill) launch(j *jobView, now policy.Time, actions []policy.Action) []policy.Action {
	a := p.view.Start(j, 0)
	p.units.hold(j.Job, a.Copy, now)
	p.place(j)
	p.candidates.place(j)
	return append(actions, a)
}

// fill starts what may overtake the first job.
func (p *backfill) fill(first *jobView, now policy.Time, actions []policy.Action) []policy.Action {
	stage, _ := first.Next()
	width := first.Job.Stages[stage].Width()
	g := p.reserve(first.Job.ID, width, now)
	for {
		j := p.candidates.first(g)
		if j == nil {
			return actions
		}
		stage, _ := j.Next()
		width := j.Job.Stages[stage].Width()
		if g.free -= width; requested(j.Job) > g.time {
			g.extra -= width
		}
		actions = p.launch(j, now, actions)
	}
}

// reserve makes a reservation, and returns the gap that it leaves.
func (p *backfill) reserve(id policy.JobID, width int64, now policy.Time) gap {
	free := p.view.Free(0)
	at := max(p.units.until(width-free), now)
	p.reserved = reservation{id, at}
	if at == never {
		return gap{free: free, time: unbounded - 1}
	}
	return gap{free: free, time: at.Sub(now), extra: free + p.units.freed(at) - width}
}

// Planned returns when the next unit of a job is to start, and false if nobody knows: the
// reservation of the first that waits.
func (p *backfill) Planned(id policy.JobID) (at policy.Time, ok bool) {
	if p.reserved.job != id || id == 0 || p.reserved.at == never {
		return 0, false
	}
	return p.reserved.at, true
}

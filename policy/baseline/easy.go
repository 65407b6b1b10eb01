package baseline

import (
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// EASY fills the gaps of an order with later jobs that do not delay the first one: backfilling, as production batch
// systems do it over [FIFO]. It goes by expected times: that of a unit (a task, or a whole gang) is the mean runtime
// that the scheduler's Forecast says now, and where that knows nothing the time that the job's user requests,
// [policy.Job.Requested].
//
// While the next unit of the first job that waits finds no room, it has a reservation at its shadow time: the earliest
// instant at which enough cores will be free if all that runs ends at its expected time. A later job may start a unit
// now if there is room for it, and it either ends by the shadow time or makes do with the extra cores, those that the
// first unit will leave free at its shadow time.
//
// If no task runs for longer than expected, as where hosts end tasks at the requested time, the Forecast does not change,
// no task fails, no cores are lost, and orders to nodes take no time, no job starts later than at the reservation that it
// was given when it became the first: those that overtake it never delay it.
//
//   - If the Forecast of a stage changes, the running units of the stage have the new expected time too, counted from their
//     start. A unit that runs on after its expected time counts as if it ended now.
//   - A unit of which no time is known is taken to run for ever, so that it overtakes only on extra cores. The first
//     unit may then have no shadow time; meanwhile any unit with a time may overtake. Where none has, the order is all
//     that counts.
//   - Room is cores of the whole cluster, counted. If the host finds none for a unit after all, since they are spread
//     over many nodes or memory is lacking, its job overtakes no more until it has got a unit through, and tries alone
//     when it is the first.
//
// A step takes time logarithmic in the number of units that run and of jobs that wait, times
// the number of classes of like width (4 for each power of two) that the free cores span.
// Only in the classes next to the numbers of free and of extra cores a search may have to
// look at more jobs. If the Forecast may change, a step asks it about the stages of the job concerned, and moves all
// running units of a stage whose expected time has changed.
//
// # Source
//
// D. Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995. A. Mu'alem and D. Feitelson,
// "Utilization, predictability, workloads, and user runtime estimates in scheduling the IBM
// SP2 with backfilling", IEEE Transactions on Parallel and Distributed Systems 12(6), 2001.
func EASY() central.Filler { return &easy{units: newUnits()} }

// NewEASY returns the policy of batch systems: [FIFO], filled by [EASY].
func NewEASY() *central.Scheduler { return filled(FIFO(), EASY()) }

// filled returns the policy with an order and a filler.
func filled(t central.Order, f central.Filler) *central.Scheduler {
	s, err := central.New(central.Config{Turn: t, Fill: f})
	if err != nil {
		panic(err) // an order is all that it needs
	}
	return s
}

type easy struct {
	view       *central.View
	order      central.Order
	units      units
	candidates candidates
	spots      policy.Table[policy.JobID, spot]
	reserved   reservation // of the first job that waits, at the last decision, before others overtook it
}

// A reservation says by when a job will be able to start its next unit.
type reservation struct {
	job policy.JobID // 0: there is none
	at  policy.Time  // never: nobody knows
}

// Bind implements [central.Filler].
func (p *easy) Bind(b central.Books) error {
	p.view, p.order = b.View, orderOf(b)
	p.candidates.order, p.candidates.fixed = p.order, fixed(p.order)
	p.units.bind(b.Forecast)
	p.candidates.time.forecast = b.Forecast
	return nil
}

// Note implements [central.Filler].
func (p *easy) Note(ev *policy.Event, j *central.Job) {
	if j == nil {
		return
	}
	switch ev.Kind {
	case policy.Submitted:
		p.spots.Put(j.Job.ID, new(spot))
	case policy.Ended:
		p.spots.Delete(j.Job.ID)
	}
	p.units.observe(j, ev)
}

// Began hears of a start.
func (p *easy) Began(j *central.Job, c policy.Copy, _ bool) { p.units.hold(j, c, p.view.Now()) }

// Claim implements [central.Filler].
func (p *easy) Claim(j *central.Job, _ central.Claim) {
	if p.order.Reordered() {
		p.renew()
	}
	at := p.spots.Get(j.Job.ID)
	*at = p.candidates.place(j, *at)
}

// renew puts all candidates in their order again.
func (p *easy) renew() {
	for _, at := range p.spots.All() { // all leave before one comes back
		*at = p.candidates.remove(*at)
	}
	for id, at := range p.spots.All() {
		if j := p.view.Job(id); j != nil { // else it has just ended
			*at = p.candidates.place(j, *at)
		}
	}
}

// Decide implements [central.Filler]: it starts what is first in the order as long as there is room for it, and
// then what may overtake it.
func (p *easy) Decide(start func(j *central.Job) bool) {
	if p.order.Reordered() {
		p.renew()
	}
	p.reserved = reservation{}
	for {
		j := p.order.Next()
		switch {
		case j == nil:
			return
		case j.Waiting > 0 && !p.view.Fits(j):
			p.fill(j, start)
			return
		case !start(j):
			return
		}
	}
}

// fill starts what may overtake the first job.
func (p *easy) fill(first *central.Job, start func(j *central.Job) bool) {
	g := p.reserve(first)
	for {
		j := p.candidates.first(g)
		if j == nil {
			return
		}
		stage, _ := j.Next()
		width := j.Job.Stages[stage].Width()
		if g.free -= width; p.candidates.time.of(j, stage) > g.time {
			g.extra -= width
		}
		if !start(j) {
			return
		}
	}
}

// reserve makes a reservation for the first job, and returns the gap that it leaves.
func (p *easy) reserve(first *central.Job) gap {
	stage, _ := first.Next()
	width, now, free := first.Job.Stages[stage].Width(), p.view.Now(), p.view.Free(0)
	at := max(p.units.until(width-free), now)
	p.reserved = reservation{first.Job.ID, at}
	if at == never {
		return gap{free: free, time: unbounded - 1}
	}
	return gap{free: free, time: at.Sub(now), extra: free + p.units.freed(at) - width}
}

// Planned returns when the next unit of a job is to start, and false if nobody knows: the
// reservation of the first that waits.
func (p *easy) Planned(id policy.JobID) (at policy.Time, ok bool) {
	if p.reserved.job != id || id == 0 || p.reserved.at == never {
		return 0, false
	}
	return p.reserved.at, true
}

package baseline

import (
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// EASY fills the gaps of an order with later jobs that do not delay the first one: backfilling, as production batch
// systems do it over [FIFO]. It goes by expected times. The expected time of a unit (a task, or a whole gang) is the
// median of what the scheduler's Forecast says now, or the limit that it knows, as a [central.Limiter]. If the Forecast knows
// nothing, it is the time that the job's user requests, [policy.Job.Requested].
//
// While the next unit of the first job that waits finds no room, it has a reservation at its shadow time: the earliest
// instant at which enough cores will be free if all that runs ends at its expected time. A later job may start a unit
// now if there is room for it, and it either ends by the shadow time or makes do with the extra cores, those that the
// first unit will leave free at its shadow time.
//
// A job starts no later than at the reservation that it was given when it became the first: those that overtake it
// never delay it. This holds if no task runs for longer than expected (as where hosts end tasks at the requested time),
// the Forecast does not change, no task fails, no cores are lost, and orders to nodes take no time.
//
//   - If the Forecast of a stage changes, the running units of the stage have the new expected time too, counted from their
//     start. A unit that runs on after its expected time is expected to end at the median of the runtimes that the Forecast
//     still thinks possible. If there are none, or users say the time, it counts as if it ended now.
//   - A unit of which no time is known is taken to run for ever, so that it overtakes only on extra cores. The first
//     unit may then have no shadow time; meanwhile any unit with a time may overtake. If no unit has an expected time,
//     jobs simply start in their order.
//   - If a node can be short of something for the first unit ([central.View.Short]: several cores a task, memory, named
//     resources), its shadow time is when single nodes, and not just the cluster, will have room for its tasks. A unit
//     that still runs then may overtake it only if enough room remains for the first unit, whichever node the host
//     chooses. An order that the host has not answered counts as taken from any node that could hold it.
//   - If the host finds no room for a unit after all, its job tries one unit at a time until one has started. As the first job it
//     tries after each event, others overtake it meanwhile, and its shadow time is the next expected end. Beside the first job one such
//     job tries at a time, once something has become free. After several refusals in a row it waits for more ends, at most 16.
//
// A step takes time in proportion to the units that run, and for each unit that it starts to the jobs that wait.
// If the Forecast may change, a step in which the first job finds no room asks it again about the jobs with events since the last
// such step. It moves all running units whose expected time has changed. If the Forecast's Revision has changed, the step asks
// about all jobs that wait.
//
// # Source
//
// D. Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995. A. Mu'alem and D. Feitelson,
// "Utilization, predictability, workloads, and user runtime estimates in scheduling the IBM
// SP2 with backfilling", IEEE Transactions on Parallel and Distributed Systems 12(6), 2001.
func EASY() central.Filler { return newEASY(BackfillConfig{}) }

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
	config   BackfillConfig
	view     *central.View
	order    central.Order
	units    units
	places   policy.Table[policy.JobID, int] // in waiting, plus one; 0: the job is not there
	waiting  []candidate                     // in no order
	reserved reservation                     // of the first job that waits, at the last decision, before others overtook it
	promised map[policy.JobID]policy.Time    // with the slack, of jobs that were the first: the first reservation and the slack
	lacking  []*policy.Stage                 // of which no node had room for a unit, in this decision
}

func newEASY(c BackfillConfig) *easy {
	return &easy{config: c, units: newUnits(), promised: make(map[policy.JobID]policy.Time)}
}

// A candidate is a job and the next unit of it that waits.
type candidate struct {
	job   *central.Job
	width int64           // cores
	time  policy.Duration // that it takes
	least policy.Duration // the time that it takes at least, with a probability of 0.9, if Longest asks for that
	stage *policy.Stage   // of the unit
}

// A reservation says by when a job will be able to start its next unit.
type reservation struct {
	job policy.JobID // 0: there is none
	at  policy.Time  // never: nobody knows
}

func (p *easy) Bind(b central.Books) error {
	if err := b.Enter(&p.view); err != nil {
		return err
	}
	p.order = orderOf(b)
	p.units.bind(b.Forecast)
	return nil
}

func (p *easy) Note(ev *policy.Event, j *central.Job) {
	p.units.heard(j, ev)
	if j == nil {
		return
	}
	switch ev.Kind {
	case policy.Submitted:
		p.places.Put(j.Job.ID, new(int))
	case policy.Ended:
		p.places.Delete(j.Job.ID)
		delete(p.promised, j.Job.ID)
	}
	p.units.observe(j, ev)
}

// Began hears of a start.
func (p *easy) Began(j *central.Job, c policy.Copy, _ bool) {
	p.units.began(p.view, j, c)
	delete(p.promised, j.Job.ID)
}

func (p *easy) Update(j *central.Job, _ central.Usage) {
	place := p.places.Get(j.Job.ID)
	stage, waits := j.Next()
	switch {
	case waits:
		if *place == 0 {
			p.waiting = append(p.waiting, candidate{})
			*place = len(p.waiting)
		}
		spec := &j.Job.Stages[stage]
		c := &p.waiting[*place-1]
		*c = candidate{job: j, width: spec.Width(), stage: spec}
		p.expect(c)
	case *place > 0:
		last := len(p.waiting) - 1
		moved := p.waiting[last]
		*p.places.Get(moved.job.Job.ID) = *place
		p.waiting[*place-1], p.waiting[last] = moved, candidate{}
		p.waiting, *place = p.waiting[:last], 0
	}
}

// expect asks the Forecast how long a candidate takes.
func (p *easy) expect(c *candidate) {
	stage, _ := c.job.Next()
	if c.time = p.units.time.next(c.job, stage, 0.5); p.config.Longest > 0 {
		c.least = p.units.time.next(c.job, stage, 0.1)
	}
}

// Decide implements [central.Filler]: it starts what is first in the order as long as there is room for it, and
// then what may overtake it.
func (p *easy) Decide(start func(j *central.Job) bool) {
	p.reserved = reservation{}
	for {
		j := p.order.Next()
		switch {
		case j == nil:
			return
		case j.Waiting > 0 && p.blocked(j):
			p.fill(j, start)
			return
		case !start(j):
			return
		}
	}
}

// blocked reports whether the next unit of the first job has to wait for room. What no node could hold is for start to
// put aside.
func (p *easy) blocked(j *central.Job) bool {
	switch {
	case p.view.Barred(j) || p.units.tries[j.Job.ID]:
		return true
	case p.view.Fits(j):
		return false
	}
	stage, _ := j.Next()
	return p.view.Possible(&j.Job.Stages[stage])
}

// A gap is room for a unit that is at most so wide, and either short or narrow.
type gap struct {
	free  int64           // cores
	time  policy.Duration // for which they are free
	extra int64           // cores that are free for longer
	limit policy.Duration // of the least time of what starts on these
	nodes nodegap         // the same by node, if a node can be short of something for the first job
}

func (g *gap) holds(c *candidate) bool {
	return c.width <= g.free && (c.time <= g.time || c.width <= g.extra && c.least <= g.limit && g.nodes.holds(c.stage))
}

// take takes the room of a unit.
func (g *gap) take(c *candidate) {
	if g.free -= c.width; c.time > g.time {
		g.extra -= c.width
		g.nodes.take(c.stage)
	}
}

// fill starts what may overtake the first job.
func (p *easy) fill(first *central.Job, start func(j *central.Job) bool) {
	if p.units.revised() {
		for i := range p.waiting {
			p.expect(&p.waiting[i])
		}
	}
	p.lacking = p.lacking[:0]
	for g := p.reserve(first); g.free > 0; {
		c, ok := p.first(&g)
		if !ok {
			return
		}
		g.take(&c)
		if !start(c.job) {
			return
		}
	}
}

// first returns the first job, in the order of overtaking, whose next unit fits into a gap, and false if there is none.
func (p *easy) first(g *gap) (found candidate, ok bool) {
	for i := range p.waiting {
		c := &p.waiting[i]
		if g.holds(c) && p.units.overtakes(c.job.Job.ID) && !p.view.Barred(c.job) && (!ok || p.compare(c, &found) < 0) && p.roomFor(c) {
			found, ok = *c, true
		}
	}
	return found, ok
}

// reserve makes a reservation for the first job, and returns the gap that it leaves.
func (p *easy) reserve(first *central.Job) gap {
	stage, _ := first.Next()
	spec := &first.Job.Stages[stage]
	width, now, free := spec.Width(), p.view.Now(), p.view.Free(0)
	p.units.renew()
	p.units.overdue(p.view)
	at := max(now, p.units.until(width-free))
	g := gap{free: free}
	if p.view.Short(spec) {
		at, g.nodes = p.reserveNodes(spec, at)
	}
	p.reserved = reservation{first.Job.ID, at}
	if at == never {
		g.time = unbounded - 1
		return g
	}
	if p.config.Slack > 0 {
		if by := p.promise(first.Job.ID, at, p.units.time.next(first, stage, 0.5)); by > at {
			at = by
			if g.nodes.stage != nil {
				_, g.nodes = p.reserveNodes(spec, by)
			}
		}
	}
	g.time, g.extra = at.Sub(now), free+p.units.freed(at)-width
	if p.config.Longest > 0 {
		g.limit = saturate.To[policy.Duration](p.config.Longest * float64(max(g.time, p.units.time.next(first, stage, 0.5))))
	}
	return g
}

// Planned returns when the next unit of a job is to start, and false if nobody knows: the
// reservation of the first that waits.
func (p *easy) Planned(id policy.JobID) (at policy.Time, ok bool) {
	if p.reserved.job != id || id == 0 || p.reserved.at == never {
		return 0, false
	}
	return p.reserved.at, true
}

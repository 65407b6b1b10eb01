// Package preempt fills a cluster by rank, and stops running units for jobs of a much better rank. A unit (a task, or a whole
// gang) whose stage Saves is saved, gives its cores away, and later continues from there. Most callers put it behind an index:
//
//	fill, err := preempt.NewFiller(preempt.Config{})
//	s, err := central.New(central.Config{Turn: turn, Forecast: beliefs, Fill: fill})
//
// All settings have defaults. Jobs declare which stages can be saved, and how long they reload: [policy.Stage.Saves] and Reload.
//
// # The plan
//
// Whenever it decides, the filler makes a plan. What cannot be saved, and what is still exempt, keeps its cores. The other units
// follow by rank, and each is in the plan if it fits beside those before it. The rank of a running unit is divided by Margin,
// so that two jobs do not take turns. If more than a share Idle of the cores would stay idle although jobs wait, the first units
// that fill the cluster go widest first if that leaves fewer cores idle (ServerFilling). Running units that are not in the plan
// are stopped. Their cores are kept for the plan until they have been saved.
//
// The Turn has to be a [central.Ranker], such as a gittins.Turn, since the plan needs ratios of ranks; central.New refuses any
// other order.
//
// # Bounds
//
// Let g be Exempt, r the reload of a unit (at least 1 s), and T its runtime on the slowest nodes. A unit is exempt until it
// has worked for g·r since it last started or went on. Each save of the unit that fails doubles its exempt time, and so do
// eight saves of any units that fail one after the other, until one does not. Whatever jobs come, whichever units the plan
// chooses, and whatever fails,
//
//   - a unit is stopped at most T/(g·r) times with success, and at most 1 + log2(T/(g·r)) times without,
//   - the reloads after stops take at most a g-th of the time for which units work, and
//   - saves that fail lose no more than T each.
//
// Proof. Each stop ends an interval in which the unit has worked for at least g·r. The intervals of a unit are disjoint. What is
// done in those that end with a save is not done again, so they add up to T at most. The k-th stop without a save ends an
// interval of at least g·r·2^(k-1), in which the unit has not come to its end, so it is no longer than T. Each stop is
// followed by one reload at most, of r, which is at most a g-th of the interval before it. What is done again after a save has
// failed, a node is lost or a task breaks counts as work once more, and the reload after a loss follows no stop.
//
// The price is that a job waits about (g+1)·r longer if all that would give way to it is exempt. Without exempt times neither
// holds: jobs of 10 s that come once a minute would stop a job of 36,000 s 3,000 times, and each time it reloads for a minute.
//
// # When not to use it
//
// If users are promised a start, take [baseline.EASY] or [baseline.Conservative]. While a job is there that can be saved, units
// that cannot be saved start by rank, wherever they fit, so a wide one may starve beside narrow ones. A filler that stops
// copies excludes a Copier. If most jobs are shorter than g reloads, the mean is a few percent worse than without stops.
//
// # Cost
//
// A decision takes O(r log r + k) time with r running units and k of the n waiting jobs, at least 64: as many as it takes until
// fewer cores are idle than the narrowest job takes. These are all jobs if only its node keeps that job from fitting, or if it is
// the last. Each job whose rank changes moves past up to n others; if more than 16 do, or ranks of waiting jobs run out, a pass
// over all n replaces that. A task has two decisions. With 1,000 waiting jobs they take as much time as under EASY, with 10,000
// 1.6 times and with 100,000 2.3 times as much, 0.25 ms, if 32 tasks fill the cores; 0.6, 0.3 and 0.2 times as much if a core
// stays idle (BenchmarkTask).
//
// If a single node can be short of something for a unit ([central.View.Short]), victims are chosen node by node, and each kind of
// unit that finds no room takes time in proportion to the nodes and the running units. A step allocates nothing in the steady state.
//
// # Source
//
// Widest first: I. Grosof, Z. Scully, M. Harchol-Balter and A. Scheller-Wolf, "Optimal scheduling in the multiserver-job model
// under heavy traffic", SIGMETRICS 2023. The exempt time, the margin and the bounds are this library's own.
package preempt

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

// Config describes a filler. The zero Config is ready to use.
type Config struct {
	Margin float64 // a running unit gives way if its rank is more than so many times that of the other, ≥ 1; 0 means 2
	Exempt float64 // for how many times its reload a unit works before it may be stopped, 1 to 1e9; 0 means 10
	Idle   float64 // the share of the cores that may stay idle while jobs wait, above 0, at most 1; 0 means 0.1
}

// NewFiller returns the filler. It returns an error that names the field that is out of range.
func NewFiller(c Config) (central.Filler, error) {
	c.Margin, c.Exempt, c.Idle = cmp.Or(c.Margin, 2), cmp.Or(c.Exempt, 10), cmp.Or(c.Idle, 0.1)
	switch {
	case !(c.Margin >= 1 && c.Margin <= math.MaxFloat64):
		return nil, fmt.Errorf("preempt: Config.Margin is %v, want a finite number of at least 1", c.Margin)
	case !(c.Exempt >= 1 && c.Exempt <= 1e9):
		return nil, fmt.Errorf("preempt: Config.Exempt is %v, want 1 to 1e9", c.Exempt)
	case !(c.Idle > 0 && c.Idle <= 1):
		return nil, fmt.Errorf("preempt: Config.Idle is %v, want above 0, at most 1", c.Idle)
	}
	easy := baseline.EASY()
	return &filler{
		config: c, easy: easy, began: easy.(central.StartHearer).Began, held: make(map[policy.Copy]*holder), narrow: queue.NewHeap(byWidth),
		until: policy.Never, expires: policy.Never,
	}, nil
}

const leastReload = policy.Duration(1e9) // for exempt times

type filler struct {
	config  Config
	easy    central.Filler                                    // decides while no job is there that can be saved
	began   func(j *central.Job, c policy.Copy, another bool) // its
	view    *central.View
	ranker  central.Ranker
	reviser central.Reviser // the Forecast, if it is one
	revised uint64          // the revision by which jobs that wait are ranked
	jobs    policy.Table[policy.JobID, contender]
	waiting []*contender            // by rank, as rank leaves them
	stale   []*contender            // that have come, have gone or have another rank since
	moved   []*contender            // of these, where merge puts them in order
	narrow  *queue.Heap[*contender] // those that wait, the least width first
	expires policy.Time             // when the first rank of those that wait and hold nothing does
	running []*holder               // in no order
	held    map[policy.Copy]*holder
	ended   []*contender // for jobs to come
	spare   []*holder    // for units to come
	savers  int          // jobs that have a stage that Saves
	failing int          // saves that have failed since the last one that did not
	until   policy.Time  // when to decide anew
	node    policy.NodeID
	plan    plan
}

// A contender is a job that waits, runs or both.
type contender struct {
	job    *central.Job
	rank   float64     // by logarithm
	until  policy.Time // when the rank may change without an event
	waits  bool
	next   *policy.Stage       // to start a unit of, if it waits
	width  int64               // of that
	place  queue.Handle        // in filler.narrow
	queued bool                // it is in filler.waiting
	stale  bool                // the rank may have changed
	units  int                 // that run
	served float64             // what these have attained, core-seconds, while rank works
	tries  bool                // it was refused room, and its next Start is not answered
	failed map[policy.Task]int // how many saves
}

// A holder is a unit that runs.
type holder struct {
	of       *contender
	copy     policy.Copy
	stage    *policy.Stage
	at       []policy.Share
	works    policy.Time     // since when
	before   policy.Duration // that it took over
	slowdown float64
	exempt   policy.Time     // until when
	place    int             // in running
	stops    bool            // it was told to
	saved    policy.Duration // when it was told to
}

func (p *filler) Bind(b central.Books) error {
	if err := b.Enter(&p.view); err != nil {
		return err
	}
	var ranks bool
	if p.ranker, ranks = b.Turn.(central.Ranker); !ranks {
		return fmt.Errorf("preempt: Config.Turn, a %T, has an order without ranks, want a central.Ranker, such as gittins.NewTurn returns", b.Turn)
	}
	p.reviser, _ = b.Forecast.(central.Reviser)
	p.plan.view = b.View
	return p.easy.Bind(b)
}

func (p *filler) Note(ev *policy.Event, j *central.Job) {
	p.easy.Note(ev, j)
	if j == nil {
		return
	}
	if ev.Kind == policy.Submitted {
		c := &contender{}
		if n := len(p.ended); n > 0 {
			c, p.ended = p.ended[n-1], p.ended[:n-1]
		}
		c.job = j
		if slices.ContainsFunc(j.Job.Stages, saves) {
			p.savers++
		}
		p.jobs.Put(j.Job.ID, c)
		return
	}
	c := p.jobs.Get(j.Job.ID)
	p.changed(c)
	switch {
	case ev.Kind == policy.Ended:
		for i := len(p.running) - 1; c.units > 0; i-- {
			if h := p.running[i]; h.of == c {
				p.release(h.copy)
			}
		}
		p.dequeue(c)
		p.narrow.Remove(c.place)
		p.jobs.Delete(j.Job.ID)
		if slices.ContainsFunc(j.Job.Stages, saves) {
			p.savers--
		}
		*c = contender{stale: c.stale}
		p.ended = append(p.ended, c)
	case ev.Kind == policy.Started || ev.Kind == policy.Resumed:
		c.tries = false
		p.hold(c, ev)
	case ev.Kind == policy.Refused:
		c.tries = false
	case ev.Kind == policy.Suspended || ev.Kind.End():
		h := p.held[ev.Copy]
		if h != nil && h.stops && ev.Kind == policy.Killed {
			if p.failing++; ev.Saved > h.saved {
				p.failing = 0
			} else if c.failed == nil {
				c.failed = map[policy.Task]int{ev.Copy.Task: 1}
			} else {
				c.failed[ev.Copy.Task]++
			}
		}
		p.release(ev.Copy)
	}
}

func saves(s policy.Stage) bool { return s.Saves }

// hold takes note of a unit that runs.
func (p *filler) hold(c *contender, ev *policy.Event) {
	p.release(ev.Copy)
	if len(p.spare) == 0 {
		p.spare = append(p.spare, new(holder))
	}
	last := len(p.spare) - 1
	h := p.spare[last]
	p.spare = p.spare[:last]
	stage := &c.job.Job.Stages[ev.Copy.Stage]
	slowdown, _ := p.view.Slowdown(ev, stage)
	at := append(h.at[:0], ev.Gang...)
	if ev.Node != 0 {
		at = append(at, policy.Share{Node: ev.Node, Tasks: 1, Devices: ev.Devices})
	}
	works := stage.Began(ev).Add(ev.Service)
	exempt := math.Ldexp(p.config.Exempt*float64(max(leastReload, stage.Reload)), c.failed[ev.Copy.Task]+p.failing/8)
	*h = holder{
		of: c, copy: ev.Copy, stage: stage, at: at, works: works, before: ev.Service, slowdown: slowdown,
		exempt: works.Add(saturate.To[policy.Duration](exempt)), place: len(p.running),
	}
	p.running, p.held[ev.Copy] = append(p.running, h), h
	c.units++
}

// release takes note of the end of a unit, if it ran.
func (p *filler) release(c policy.Copy) {
	h := p.held[c]
	if h == nil {
		return
	}
	delete(p.held, c)
	last := len(p.running) - 1
	p.running[h.place] = p.running[last]
	p.running[h.place].place = h.place
	p.running[last], p.running = nil, p.running[:last]
	h.of.units--
	p.spare = append(p.spare, h)
}

func (p *filler) Began(j *central.Job, c policy.Copy, another bool) {
	p.began(j, c, another)
	p.jobs.Get(j.Job.ID).tries = j.Refused
}

func (p *filler) Update(j *central.Job, u central.Usage) {
	p.easy.Update(j, u)
	c := p.jobs.Get(j.Job.ID)
	p.changed(c)
	c.waits = u.Wants
}

// Decide implements [central.Filler].
func (p *filler) Decide(start func(j *central.Job) bool) {
	p.until, p.plan.list = policy.Never, p.plan.list[:0]
	if p.savers == 0 {
		p.easy.Decide(start)
		return
	}
	for more := true; more; {
		if p.rank(); len(p.waiting) == 0 {
			p.plan.list = p.plan.list[:0]
			return
		}
		p.plan.make(p)
		if more = p.carryOut(start); !more {
			p.until = p.next()
		}
	}
}

// carryOut starts what is planned, as far as there is room already. It reports whether to plan again, since jobs have come to
// another stage.
func (p *filler) carryOut(start func(j *central.Job) bool) (again bool) {
	for i := range p.plan.list {
		x := &p.plan.list[i]
		if x.runs != nil {
			continue
		}
		if x.in == 0 && !p.view.Possible(x.stage) {
			start(x.of.job) // which puts it aside, so that other stages of the job are next
			again = true
		}
		for n := range x.in {
			j := x.of.job
			stage, ok := j.Next()
			if ok && &j.Job.Stages[stage] != x.stage {
				again = again || n > 0
				break
			}
			if !ok || x.of.tries || p.view.Barred(j) || !p.view.Fits(j) || x.node != 0 && p.view.Tasks(x.node, x.stage) == 0 {
				break // perhaps until something has been saved
			}
			p.node = x.node
			if !start(j) {
				return false
			}
		}
	}
	return again
}

// Where implements [central.Chooser].
func (p *filler) Where(*central.Job, uint32) (w central.Where) {
	w.Node, p.node = p.node, 0
	return w
}

// Stop implements [central.Preempter].
func (p *filler) Stop(actions []policy.Action) []policy.Action {
	for i := range p.plan.list {
		if x := &p.plan.list[i]; x.runs != nil && x.in == 0 {
			x.runs.stops, x.runs.saved = true, x.of.job.Saved(x.runs.copy.Task)
			actions = append(actions, policy.Action{Kind: policy.Kill, Copy: x.runs.copy, Save: true})
		}
	}
	return actions
}

// Until implements [central.Timed].
func (p *filler) Until() policy.Time { return p.until }

// next returns when units that run may have to give way to those that the plan has left out, although no event comes. Those that
// the plan has not looked at rank below these, or an event comes, since all that it has looked at start.
func (p *filler) next() (at policy.Time) {
	at = policy.Never
	best := math.Inf(1)
	for i := range p.plan.list {
		if x := &p.plan.list[i]; x.runs == nil && x.in < x.units {
			best = min(best, x.key)
		}
	}
	if math.IsInf(best, 1) {
		return at
	}
	at = p.expires
	now := p.view.Now()
	for _, h := range p.running {
		switch {
		case !h.stage.Saves || h.stops:
		case p.key(h) <= best:
			at = min(at, max(h.of.until, h.exempt))
		case h.exempt > now:
			at = min(at, h.exempt)
		}
	}
	return at
}

// Package central is a central scheduler made of parts. A [Turn] says whose task starts next. A [Filler] lets
// others pass where that one finds no room, a [Placer] says on which node it starts, and a [Copier] which
// running tasks get another copy. Any part goes with any other:
//
//	s, err := central.New(central.Config{
//		Turn: baseline.Ordered(newestFirst), // an order of one's own
//		Copy: copies,                        // with GRASS' copies: a hopper.Speculation
//	})
//
// The packages of the papers have the parts, and their systems are such lines.
//
// # The loop
//
// [Scheduler.Step] is the same for all. It takes the event into the books of package view and tells the parts
// of it. If it is time to decide, then as long as a core is free it asks the Turn for the job whose turn it
// is, and starts the job's next task, or the copy that the Copier wants. While that finds no room the other
// jobs wait too, so that nothing wide starves, unless the Filler lets one pass. A job that was refused room
// (view.Job.Refused) starts one task, and the loop stops there: it tries alone until one gets through.
//
// # How to write a part
//
// A part keeps what it needs to know of a job in a policy.Table of its own, so that parts do not know one
// another. It never starts anything: the loop does, and the part hears of it. Equal events have to give equal
// answers, and a step in the steady state should allocate nothing.
//
// # When not to use it
//
// A policy that plans for all jobs at once, as 3Sigma does, or whose jobs probe nodes is a policy.Scheduler of its own.
// The centre preempts nothing; [Nodes] may.
//
// # Cost
//
// A step costs what its parts make of it, and calls through interfaces besides: a few nanoseconds for each
// part and each event.
//
// # Source
//
// It is this library's own: what its central policies had in common.
package central

import (
	"cmp"
	"errors"
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/view"
)

// View is the books that all parts of a [Scheduler] share. Only the Scheduler changes them.
type View = view.View[struct{}]

// Job is what the books say of a job.
type Job = view.Job[struct{}]

// Config describes a [Scheduler]. Turn is required, and so is CopyTurn if Copies is AfterAll or Reserved is
// above 0. Make each part anew for each scheduler: parts learn, and one that has served already knows too much.
type Config struct {
	Forecast Forecast // what is known of runtimes; nil: nothing

	Turn  Turn   // whose task starts next
	Fill  Filler // what may pass a job that finds no room; nil: nothing
	Place Placer // on which node a task starts; nil, and for copies: wherever the host finds room
	Copy  Copier // which running tasks get another copy; nil: none
	Node  Nodes  // how nodes serve what they hold, for NewDistributed; nil: each task to its end

	Copies When // when a copy may have a core
	// Reserved is the share of the cores in which only copies run, and outside of which none does: budgeted
	// speculation. At least 0 and below 1. It is rounded to whole cores, of which one at least is for tasks.
	// Copies has no meaning then, since copies and tasks do not wait for one another. Without a Copy it is as 0.
	Reserved float64
	// CopyTurn says whose copy is next, where copies do not go in the turn of their job's tasks.
	CopyTurn Turn

	// BySpeed counts service by the speed of nodes, see [view.View].
	BySpeed bool
}

// When says when a copy that a [Copier] wants may have a core.
type When uint8

// The turns of copies.
const (
	// InTurn: when it is its job's turn, before the job's waiting tasks. So it is in the example of Hopper,
	// section 2.
	InTurn When = iota
	// AfterOwn: when it is its job's turn, and no task of the job waits. So do Hadoop and Spark.
	AfterOwn
	// AfterAll: when no task of any job waits. It is the other thing that best-effort speculation, "whenever
	// there is an open slot", may mean.
	AfterAll
)

var whens = [...]string{"InTurn", "AfterOwn", "AfterAll"}

// String returns the turn's name.
func (w When) String() string {
	if int(w) < len(whens) {
		return whens[w]
	}
	return fmt.Sprintf("When(%d)", uint8(w))
}

// A Scheduler is a central policy made of parts. Make it with [New].
type Scheduler struct {
	config Config
	view   View
	began  []func(j *Job, c policy.Copy, another bool) // of the parts that hear of starts
	// hearers hear of events first: the Forecast, the Turn, and CopyTurn, as far as there are such.
	hearers []hearer

	out    func(j *Job) int64             // of the Nodes; nil: what runs
	until  func() policy.Time             // of the Turn; nil: its order changes with events only
	places func(ev *policy.Event, j *Job) // of the Placer; nil: it does not hear of events
	alarm  policy.Time                    // for which the host was asked, Never if for none

	next    func(j *Job) bool // startNext for the Filler, which appends to actions
	actions []policy.Action
	stopped bool         // next has said that others may not go on
	refused policy.Event // of a start that will never be answered
}

type hearer interface {
	Note(ev *policy.Event, j *Job) error
}

// A Distributed scheduler is one with a part on each node. Make it with [NewDistributed].
type Distributed struct{ *Scheduler }

// Part implements [policy.Distributed].
func (d *Distributed) Part(n *policy.Node) policy.Scheduler { return d.config.Node.Part(n) }

// Waits reports whether a job has to wait though something of it could start, since its nodes let it.
func (d *Distributed) Waits(id policy.JobID) bool {
	j := d.view.Job(id)
	return j != nil && j.Held
}

// NewDistributed is [New] for a scheduler with a part on each node: Config.Node is required.
func NewDistributed(c Config) (*Distributed, error) {
	switch {
	case c.Node == nil:
		return nil, errors.New("central: Config.Node is nil, want a part that says how nodes serve what they hold, or New")
	case c.Fill != nil:
		return nil, errors.New("central: Config.Fill and Node are both set, want one: to fill gaps is to know when cores are free")
	case c.Place != nil:
		return nil, errors.New("central: Config.Place and Node are both set, want one: the nodes say where there is a place")
	case c.Reserved > 0:
		return nil, errors.New("central: Config.Reserved and Node are both set, want one: nodes with queues have no cores to reserve")
	}
	if k, ok := c.Copy.(interface{ Kills() bool }); ok && k.Kills() {
		return nil, errors.New("central: Config.Copy kills copies, which may not have begun yet on a Node: want a rule that does not")
	}
	s, err := newScheduler(c)
	if err != nil {
		return nil, err
	}
	return &Distributed{s}, nil
}

// New returns a scheduler. The error names the field that is missing or outside its range, or says what does not go
// together. The parts serve no other Scheduler.
func New(c Config) (*Scheduler, error) {
	if c.Node != nil {
		return nil, errors.New("central: Config.Node is set, want NewDistributed")
	}
	return newScheduler(c)
}

func newScheduler(c Config) (*Scheduler, error) {
	switch {
	case c.Turn == nil:
		return nil, errors.New("central: Config.Turn is nil, want a part that says whose task starts next")
	case int(c.Copies) >= len(whens):
		return nil, fmt.Errorf("central: Config.Copies is %v, want InTurn, AfterOwn or AfterAll", c.Copies)
	case !(c.Reserved >= 0 && c.Reserved < 1):
		return nil, fmt.Errorf("central: Config.Reserved is %v, want at least 0 and below 1", c.Reserved)
	case c.Copy != nil && c.apart() && c.CopyTurn == nil:
		return nil, errors.New("central: Config.CopyTurn is nil, want a part that says whose copy is next with AfterAll or Reserved")
	}
	s := &Scheduler{config: c, alarm: policy.Never}
	s.view.BySpeed = c.BySpeed
	if c.Copy == nil || !c.apart() {
		s.config.CopyTurn = nil
	}
	if _, ok := c.Turn.(Order); c.Fill != nil && !ok {
		return nil, fmt.Errorf("central: Config.Fill is set, and Config.Turn, %T, is no order of all jobs: want one with Compare and Reordered, a central.Order", c.Turn)
	}
	if c.Fill != nil && s.config.CopyTurn != nil && c.Reserved > 0 {
		return nil, errors.New("central: Config.Fill and Reserved are both set, want one: a filler counts all cores as free for tasks")
	}
	if s.config.CopyTurn == c.Turn {
		return nil, errors.New("central: Config.CopyTurn is Config.Turn, want another one of the kind: a part has one place")
	}
	books := Books{View: &s.view, Forecast: c.Forecast, Turn: c.Turn, Slots: s.slots, Claim: func(j *Job) { s.claim(j, false) }, Returned: s.returned}
	for _, part := range []any{c.Forecast, c.Turn, s.config.CopyTurn, c.Fill, c.Place, c.Copy, c.Node} {
		if p, ok := part.(interface{ Bind(b Books) error }); ok { // else it is nil
			if err := p.Bind(books); err != nil {
				return nil, fmt.Errorf("central: %w", err)
			}
		}
	}
	for _, part := range []any{c.Forecast, c.Turn, s.config.CopyTurn} {
		if p, ok := part.(hearer); ok {
			s.hearers = append(s.hearers, p)
		}
	}
	for _, part := range []any{c.Turn, s.config.CopyTurn, c.Forecast, c.Fill} {
		if p, ok := part.(interface {
			Began(j *Job, c policy.Copy, another bool)
		}); ok {
			s.began = append(s.began, p.Began)
		}
	}
	if n, ok := c.Node.(interface{ Out(j *Job) int64 }); ok {
		s.out = n.Out
	}
	if t, ok := c.Turn.(interface{ Until() policy.Time }); ok {
		s.until = t.Until
	}
	if p, ok := c.Place.(interface {
		Note(ev *policy.Event, j *Job)
	}); ok {
		s.places = p.Note
	}
	if c.Fill != nil {
		s.next = func(j *Job) (ok bool) {
			// What passes the first job is a task: copies go in the turn of their job.
			another := s.copyNext(j) && (j.Waiting == 0 || j == s.config.Turn.Next())
			s.actions, ok = s.startNext(j, another, s.actions)
			s.stopped = s.stopped || !ok
			return ok
		}
	}
	return s, nil
}

// slots returns how many tasks of one core the nodes hold at most.
func (s *Scheduler) slots() int64 {
	if s.config.Node != nil {
		return s.config.Node.Slots()
	}
	cores, _ := s.view.Capacity()
	return cores
}

// apart reports whether copies do not go in the turn of their job's tasks.
func (c *Config) apart() bool { return c.Reserved > 0 || c.Copies == AfterAll }

// View returns the books, for what explains a decision. They must not be changed.
func (s *Scheduler) View() *View { return &s.view }

// Compare returns a negative number if job a goes before job b, a positive one if it goes after, whether they
// have something to start or not: by the Turn if it has an order of all jobs, else by submission. A job that
// is not there goes last.
func (s *Scheduler) Compare(a, b policy.JobID) int {
	order := BySubmission
	if t, ok := s.config.Turn.(interface{ Compare(a, b *Job) int }); ok {
		order = t.Compare
	}
	return s.view.Compare(a, b, order)
}

// Planned returns when the next unit of a job is to start, by what the Filler has reserved for it, and false
// if nobody knows.
func (s *Scheduler) Planned(id policy.JobID) (at policy.Time, ok bool) {
	f, ok := s.config.Fill.(interface {
		Planned(id policy.JobID) (policy.Time, bool)
	})
	if !ok {
		return 0, false
	}
	return f.Planned(id)
}

// BySubmission compares two jobs by their submission, then by ID.
func BySubmission(a, b *Job) int {
	return cmp.Or(cmp.Compare(a.Job.Submitted, b.Job.Submitted), cmp.Compare(a.Job.ID, b.Job.ID))
}

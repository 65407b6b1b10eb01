// Package central builds a central scheduler from parts. A [Turn] decides whose task starts next. If that task finds
// no room, a [Filler] may let others pass. A [Placer] chooses the node, and a [Copier] decides which running tasks
// get another copy. Parts of different papers go together:
//
//	s, err := central.New(central.Config{
//		Turn: baseline.Ordered(newestFirst), // an order of one's own
//		Copy: copies,                        // with GRASS' copies: a hopper.Speculation
//	})
//
// The packages of the papers provide the parts, and each paper's system is such a choice of parts.
//
// All parts share the books, a [View]: the jobs, which tasks wait, which cores are free and where, how much service each
// job has attained, and which Starts were refused. A policy that plans for all jobs at once, or whose jobs probe nodes,
// implements policy.Scheduler itself and may keep a View alone:
//
//	j, err := p.view.Observe(ev) // which jobs there are, what of them waits, what is free
//	...
//	if p.view.Decide(ev) && p.view.Fits(j) {
//		actions = append(actions, p.view.Start(j, central.Where{}))
//	}
//
// # The loop
//
// [Scheduler.Step] is the same for all. It updates the books and reports the event to the parts. When it is time to decide,
// it asks the Turn for the next job, as long as a core is free, and starts that job's next task or the copy that the Copier
// wants. If that finds no room, the other jobs wait too, so that nothing wide starves, with four exceptions:
//
//   - The Filler may let others pass.
//   - What no node that is there could hold, even if it were empty, holds up nobody: it waits until a node joins.
//   - If too little of a named resource is free for a task, jobs whose tasks need no named resource go on. (What lacks memory
//     holds up the others.)
//   - If a copy finds no node, the tasks of other jobs go on.
//
// A job whose Start was refused for lack of room (Job.Refused) starts one task at a time until one gets through,
// and without a Filler no other job starts meanwhile.
//
// # How to write a part
//
// A part gets the books once, in Bind, and keeps its own records of jobs in a policy.Table, so that parts need not know each
// other. It never starts anything: the loop does, and reports each start to the part. Equal events must give equal answers,
// and a step should allocate nothing in the steady state.
//
// What a part may do besides has an interface too, for which [New] looks:
//
//	Turn      StartHearer, Timed, Comparer
//	Order     these, Constant, Ranker
//	Forecast  StartHearer, Constant, WorkForecast, UniformStages, Reviser, Limiter
//	Filler    StartHearer, Chooser, Planner, Timed, Preempter
//	Placer    EventHearer
//	Copier    Killer
//	Nodes     CoreCounter
//	all       policy.Keeper, if the part learns from jobs that have ended
//
// # Where to begin to read
//
// step.go has the loop, parts.go and forecast.go what it asks of parts, view.go the books, observe.go what an event changes in
// them, and start.go what a Start does.
//
// # When not to use it
//
// The centre preempts only by a Filler that is a [Preempter], and [Nodes] may suspend tasks. A View needs every event: the part on
// a node hears only of its own node and keeps its own books. A policy that does not count in whole cores gains little from one.
//
// # Cost
//
// A step costs what its parts cost, plus a few nanoseconds for each part and event: calls go through interfaces.
// [View] says what it keeps, and [View.First] and [View.Local] what they add.
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
)

// Config describes a [Scheduler]. Turn is required, and so is CopyTurn if CopyWhen is AfterAll or Reserved is above 0.
// Make new parts for each scheduler, since parts learn from the events they hear.
type Config struct {
	Forecast Forecast // what is known of runtimes; nil: nothing

	Turn  Turn   // whose task starts next
	Fill  Filler // what may pass a job that finds no room; nil: nothing
	Place Placer // on which node a task starts; nil, and for copies: wherever the host finds room
	Copy  Copier // which running tasks get another copy; nil: none
	Node  Nodes  // how nodes serve what they hold, for NewDistributed; nil: each task to its end

	CopyWhen When // when a copy that Copy wants may have a core; 0 means InTurn
	// Reserved is a share of the cores, at least 0 and below 1, for budgeted speculation: only copies run on them,
	// and copies run nowhere else. It is rounded to whole cores, and at least one core is left for tasks. CopyWhen then
	// has no meaning, since copies and tasks do not wait for each other. Without a Copy, Reserved counts as 0.
	Reserved float64
	// CopyTurn decides whose copy is next, if copies do not share the turn of their job's tasks.
	CopyTurn Turn
}

// When says when a copy may have a core.
type When uint8

// The turns of copies.
const (
	// InTurn: at its job's turn, before the job's waiting tasks, as in Hopper's example (section 2).
	InTurn When = iota
	// AfterOwn: at its job's turn, if no task of the job waits, as in Hadoop and Spark.
	AfterOwn
	// AfterAll: if no task of any job waits. This is the other reading of best-effort speculation, "whenever there is
	// an open slot".
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
	// hearers hear of events first: the Forecast, the works, the Turn, and CopyTurn, as far as there are such.
	hearers []hearer

	out    func(j *Job) int64 // of the Nodes; nil: what runs
	until  func() policy.Time // of the Turn; nil: its order changes with events only
	plans  func() policy.Time // the same of the Filler
	stop   func(actions []policy.Action) []policy.Action
	where  func(j *Job, stage uint32) Where // of the Placer, or of a Filler that chooses nodes; nil: the host chooses
	places func(ev *policy.Event, j *Job)   // of the Placer; nil: it does not hear of events
	alarm  policy.Time                      // for which the host was asked, Never if for none

	next    func(j *Job) bool // startNext for the Filler, which appends to actions
	actions []policy.Action
	stopped bool         // next has said that others may not go on
	aside   []*Job       // jobs that are Held until the next decision, since they found no room and others go on
	scarce  uint64       // the named resources that tasks of these lack, by their place in View.Resources
	plain   int          // jobs whose record says so
	refused policy.Event // of a start that will never be answered
}

type hearer interface {
	Note(ev *policy.Event, j *Job) error
}

// A Distributed is a Scheduler with a part on each node. Make it with [NewDistributed].
type Distributed struct{ *Scheduler }

// Part implements [policy.Distributed].
func (d *Distributed) Part(n *policy.Node) policy.Scheduler { return d.config.Node.Part(n) }

// Waits reports whether a job has to wait for its nodes although it could start something.
func (d *Distributed) Waits(id policy.JobID) bool {
	j := d.view.Job(id)
	return j != nil && j.Held
}

// NewDistributed is [New] for a scheduler with a part on each node: Config.Node is required.
func NewDistributed(c Config) (*Distributed, error) {
	switch {
	case c.Node == nil:
		return nil, errors.New("central: Config.Node is nil; set it, or call New for a scheduler without parts on nodes")
	case c.Fill != nil:
		return nil, errors.New("central: Config.Fill and Node are both set, want one: backfilling needs to know when cores are free")
	case c.Place != nil:
		return nil, errors.New("central: Config.Place and Node are both set, want one: Node chooses the places")
	case c.Reserved > 0:
		return nil, errors.New("central: Config.Reserved and Node are both set, want one: nodes with queues have no cores to reserve")
	}
	if k, ok := c.Copy.(Killer); ok && k.Kills() {
		return nil, errors.New("central: Config.Copy kills copies, which may not have begun yet on a Node; want a rule that never kills")
	}
	s, err := newScheduler(c)
	if err != nil {
		return nil, err
	}
	return &Distributed{s}, nil
}

// New returns a scheduler. It returns an error if a field is missing or out of range, or if two fields do not go
// together. The parts must serve no other Scheduler.
func New(c Config) (*Scheduler, error) {
	if c.Node != nil {
		return nil, errors.New("central: Config.Node is set; call NewDistributed")
	}
	return newScheduler(c)
}

func newScheduler(c Config) (*Scheduler, error) {
	switch {
	case c.Turn == nil:
		return nil, errors.New("central: Config.Turn is nil; set it, to baseline.FIFO() for example")
	case int(c.CopyWhen) >= len(whens):
		return nil, fmt.Errorf("central: Config.CopyWhen is %v, want InTurn, AfterOwn or AfterAll", c.CopyWhen)
	case !(c.Reserved >= 0 && c.Reserved < 1):
		return nil, fmt.Errorf("central: Config.Reserved is %v, want at least 0 and below 1", c.Reserved)
	case c.Copy != nil && c.apart() && c.CopyTurn == nil:
		return nil, errors.New("central: Config.CopyTurn is nil; set it, since CopyWhen is AfterAll or Reserved is above 0")
	}
	s := &Scheduler{config: c, alarm: policy.Never}
	if c.Copy == nil || !c.apart() {
		s.config.CopyTurn = nil
	}
	if _, ok := c.Turn.(Order); c.Fill != nil && !ok {
		return nil, fmt.Errorf("central: Config.Fill is set, but Config.Turn, a %T, does not order all jobs; leave Fill nil, or set Turn to a central.Order, such as baseline.Fair()", c.Turn)
	}
	if c.Fill != nil && s.config.CopyTurn != nil && c.Reserved > 0 {
		return nil, errors.New("central: Config.Fill and Reserved are both set, want one: a filler counts all cores as free for tasks")
	}
	if _, ok := c.Fill.(Preempter); ok && c.Copy != nil {
		return nil, errors.New("central: Config.Fill stops copies, and Copy is set, want one: what is saved is of a task, not of its copies")
	}
	if s.config.CopyTurn == c.Turn {
		return nil, errors.New("central: Config.CopyTurn is Config.Turn; make a second one, since a part has one place")
	}
	s.view.Resumes = c.Node == nil
	works := newWorks(&s.view, c.Forecast)
	books := Books{View: &s.view, Forecast: c.Forecast, Turn: c.Turn, Slots: s.slots, Work: works.all, Left: works.left, Changed: func(j *Job) { s.update(j, false) }, Returned: s.returned}
	for _, part := range []any{c.Forecast, c.Turn, s.config.CopyTurn, c.Fill, c.Place, c.Copy, c.Node} {
		if p, ok := part.(Part); ok { // else it is nil
			if err := p.Bind(books); err != nil {
				return nil, fmt.Errorf("central: %w", err)
			}
		}
	}
	for _, part := range []any{c.Forecast, works, c.Turn, s.config.CopyTurn} {
		if p, ok := part.(hearer); ok {
			s.hearers = append(s.hearers, p)
		}
	}
	for _, part := range []any{c.Turn, s.config.CopyTurn, c.Forecast, c.Fill} {
		if p, ok := part.(StartHearer); ok {
			s.began = append(s.began, p.Began)
		}
	}
	if n, ok := c.Node.(CoreCounter); ok {
		s.out = n.Out
	}
	if t, ok := c.Turn.(Timed); ok {
		s.until = t.Until
	}
	if f, ok := c.Fill.(Timed); ok {
		s.plans = f.Until
	}
	if f, ok := c.Fill.(Preempter); ok {
		s.stop = f.Stop
	}
	if p, ok := c.Place.(EventHearer); ok {
		s.places = p.Note
	}
	if c.Place != nil {
		s.where = c.Place.Where
	} else if p, ok := c.Fill.(Chooser); ok {
		s.where = p.Where
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

// apart reports whether copies do not share the turn of their job's tasks.
func (c *Config) apart() bool { return c.Reserved > 0 || c.CopyWhen == AfterAll }

// Actions implements [policy.Declarer]. Resume is among them only for copies that are suspended without its order.
func (s *Scheduler) Actions() []policy.ActionKind {
	kinds := []policy.ActionKind{policy.Start, policy.Wake, policy.Resume}
	if s.config.Node != nil {
		kinds = append(kinds, policy.Suspend, policy.Send, policy.Post)
	}
	if s.config.Copy != nil {
		kinds = append(kinds, policy.Report)
	}
	if k, ok := s.config.Copy.(Killer); ok && k.Kills() || s.stop != nil {
		kinds = append(kinds, policy.Kill)
	}
	return kinds
}

// View returns the books, for programs that explain a decision. The caller must not change them.
func (s *Scheduler) View() *View { return &s.view }

// Compare returns a negative number if job a goes before job b, a positive one if it goes after, whether or not they
// have something to start. It goes by the Turn if that is an [Order], else by submission. A job that is not there
// goes last.
func (s *Scheduler) Compare(a, b policy.JobID) int {
	order := BySubmission
	if t, ok := s.config.Turn.(Comparer); ok {
		order = t.Compare
	}
	return s.view.Compare(a, b, order)
}

// Planned returns when the next unit of a job will start according to the Filler's reservations. It returns false if
// there is no reservation.
func (s *Scheduler) Planned(id policy.JobID) (at policy.Time, ok bool) {
	f, ok := s.config.Fill.(Planner)
	if !ok {
		return 0, false
	}
	return f.Planned(id)
}

// BySubmission compares two jobs by their submission, then by ID.
func BySubmission(a, b *Job) int {
	return cmp.Or(cmp.Compare(a.Job.Submitted, b.Job.Submitted), cmp.Compare(a.Job.ID, b.Job.ID))
}

package hopper

import (
	"fmt"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/view"
)

// Scheduler is Hopper: the turn is [VirtualSizes], copies are those of a [Speculation], and tasks start by
// [Locality]. What it is compared with are other lines of parts, such as
//
//	central.New(central.Config{Turn: baseline.Fewest(), Copy: speculation, Copies: central.AfterOwn})
//
// A slot is a core. Tasks are not preempted, but for those that a rule kills to start them anew.
//
// Most of the gain comes from the rule that starts copies. Hopper gains most over a scheduler that makes copies wait for all
// tasks. Try SRPT and Fair with the same rule on your own jobs too: docs/hopper.md has what was measured.
//
// # Cost
//
// See its parts. In a restart, tails that were learnt are lost.
//
// # Source
//
// Hopper, chapters 2 to 5.
type Scheduler struct {
	*central.Scheduler
	turn *VirtualSizes
}

// Dampening values that section 6.2.1 found best.
const (
	DampeningSpark  = 0.8 // data in memory: what jobs wait for is the network
	DampeningHadoop = 0.3 // most of the time is in the map phase
)

// A Config describes a [Scheduler]. Start from [DefaultConfig].
type Config struct {
	SpeculationConfig
	Copies central.When // when a copy that the rule wants may have a slot: InTurn or AfterOwn
	VirtualSizesConfig
}

// DefaultConfig returns the parameters of section 6: GRASS, ε = 10 %, k = 3 %, the dampening of
// Hadoop, one tail for all jobs. The period is that of Hadoop's heartbeats, 3 s.
func DefaultConfig() Config {
	rule, err := NewGRASS(GRASSConfig{})
	must(err)
	return Config{
		SpeculationConfig:  SpeculationConfig{Rule: rule, Period: 3 * time.Second},
		VirtualSizesConfig: VirtualSizesConfig{Epsilon: 0.1, Locality: 0.03, Dampening: DampeningHadoop},
	}
}

// NewScheduler returns a scheduler. The error names the field that is outside its range.
func NewScheduler(c Config) (*Scheduler, error) {
	if c.Copies != central.InTurn && c.Copies != central.AfterOwn {
		return nil, fmt.Errorf("hopper: Config.Copies is %v, must be InTurn or AfterOwn", c.Copies)
	}
	turn, err := NewVirtualSizes(c.VirtualSizesConfig)
	if err != nil {
		return nil, err
	}
	copies, err := NewSpeculation(c.SpeculationConfig)
	if err != nil {
		return nil, err
	}
	s, err := central.New(central.Config{Turn: turn, Place: new(Locality), Copy: copies, Copies: c.Copies})
	return &Scheduler{s, turn}, err
}

// An Explanation says what decides how many slots a job has.
type Explanation struct {
	VirtualSize float64 // in slots, by its present demand, its Tail and Alpha
	Share       float64 // how many slots it is to have, which may be more than it has a use for
	Tail        float64 // of its tasks' runtimes, β
	Alpha       float64 // its weight, α

	Slots  int64 // that it has, with those of Starts that are not answered
	Copies int64 // how many of these are of copies beside the first of a task
}

// String says it on a line, such as
//
//	has 6 slots, 2 of them for copies; is to have 7.5, virtual size 7.2 (tail 1.4, weight 1)
func (e Explanation) String() string {
	return fmt.Sprintf("has %d slots, %d of them for copies; is to have %.3g, virtual size %.3g (tail %.3g, weight %.3g)",
		e.Slots, e.Copies, e.Share, e.VirtualSize, e.Tail, e.Alpha)
}

// Explain returns what a host may show of a job, and false if the job is not there.
func (s *Scheduler) Explain(id policy.JobID) (e Explanation, ok bool) {
	own := s.turn.jobs.Get(id)
	if own == nil {
		return Explanation{}, false
	}
	e.Share, _ = s.turn.Share(id)
	tasks, weight := s.turn.demand(own)
	e.VirtualSize, e.Tail, e.Alpha = VirtualSize(tasks, own.tail, weight), own.tail, weight
	e.Slots = own.Cores
	e.Copies, _ = own.Extra()
	return e, true
}

// openNodes are the nodes with free cores.
type openNodes struct {
	view  *central.View
	nodes []policy.NodeID
}

// mostOpen is with how many open nodes tasks are chosen by where their data is. With more the host
// finds a place near it by itself.
const mostOpen = 16

// few finds the nodes with free cores, and reports whether there are few.
func (o *openNodes) few() bool {
	o.nodes = o.nodes[:0]
	for n := range o.view.Open() {
		if len(o.nodes) == mostOpen {
			return false
		}
		o.nodes = append(o.nodes, n)
	}
	return true
}

// Locality is the placer that starts a task where it is local, if its stage says which nodes hold what its tasks
// read and at most 16 nodes have free cores. The zero Locality is ready for use.
type Locality struct{ open openNodes }

// Bind implements [central.Placer].
func (l *Locality) Bind(b central.Books) error {
	l.open.view = b.View
	return nil
}

// Where implements [central.Placer]. It panics if the job has no such stage.
func (l *Locality) Where(j *central.Job, stage uint32) view.Where {
	s := &j.Job.Stages[stage]
	if len(s.Holders) == 0 || !l.open.few() {
		return view.Where{}
	}
	books := l.open.view
	for _, n := range l.open.nodes {
		// What a node has in all is enough: if it is taken, something there ends, and we try again.
		if all := books.Memory(n); books.Room(n) >= s.Width() && (s.Memory <= all || all == 0) && books.Local(j, n) > 0 {
			return view.Where{Node: n, Local: true}
		}
	}
	return view.Where{}
}

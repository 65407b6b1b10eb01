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
	turn *VirtualSizes // the Turn of the Scheduler
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

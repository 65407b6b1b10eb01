package hopper

import (
	"fmt"
	"time"

	"example.com/augur/policy"
)

// An Allocator says who gets the slots of a [Scheduler].
type Allocator uint8

// The allocators.
const (
	// VirtualSizes is Hopper: see Scheduler.
	VirtualSizes Allocator = iota
	// SRPT serves the job first that has the fewest slots' worth of tasks left in all its stages:
	// shortest remaining processing time, by what can be known.
	SRPT
	// Fair serves the job first that has the fewest slots: max-min fairness.
	Fair
	// DRF serves the job first whose share of all cores or of all memory, whichever is larger, is
	// the least: dominant resource fairness.
	DRF
)

var allocators = [...]string{"VirtualSizes", "SRPT", "Fair", "DRF"}

// String returns the allocator's name.
func (a Allocator) String() string {
	if int(a) < len(allocators) {
		return allocators[a]
	}
	return fmt.Sprintf("Allocator(%d)", uint8(a))
}

// A CopyTurn says when a copy that a rule wants may have a slot.
type CopyTurn uint8

// The turns of copies.
const (
	// InTurn: when it is its job's turn, before the job's waiting tasks. So it is in the example
	// of section 2.
	InTurn CopyTurn = iota
	// AfterOwn: when it is its job's turn, and no task of the job waits. So do Hadoop and Spark.
	AfterOwn
	// AfterAll: when no task of any job waits. It is the other thing that best-effort
	// speculation, "whenever there is an open slot", may mean. Not with VirtualSizes.
	AfterAll
)

var copyTurns = [...]string{"InTurn", "AfterOwn", "AfterAll"}

// String returns the turn's name.
func (c CopyTurn) String() string {
	if int(c) < len(copyTurns) {
		return copyTurns[c]
	}
	return fmt.Sprintf("CopyTurn(%d)", uint8(c))
}

// Dampening values that section 6.2.1 found best.
const (
	DampeningSpark  = 0.8 // data in memory: what jobs wait for is the network
	DampeningHadoop = 0.3 // most of the time is in the map phase
)

// A Config describes a [Scheduler]. Start from [DefaultConfig]. The fields from Epsilon on are for
// VirtualSizes: under other allocators they change only what Explain says of a job.
type Config struct {
	Allocator Allocator // who gets the slots

	// Rule says which tasks get another copy; nil: none do. The Scheduler ignores a move of a
	// task that has no running copy, and a Duplicate of a task that has 64.
	Rule   Speculator
	Copies CopyTurn // when a copy that the rule wants may have a slot
	// Reserved is the share of the slots in which only copies run, and outside of which none does:
	// budgeted speculation. At least 0 and below 1; 0 with VirtualSizes, whose shares leave room
	// for copies. It is rounded to whole slots, of which one at least is for tasks. Copies has no
	// meaning then, since copies and tasks do not wait for one another.
	Reserved float64
	// Period is the time from one report of a copy's progress to the next, > 0. Copies report at its
	// multiples.
	Period policy.Duration
	// Expected returns for how long another copy of a task would run, t_new, s, where that is better
	// known than from the tasks of its stage that have finished, else NaN. nil: nowhere. A copy that has
	// not reported yet is taken to run for as long.
	Expected func(policy.Task) float64

	// Epsilon is by what part of the fair share a job may have less, 0 to 1: see [PoolConfig].
	Epsilon float64
	// Keep keeps free the slots of a share for which its job has no use yet, so that copies need not
	// wait for one; otherwise other jobs borrow them.
	Keep bool
	// Throughput gives slots where they do most work by the jobs' tails and weights, as [Allocate]
	// does; otherwise small virtual sizes go first, whatever they are made of.
	Throughput bool
	// Locality is the share of the jobs, the smallest, of which the one with the most local
	// tasks is next, 0 to 1: section 5.1.
	Locality float64
	// Group names the attribute of a job that says in which group it is; those without it make
	// another one. Each group has a tail of its own, learnt from its tasks, but for those that
	// read through pipes. Empty: all jobs have the tail Tails.Start.
	Group string
	// Tails says how these are learnt. A restart loses them, unless the policy's journal (package journal)
	// brings them back.
	Tails TailsConfig
	// Dampening is the exponent of the weights α of jobs with stages that others read through pipes, 0 to 1,
	//
	//	α = (tasks left that read / tasks left of these stages)^Dampening
	//
	// where one below 1 counts as 1. With 0 all jobs have the weight 1.
	Dampening float64
	// Memory lets memory count beside cores, on nodes that say how much they have: a task counts for the
	// mean of its parts of the cluster's cores and of its memory (section 6.3, footnote 2).
	Memory bool
}

// DefaultConfig returns the parameters of section 6: GRASS, ε = 10 %, k = 3 %, the dampening of
// Hadoop, one tail for all jobs. The period is that of Hadoop's heartbeats, 3 s.
func DefaultConfig() Config {
	rule, err := NewGRASS(GRASSConfig{})
	must(err)
	return Config{
		Rule: rule, Period: 3 * time.Second,
		Epsilon: 0.1, Locality: 0.03, Dampening: DampeningHadoop,
	}
}

// NewScheduler returns a scheduler. The error names the field that is outside its range.
func NewScheduler(c Config) (*Scheduler, error) {
	switch {
	case int(c.Allocator) >= len(allocators):
		return nil, fmt.Errorf("hopper: Config.Allocator is %v, must be VirtualSizes, SRPT, Fair or DRF", c.Allocator)
	case int(c.Copies) >= len(copyTurns):
		return nil, fmt.Errorf("hopper: Config.Copies is %v, must be InTurn, AfterOwn or AfterAll", c.Copies)
	case c.Copies == AfterAll && c.Allocator == VirtualSizes:
		return nil, fmt.Errorf("hopper: Config.Copies is AfterAll with VirtualSizes, must be InTurn or AfterOwn")
	case !(c.Reserved >= 0 && c.Reserved < 1):
		return nil, fmt.Errorf("hopper: Config.Reserved is %v, must be at least 0 and below 1", c.Reserved)
	case c.Reserved > 0 && c.Allocator == VirtualSizes:
		return nil, fmt.Errorf("hopper: Config.Reserved is %v with VirtualSizes, must be 0", c.Reserved)
	case c.Rule != nil && c.Period <= 0:
		return nil, fmt.Errorf("hopper: Config.Period is %v, must be above 0 s", c.Period)
	case !(c.Epsilon >= 0 && c.Epsilon <= 1):
		return nil, fmt.Errorf("hopper: Config.Epsilon is %v, must be 0 to 1", c.Epsilon)
	case !(c.Locality >= 0 && c.Locality <= 1):
		return nil, fmt.Errorf("hopper: Config.Locality is %v, must be 0 to 1", c.Locality)
	case !(c.Dampening >= 0 && c.Dampening <= 1):
		return nil, fmt.Errorf("hopper: Config.Dampening is %v, must be 0 to 1", c.Dampening)
	}
	s := &Scheduler{config: c, local: locality{share: c.Locality}}
	var err error
	if s.tails, err = newGroupTails(c.Tails); err != nil {
		return nil, err
	}
	for i := range s.lanes {
		s.lanes[i].turns = s.newTurns()
	}
	return s, nil
}

// Package hopper shares a cluster's slots among jobs that run extra copies of slow tasks (stragglers), so that each job
// has room for as many copies as pay off.
//
// Most callers take the whole policy, which shares the slots, starts the copies and places the tasks:
//
//	scheduler, err := hopper.NewScheduler(hopper.Config{})
//
// A program with a loop of its own calls [Allocate] for the shares, and asks a
// rule such as [GRASS] which tasks get copies:
//
//	shares, err := hopper.Allocate(nil, 100, demands) // the slots of each job, of 100
//
// Other schedulers can use the parts: a [Speculation] with any rule gives copies to any turn of central.New, and as
// gittins.Options.Copies to the index; [NewTurn] is
// Hopper's turn, and [Locality] starts tasks where their data is.
//
// # The algorithm
//
// If runtimes have a Pareto tail of shape β, the best number of running copies of each task, the first included, is 2/β
// on average, and 1 if β > 2. So a job with T remaining tasks has the virtual size V = 2/β T ([VirtualSize]): up to V slots
// each slot raises its service rate ([Rate]) equally, and beyond V ever less. Let α be the job's weight: more than 1 if
// later stages read what it writes while it runs. Slots go where they raise the sum of all α·μ most, with μ the rate:
//
//   - If there are few slots, jobs get V in full, one after the other: first those with the greatest α·β²/(4(β-1)), and
//     among equals those with the fewest tasks, which end soonest.
//   - If there are more, jobs get slots in proportion to T·sqrt(α/(β-1)), but at least V.
//   - No job gets less than 1-ε of an equal share. By default ε is 0.1, so most jobs have about equal shares.
//
// The thesis has Pseudocode 1 and Algorithms 1 to 4, for ever more general jobs. Algorithm 4 is in algorithms.go, with
// the rest as special cases: Algorithm 1 is for one tail, Algorithm 2 has ε ([EpsilonFair]), Algorithm 3 has weights.
// Example (AsPrinted) of Allocate shows each as printed beside the call that does the same.
//
// The rules for copies are in simple.go, late.go, mantri.go and grass.go; tracker.go turns progress reports into what
// they need to know. tails.go learns β from finished tasks.
//
// # When not to use it
//
// If tasks do not straggle, or a copy takes as long as its task, copies waste cores: up to two thirds under a Scheduler, and
// about 3 % and the first 50 copies under a Speculation that starts copies only as long as they pay, its default. Gangs get no second
// copies, and tasks that may not run twice must get none. Most of the gain comes from the rule that starts copies, not
// from the sharing: docs/hopper.md has measurements.
//
// # Cost
//
// Allocate and EpsilonFair take O(n log n) time for n jobs, and a rule O(n) for n running tasks, or little more. For a step of
// the Scheduler see NewTurn and Speculation.
//
// # Source
//
// X. Ren, "Speculation-aware resource allocation for cluster schedulers", master's thesis, California Institute of
// Technology, 2015. Sections, equations and algorithms named in this package are those of the thesis.
package hopper

import (
	"cmp"
	"fmt"
	"math"

	"example.com/augur/policy/central"
)

// Scheduler is Hopper: the turn of [NewTurn], copies by a [Speculation], and [Locality]. To compare it with another
// scheduler, give central.New another turn and the same copies. A slot is a core. Tasks are not preempted, except those
// that a rule kills to restart them. Save keeps the tails that were learnt.
//
// # Source
//
// Hopper, chapters 2 to 5.
type Scheduler struct {
	*central.Scheduler
	turn *turn // the Turn of the Scheduler
}

// The dampening values that section 6.2.1 found best.
const (
	DampeningSpark  = 0.8 // data in memory: what jobs wait for is the network
	DampeningHadoop = 0.3 // most of the time is in the map phase
)

// A Config describes a [Scheduler]. The zero Config has the parameters of section 6: GRASS, ε = 10 %, Locality 3 % (k in the
// thesis), copies in turn, the dampening of Hadoop, a tail for each group of jobs, and reports each 3 s.
type Config struct {
	SpeculationConfig              // Loss 0 means +Inf: copies need not pay, as in the paper
	CopyWhen          central.When // when a copy that the rule wants may have a slot: InTurn or AfterOwn
	TurnConfig
}

// NewScheduler returns the whole policy. It returns an error that names the field that is out of range.
func NewScheduler(c Config) (*Scheduler, error) {
	if c.CopyWhen != central.InTurn && c.CopyWhen != central.AfterOwn {
		return nil, fmt.Errorf("hopper: Config.CopyWhen is %v, must be InTurn or AfterOwn", c.CopyWhen)
	}
	turn, err := newTurn(c.TurnConfig)
	if err != nil {
		return nil, err
	}
	c.Loss = cmp.Or(c.Loss, math.Inf(1))
	copies, err := NewSpeculation(c.SpeculationConfig)
	if err != nil {
		return nil, err
	}
	s, err := central.New(central.Config{Turn: turn, Place: new(Locality), Copy: copies, CopyWhen: c.CopyWhen})
	return &Scheduler{s, turn}, err
}

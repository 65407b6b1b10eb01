// Package hopper shares a cluster's slots among jobs that run extra copies of slow tasks (stragglers). Hopper gives
// each job room for as many copies as pay off.
//
// If tasks straggle, a scheduler runs a second copy of a slow task and keeps the copy that finishes first. A scheduler
// that shares slots by the number of tasks leaves no room for these copies, or reserves too much for them. If runtimes
// have a Pareto tail of shape β, the best number of running copies of each task, the first included, is known: 2/β on
// average for β ≤ 2, and 1 for lighter tails. So Hopper shares slots by the virtual size of a job, its remaining tasks
// times that number ([VirtualSize]). Of jobs with one tail and one weight, if there are fewer slots than the sum of all
// virtual sizes, the job with the least goes first, else all jobs get slots in proportion to it.
//
// If your program has a loop of its own, begin with [Allocate]; if it drives a policy.Scheduler, with [NewScheduler].
// Allocate shares slots so that the sum of all jobs' service rates ([Rate]) is greatest, for any mix of weights, tails
// and guaranteed slots. [EpsilonFair] gives no job less than 1-ε of an equal share. The guaranteed slots count towards
// the job's virtual size, and may exceed it. In [DefaultConfig] they are 90 % of an equal share, so most jobs have
// about equal shares, and the order of Allocate shows only with a larger ε. The host describes each job by a [Demand];
// estimate.Hill fits the tail to the runtimes of finished tasks. To share 100 slots:
//
//	shares, err := hopper.Allocate(nil, 100, demands) // the slots of each job
//
// A [Speculator] decides which tasks of a job get the copies: [Simple], [LATE], [Mantri] and [GRASS] are such rules.
// They work with any way of sharing slots. A [Tracker] turns progress reports into what a rule needs to know.
//
// Any host can call all this. The same algorithms are parts of package central: [VirtualSizes] decides which job gets
// the next slot, [Speculation] which tasks get copies, and [Locality] where tasks start. [Scheduler] combines the
// three; start from [DefaultConfig]. A turn decides which job is next, see [central.Turn]. To compare Hopper with
// another scheduler, give central.New another turn and the same copies.
//
// # Formulae
//
// With β the tail of the runtimes, T the number of a job's remaining tasks, S its slots and α its weight divided by
// the least weight, the job's rate μ and the slots V up to which each slot raises it equally are (for β ≤ 2)
//
//	V = 2/β · T
//	μ = β²/(4(β-1)) · S                   if S ≤ 2/β · T
//	μ = β/(β-1) · T - T²/((β-1) · S)      if S > 2/β · T
//
// If there are fewer slots than the sum of all V, those jobs get V in full first whose slots raise the sum of all α·μ
// most: the jobs with the greatest α·β²/(4(β-1)), and among equals those with the fewest tasks, which end soonest. Else
// each job gets slots in proportion to T·sqrt(α/(β-1)), but at least V. If all have one tail, that is in proportion to
// V·sqrt(α), the virtual size of [VirtualSize]. No job gets less than (1-ε) of an equal share.
//
// # When not to use it
//
// If tasks do not straggle, or their tail is light, copies waste work: they can then take two thirds of the cores,
// under Hopper and under other turns, and the mean completion time can be several times longer. Take package gittins,
// or baseline.Fair, without copies. If you cannot be sure, combine a [Speculation] with package gittins by central.New,
// and set Reserved of central.Config to a tenth, so that copies have a tenth of the cores for themselves:
// docs/hopper.md has both cases. Gangs get no second copies, and tasks that may not run twice must get none. Most of
// the gain comes from the rule that starts copies, not from the sharing: docs/hopper.md compares Hopper with SRPT and
// Fair under the same rule.
//
// # Cost
//
// [Allocate] and [EpsilonFair] take O(n log n) time for n jobs. A rule takes O(n) time for n running tasks, or little
// more. For a step of the Scheduler see [VirtualSizes] and [Speculation].
//
// # The paper's algorithms
//
// The thesis has Pseudocode 1 and Algorithms 1 to 4. Each is in example_algorithms_test.go as printed, except for the
// rounding of Pseudocode 1. Example (AsPrinted) of [Allocate] shows each beside the call that does the same:
//
//   - Pseudocode 1 and Algorithm 1, jobs of one phase (section 3.4): algorithm1; the call is Allocate.
//   - Algorithm 2, fairness (section 3.5): algorithm2; the call is [EpsilonFair].
//   - Algorithm 3, jobs whose phases feed one another (section 4.1): algorithm3; the call is Allocate, with weights.
//   - Algorithm 4, two tails (section 4.2): algorithm4; the call is Allocate, with tails.
//
// Pseudocode 1 rounds each share down. Example (WholeSlots) of [Rate] shows a better way to whole slots. The
// decentralized scheduler of the SIGCOMM paper is not implemented.
//
// # Where to begin reading
//
// allocate.go shares slots among given jobs, and virtual.go as jobs come and go; wanted.go computes what jobs ask
// for. For copies read speculator.go (the interface of a rule), a rule (grass.go is the one that Hopper runs; others
// are late.go and mantri.go), tracker.go and speculation.go. hopper.go combines the parts.
//
// # Source
//
// Hopper: X. Ren, "Speculation-aware resource allocation for cluster schedulers", master's thesis,
// California Institute of Technology, 2015; X. Ren, G. Ananthanarayanan, A. Wierman and M. Yu,
// "Hopper: decentralized speculation-aware cluster scheduling at scale", SIGCOMM 2015. Sections,
// equations and algorithms named in this package are those of the thesis.
package hopper

import (
	"fmt"
	"time"

	"example.com/augur/policy/central"
)

// Scheduler is Hopper: its turn is [VirtualSizes], its copies come from a [Speculation], and [Locality] places its
// tasks. To compare it with other schedulers combine other parts, such as
//
//	central.New(central.Config{Turn: baseline.Fewest(), Copy: speculation, CopyWhen: central.AfterOwn})
//
// A slot is a core. Tasks are not preempted, except those that a rule kills to restart them.
//
// Most of the gain comes from the rule that starts copies. Hopper gains most over a scheduler that lets copies wait
// until no task of any job waits (central.AfterAll). Try SRPT and Fair with the same rule on your own jobs too;
// docs/hopper.md has measurements.
//
// # Cost
//
// See its parts. A restart loses the tails that were learnt.
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

// A Config describes a [Scheduler]. Start from [DefaultConfig].
type Config struct {
	SpeculationConfig
	CopyWhen central.When // when a copy that the rule wants may have a slot: InTurn or AfterOwn
	TurnConfig
}

// DefaultConfig returns the parameters of section 6: GRASS, ε = 10 %, Locality 3 % (k in the thesis), copies in turn,
// the dampening of Hadoop, and one tail for all jobs. The period is that of Hadoop's heartbeats, 3 s.
func DefaultConfig() Config {
	rule, err := NewGRASS(GRASSConfig{})
	must(err)
	return Config{
		SpeculationConfig: SpeculationConfig{Rule: rule, Period: 3 * time.Second},
		TurnConfig:        TurnConfig{Epsilon: 0.1, Locality: 0.03, Dampening: DampeningHadoop},
	}
}

// NewScheduler returns a scheduler. It returns an error that names the field that is out of range.
func NewScheduler(c Config) (*Scheduler, error) {
	if c.CopyWhen != central.InTurn && c.CopyWhen != central.AfterOwn {
		return nil, fmt.Errorf("hopper: Config.CopyWhen is %v, must be InTurn or AfterOwn", c.CopyWhen)
	}
	turn, err := newTurn(c.TurnConfig)
	if err != nil {
		return nil, err
	}
	copies, err := NewSpeculation(c.SpeculationConfig)
	if err != nil {
		return nil, err
	}
	s, err := central.New(central.Config{Turn: turn, Place: new(Locality), Copy: copies, CopyWhen: c.CopyWhen})
	return &Scheduler{s, turn}, err
}

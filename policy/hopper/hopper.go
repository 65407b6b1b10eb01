// Package hopper shares a cluster's slots among jobs that run extra copies of slow tasks (stragglers), so that each job
// has room for as many copies as pay off.
//
// Most callers only want copies of stragglers, and give a [Speculation] to the scheduler that they have. It stops where copies
// do not pay:
//
//	copies, err := hopper.NewSpeculation(hopper.SpeculationConfig{})
//	scheduler, err := gittins.NewScheduler(gittins.Options{Copies: copies}) // or central.New(central.Config{Turn: turn, Copy: copies})
//
// [NewScheduler] is the thesis' whole policy, which also shares the slots and places the tasks, and does not ask whether copies
// pay unless Config.Loss is set. A program with a loop of its own calls [Allocate] for the shares, and asks a rule such as
// [GRASS] which tasks get copies:
//
//	shares, err := hopper.Allocate(nil, 100, demands) // the slots of each job, of 100
//
// # The algorithm
//
// If copies have to wait for a slot that is left over, they come too late; if slots are reserved for them, these stand idle. So
// Hopper counts the copies that a job will need in the job's size, and shares the slots by that.
//
// The model: the runtimes of tasks, and those of new copies, are independent and have a Pareto tail of shape β. The heavier the tail,
// the longer a task that has run for long will still run, and the more a copy of it is worth. At the optimum a job runs
// max(2/β, 1) copies of each unfinished task on average, the first included: stragglers have several, and others one. So a
// job with T remaining tasks has the virtual size V = max(2/β, 1)·T ([VirtualSize]): up to V slots each slot raises its service rate
// ([Rate]) equally, and beyond V ever less. Let α be the job's weight: more than 1 if later stages read what it writes while it
// runs. Each next slot goes where it raises the sum of all α·[Rate] most. To a job with less than V slots it is worth
//
//	α β²/(4(β-1))        and α if β > 2
//
// and to one with S ≥ V slots α T²/((β-1)S²), which falls as S grows. So jobs with equal α and β are filled to V one after the
// other, those with the fewest tasks first, which end soonest; what is left is shared in proportion to T. Where α or β
// differ, one job may go beyond V before another gets anything.
//
// [EpsilonFair] and the Scheduler add a floor: no job has less than 1-ε of an equal share. By default ε is 0.1, so most jobs
// have about equal shares. A free core goes to the job below its share that has the fewest tasks left, and if there is none to the
// one with the fewest that can use it. Which task gets it, or a copy, is the rule's choice: by [GRASS], the default, a copy must
// save slots while many tasks wait, and time in the last two waves of them.
//
// The thesis has Pseudocode 1 and Algorithms 1 to 4, for ever more general jobs. Allocate is Algorithm 4, in algorithms.go, of
// which Algorithm 1 is the case of one tail; EpsilonFair is Algorithm 2. Algorithm 3 has weights but goes by the order of jobs
// alone: Allocate serves at least as much. Example (AsPrinted) of Allocate, in example_algorithms_test.go, shows each as printed
// beside the call.
//
// The rules for copies are in simple.go, late.go, mantri.go and grass.go; tracker.go turns progress reports into what
// they need to know. tails.go fits β to the longest tenth of a group's last 1,000 runtimes ([estimate.Hill]); before 200 tasks
// have ended it is 1.2, and so it should be for a caller of Allocate who does not know better.
//
// # When not to use it
//
// If tasks do not straggle, or a copy takes as long as its task, copies waste cores: most of them under a Scheduler, and
// about 3 % and the first 50 copies under a Speculation with its default Loss. Gangs get no second
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
	SpeculationConfig              // Loss 0 means +Inf: copies need not pay, as in the thesis
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

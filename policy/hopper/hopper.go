// Package hopper shares slots among jobs that run extra copies of slow tasks: Hopper, which
// gives each job room for as many copies as pay.
//
// A cluster in which tasks straggle runs more than one copy of some tasks, and keeps
// whichever ends first. A scheduler that hands out slots by tasks alone leaves no room for the copies,
// or keeps too much room free. If runtimes have a Pareto tail β, the best number of copies
// of a task is known, 2/β on average. So the size of a job that counts when slots are shared is
// its virtual size, [VirtualSize]. What a job gets out of its slots is [Rate].
//
// [Allocate] shares slots so that the weighted rate of all jobs together is the greatest,
// for any mix of weights, tails and guaranteed slots. This is the call to make first. [EpsilonFair]
// gives each job a part of a fair share before that. A host can measure what a job asks for, a [Demand]: estimate.Hill
// fits a tail to the runtimes of tasks.
//
// A [Speculator] says which tasks of a job get the copies: [Simple], [LATE], [Mantri]
// and [GRASS] are such rules, and work with any way of sharing slots. A [Tracker] turns the reports of copies into
// what a rule needs to know.
//
// A host of any kind can call all this. Behind the contract of package policy there are parts for package central:
// [VirtualSizes] says whose turn the next slot is,
// [Speculation] which tasks get copies, [Locality] where tasks start. [Scheduler] is the three of them.
// Start it from [DefaultConfig]. To compare Hopper with another scheduler, put another turn beside the same copies.
//
// To share 100 slots by hand:
//
//	shares, err := hopper.Allocate(nil, 100, demands) // of 100 slots, by job
//
// # Formulae
//
// With β the tail of the runtimes, T the tasks that a job has left, S its slots and α its
// weight over the least, the virtual size V of a job and its rate μ are (for β ≤ 2)
//
//	V = 2/β · T · sqrt(α)
//	μ = β²/(4(β-1)) · S                   if S ≤ 2/β · T
//	μ = β/(β-1) · T - T²/((β-1) · S)      if S > 2/β · T
//
// If there are fewer slots than the V of all jobs together, the least V is served first, in
// full; else each job has slots in proportion to its V. No job has less than (1-ε) of an equal
// share.
//
// # When not to use it
//
// Where tasks do not straggle, or their tail is light, copies are work done twice: take SRPT
// or Fair of package baseline. Nor is it for tasks that may not run twice, or for gangs, which
// get no copies. Most of the gain comes from the rule that starts copies, not from
// the sharing: docs/hopper.md has what Hopper gained and lost against SRPT and Fair with the same rule.
//
// # Cost
//
// [Allocate] and [EpsilonFair] take O(n log n) time for n jobs. A rule takes O(n) time for n running tasks, or little
// more. For a step of the Scheduler see [VirtualSizes] and [Speculation].
//
// # Where to begin reading
//
// The Examples of [Allocate] are the four algorithms of the paper as printed. Then read who gets how many
// slots: hopper.go (virtual sizes), allocate.go, pool.go, virtual.go, wanted.go (what jobs ask for). Then copies: speculate.go,
// rules.go (GRASS is the rule that Hopper runs), tracker.go, speculation.go. scheduler.go makes a
// scheduler of the parts.
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
	"math"
)

// level returns the speculation level of a job whose tasks' runtimes have a Pareto tail of
// shape tail: the number of copies of each task, on average, beyond which another slot is
// worth more elsewhere,
//
//	2/β    if 1 < β ≤ 2
//	1      if β > 2
//
// It is NaN unless tail is greater than 1 and finite: with up to 1 runtimes have no mean.
//
// # Source
//
// Hopper, equation 3.4, where β < 2. We add the second line: less than one copy of a task
// does no work.
func level(tail float64) float64 {
	if !(tail > 1) || math.IsInf(tail, 1) {
		return math.NaN()
	}
	return max(2/tail, 1)
}

// VirtualSize returns the number of slots in which a job with so many tasks left speculates
// at its best,
//
//	V = max(2/β, 1) * T * sqrt(α)
//
// with T the tasks and α the weight of the job over the least weight of those that run
// beside it; 1 for jobs of one phase. A common factor of all weights cancels where sizes are
// compared. NaN unless tasks and weight are finite and at least 0, and tail is finite and greater than 1.
//
// # Source
//
// Hopper, equation 3.5 and section 4.1.
func VirtualSize(tasks, tail, weight float64) float64 {
	if !known(0, tasks, tail) || !(weight >= 0) || math.IsInf(weight, 1) {
		return math.NaN()
	}
	return level(tail) * tasks * math.Sqrt(weight)
}

// Rate returns the service rate μ of a job with so many slots and tasks left, if it makes as many
// copies as are best: in how many slots a cluster that makes no copies does as much work.
//
//	slope(β) * S                      if S ≤ V
//	β/(β-1) * T - T²/((β-1) * S)      if S > V
//
// with V its [VirtualSize] with weight 1, and slope(β) = β²/(4(β-1)), or 1
// for β > 2. It rises with S and is concave in it; its limit for ever more slots is T times the
// mean runtime in units of the least. It is 0 for no slots, and for no tasks. NaN unless slots and
// tasks are finite and at least 0, and tail is finite and greater than 1.
//
// # Source
//
// Hopper, equations 3.3 and 3.7. The text has T for S in the first case. For β > 2 we put one copy
// where it has 2/β.
func Rate(slots, tasks, tail float64) float64 {
	switch {
	case !known(slots, tasks, tail):
		return math.NaN()
	case slots <= level(tail)*tasks:
		return slope(tail) * slots
	}
	return tasks * ((tail - tasks/slots) / (tail - 1)) // tasks times tail may be more than there are numbers
}

// slope is the rate for each slot up to the virtual size.
func slope(tail float64) float64 {
	if tail > 2 {
		return 1
	}
	return tail * tail / (4 * (tail - 1))
}

func known(slots, tasks, tail float64) bool {
	return slots >= 0 && !math.IsInf(slots, 1) && tasks >= 0 && !math.IsInf(tasks, 1) &&
		tail > 1 && !math.IsInf(tail, 1)
}

// A Demand is what a job asks for when slots are shared. Numbers are 0 to 1e15; Tasks and Weight are
// at least 1e-100 if they are not 0.
type Demand struct {
	// Tasks is the number of tasks left in the running phase, T, with those that run. A
	// job without any gets no slots, and is not counted where a share for each job is.
	// It need not be whole, as where tasks take several resources: of each take what part of the
	// cluster all the job's tasks would take, and the mean of these times the slots is Tasks
	// (section 6.3, footnote 2).
	Tasks float64
	// Tail is the shape of the Pareto tail of the tasks' runtimes, β, above 1, at most 1e100; less is
	// heavier.
	Tail float64
	// Weight is what one task's worth of work is worth, α. Give 1 to a phase that no other reads. If
	// the next phase reads while this one runs, it is
	//
	//	(what the next phase has yet to read / what this one has yet to do)^dampening
	//
	// in units that are the same for all jobs, since a common factor of all weights cancels, with
	// dampening from 0, where all have weight 1, to 1: see [DampeningHadoop]. A job of weight 0, as
	// where it is left out, gets only its Floor. If all jobs with tasks have weight 0, all have the same
	// weight, 1.
	Weight float64
	// Downstream is the work left in the transfer to the next phase, T′, in the unit of Tasks. It
	// decides no more than the order of jobs that are worth the same: the lesser one of Tasks and T′,
	// whichever is more, goes first.
	Downstream float64
	// Floor is the number of slots that the job has to have.
	Floor float64
}

// order is by what MaxSRPT orders jobs, least first: the larger of Tasks and Downstream.
//
// # Source
//
// Hopper, section 4.1.
func (d *Demand) order() float64 { return max(d.Tasks, d.Downstream) }

// most is the largest number of slots or tasks, and the largest weight; few is the least number of tasks
// and the least weight that is not 0, and light the largest tail, so that products and quotients of them are
// numbers.
const (
	most  = 1e15
	few   = 1e-100
	light = 1e100
)

// check checks what the allocators are given.
func check(slots float64, jobs []Demand) error {
	if !(slots >= 0 && slots <= most) {
		return fmt.Errorf("hopper: slots is %v, must be 0 to %v", slots, most)
	}
	for i, d := range jobs {
		switch {
		case !(d.Tasks == 0 || d.Tasks >= few && d.Tasks <= most):
			return fmt.Errorf("hopper: job %d: Tasks is %v, must be 0, or %v to %v", i, d.Tasks, few, most)
		case !(d.Weight == 0 || d.Weight >= few && d.Weight <= most):
			return fmt.Errorf("hopper: job %d: Weight is %v, must be 0, or %v to %v", i, d.Weight, few, most)
		case !(d.Tail > 1 && d.Tail <= light):
			return fmt.Errorf("hopper: job %d: Tail is %v, must be > 1, at most %v", i, d.Tail, light)
		case !(d.Downstream >= 0 && d.Downstream <= most):
			return fmt.Errorf("hopper: job %d: Downstream is %v, must be 0 to %v", i, d.Downstream, most)
		case !(d.Floor >= 0 && d.Floor <= most):
			return fmt.Errorf("hopper: job %d: Floor is %v, must be 0 to %v", i, d.Floor, most)
		}
	}
	return nil
}

// counts reports whether a job gets more than its floor. weighted is false if all weights
// are 0, which counts as all being 1.
func (d *Demand) counts(weighted bool) bool {
	return d.Tasks > 0 && (d.Weight > 0 || !weighted)
}

func (d *Demand) weight(weighted bool) float64 {
	if !weighted {
		return 1
	}
	return d.Weight
}

// anyWeight reports whether a job with tasks has a weight.
func anyWeight(jobs []Demand) bool {
	for i := range jobs {
		if jobs[i].Tasks > 0 && jobs[i].Weight > 0 {
			return true
		}
	}
	return false
}

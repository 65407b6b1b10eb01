package hopper

import "math"

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

// MarginalRate returns by how much [Rate] rises with one more slot, to the right of slots:
//
//	slope(β)               if S < V
//	T²/((β-1) * S²)        if S ≥ V
//
// with V and slope as Rate has them. It never rises with S. At V it falls to 1/(β-1) at once if β >
// 2, else it is continuous. It is 0 for no tasks. NaN as for Rate.
func MarginalRate(slots, tasks, tail float64) float64 {
	switch {
	case !known(slots, tasks, tail):
		return math.NaN()
	case tasks == 0:
		return 0
	case slots < level(tail)*tasks:
		return slope(tail)
	}
	return tasks / slots * (tasks / slots) / (tail - 1)
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

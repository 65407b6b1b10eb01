package hopper

import "math"

// level returns the speculation level of a job whose runtimes have a Pareto tail of shape tail: the mean number of
// copies of each task beyond which another slot is worth more elsewhere,
//
//	2/β    if 1 < β ≤ 2
//	1      if β > 2
//
// It is NaN unless tail is greater than 1 and finite: for tail ≤ 1 runtimes have no mean.
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

// VirtualSize returns the number of slots with which a job with this many remaining tasks speculates best,
//
//	V = max(2/β, 1) * T
//
// with T the tasks. It is NaN unless tasks is finite and at least 0, and tail is finite and greater than 1.
//
// # Source
//
// Hopper, equation 3.5. Section 4.1 multiplies V by sqrt(α) for a job of weight α; [Allocate] has the weight apart.
func VirtualSize(tasks, tail float64) float64 {
	if !known(0, tasks, tail) {
		return math.NaN()
	}
	return level(tail) * tasks
}

// Rate returns the service rate μ of a job with these slots and remaining tasks, if it runs the best number of
// copies: the number of slots in which a cluster without copies does as much work.
//
//	slope(β) * S                      if S ≤ V
//	β/(β-1) * T - T²/((β-1) * S)      if S > V
//
// with V the [VirtualSize], and slope(β) = β²/(4(β-1)), or 1 for β > 2. It increases with S and is
// concave in S; for many slots it tends to T·β/(β-1). It is 0 for no slots, and for no tasks.
// It is NaN unless slots and tasks are finite and at least 0, and tail is finite and greater than 1.
//
// # Source
//
// Hopper, equations 3.3 and 3.7. The text has T for S in the first case. For β > 2 we use one copy where it has 2/β.
func Rate(slots, tasks, tail float64) float64 {
	switch {
	case !known(slots, tasks, tail):
		return math.NaN()
	case slots <= level(tail)*tasks:
		return slope(tail) * slots
	}
	return tasks * ((tail - tasks/slots) / (tail - 1)) // tasks times tail may be more than there are numbers
}

// slope is the rate per slot up to the virtual size.
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

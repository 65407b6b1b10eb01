package value

import (
	"cmp"
	"fmt"
	"slices"
)

// A Drop is an amount of value that is lost if a job completes after an instant, because a download
// finds nothing or a dependent job fails.
type Drop struct {
	At    int64   // last instant at which the value is not lost yet
	Value float64 // at least 0
}

// A Function is the utility function of a job, its value by its completion time: a non-increasing step function. It is
// immutable and safe for concurrent use, and takes 16 bytes per step. Instants may have any epoch; if the epoch is the
// submission of the job, one Function may serve all jobs of a template. The zero Function is always 0.
//
// A job loses its own value when users ask for output that is not there, so each download is a Drop. A dependent that fails
// without the job, if it is submitted before the job completes, takes with it the part agg/N that it hands back: see
// [Aggregate]. The parts of the other dependents are never lost and belong to the rest.
//
// # Source
//
// Wing, section 4.3 with Fig. 5, and the policy Wing-MIL of section 6.2, which orders jobs by what
// they are worth when they are expected to complete.
type Function struct {
	steps []Drop  // by instant; up to At the value is Value, which falls from step to step
	rest  float64 // value after all steps
}

// NewFunction returns the function that loses each of drops just after its instant: a job that
// completes at that instant still has the value. After all drops the value is rest. Drops may come
// in any order. Drops of one instant make one step, and drops of 0 make none. Values must not be
// negative, and their sum must be at most [MaxSum]. NewFunction does not change drops.
//
// The value at an instant is the sum of rest and of the later drops, added from the last one back.
// So rounding never makes it rise, and the order of drops does not matter. NewFunction takes
// O(n log n) time. The error names the value that is not allowed.
func NewFunction(rest float64, drops []Drop) (Function, error) {
	if !(rest >= 0) {
		return Function{}, fmt.Errorf("value: the rest is %v, want 0 or more", rest)
	}
	sum := rest
	for i, d := range drops {
		if !(d.Value >= 0) {
			return Function{}, fmt.Errorf("value: drop %d, at %d, is of %v, want 0 or more", i, d.At, d.Value)
		}
		sum += d.Value
	}
	if sum > MaxSum {
		return Function{}, fmt.Errorf("value: rest and drops are %v together, want at most %v", sum, MaxSum)
	}
	latest := slices.Clone(drops)
	slices.SortFunc(latest, func(a, b Drop) int {
		return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(a.Value, b.Value))
	})
	var steps []Drop
	left := rest
	for len(latest) > 0 {
		at, before := latest[0].At, left
		for len(latest) > 0 && latest[0].At == at {
			left += latest[0].Value
			latest = latest[1:]
		}
		if left > before {
			steps = append(steps, Drop{at, left})
		}
	}
	slices.Reverse(steps)
	return Function{slices.Clip(steps), rest}, nil
}

// At returns the value of the job if it completes at t. It takes O(log n) time for n steps and does
// not allocate. A job that never completes has no value, whatever rest is.
func (f Function) At(t int64) float64 {
	if i := f.step(t); i < len(f.steps) {
		return f.steps[i].Value
	}
	return f.rest
}

// step returns the number of steps before t.
func (f Function) step(t int64) int {
	i, _ := slices.BinarySearchFunc(f.steps, t, func(d Drop, t int64) int { return cmp.Compare(d.At, t) })
	return i
}

// Until returns the last instant, t or later, at which the value is the same as at t, and false if
// it stays the same for ever. A scheduler that orders jobs by value must reorder them after it.
func (f Function) Until(t int64) (int64, bool) {
	if i := f.step(t); i < len(f.steps) {
		return f.steps[i].At, true
	}
	return 0, false
}

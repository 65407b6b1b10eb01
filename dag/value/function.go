package value

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/augur/dag"
)

// A Drop is an amount of value that is lost if a job completes after an instant: a download
// that finds nothing, or a job that fails.
type Drop struct {
	At    int64   // the last instant at which it is not lost yet
	Value float64 // at least 0
}

// A Function says what the completion of a job is worth by when it comes: a staircase that never
// rises. It is immutable, small, 16 bytes a step, and safe for concurrent use. Instants are of any
// epoch; one that begins with the submission of the job may serve all jobs of a template. The zero
// Function is 0 for ever.
//
// A job's own value is lost as users want its output and do not get it, so each download is
// a Drop; the value of those that depend on it, as [Dependents] says.
//
// # Source
//
// Wing, section 4.3 with Fig. 5, and the policy Wing-MIL of section 6.2, which orders jobs by what
// they are worth when they are expected to complete.
type Function struct {
	steps []Drop  // by instant: up to At it is worth Value, which falls from step to step
	rest  float64 // after all steps
}

// NewFunction returns the function that loses each of drops just after its instant: a job that
// completes at that very instant still has it. In the end it is worth rest. Drops may come
// in any order; those of one instant are one step, and those that change nothing are none. They are
// left as they are. Values are not negative, and together at most [MaxSum].
//
// The value at an instant is the sum of rest and of the drops to come, added from the last one back,
// so that rounding never makes it rise, and the order given does not matter. It takes O(n log n)
// time. The error names the value that is not allowed.
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

// At returns what the job is worth if it completes at t. It takes O(log n) time for n steps and
// does not allocate. A job that never completes is worth nothing, whatever the rest is.
func (f Function) At(t int64) float64 {
	if i := f.step(t); i < len(f.steps) {
		return f.steps[i].Value
	}
	return f.rest
}

// step returns the number of steps that are past at t.
func (f Function) step(t int64) int {
	i, _ := slices.BinarySearchFunc(f.steps, t, func(d Drop, t int64) int { return cmp.Compare(d.At, t) })
	return i
}

// Until returns the last instant, t or later, at which the job is worth as much as at t, and false
// if that is for ever. So a scheduler that orders jobs by their functions knows when to look again.
func (f Function) Until(t int64) (int64, bool) {
	if i := f.step(t); i < len(f.steps) {
		return f.steps[i].At, true
	}
	return 0, false
}

// Dependents appends to drops what job j loses when the jobs that depend on it directly are
// submitted and fail for want of its output: of each whose dependency is hard, the part of its
// aggregate that comes back to j, agg/N as in [Aggregate]. It fails with all that depends on it, so
// nothing is lost by indirect dependents. The parts of all others, which wait for j or do without
// it, are never lost; they are added to rest. A nil hard means that all dependencies are. With the
// drops of the job's own value the function then begins with the job's own aggregate.
//
// Submissions and aggregates are those of all jobs; what values they have is not checked here, but
// in [NewFunction]. If there is not one of each for each job, or no job j, it is an error, and drops
// and rest are returned as they were. It takes time in proportion to the dependents.
//
// # Source
//
// Wing, section 4.3 with Fig. 5.
func Dependents(drops []Drop, rest float64, g *dag.Graph, j uint32, submitted []int64, agg []float64, hard func(d uint32) bool) ([]Drop, float64, error) {
	if g == nil || int64(j) >= int64(g.Len()) {
		return drops, rest, fmt.Errorf("value: job %d is not in the graph", j)
	}
	if len(submitted) != g.Len() || len(agg) != g.Len() {
		return drops, rest, fmt.Errorf("value: %d submissions and %d aggregates of %d jobs, want one for each", len(submitted), len(agg), g.Len())
	}
	for _, d := range g.Out(j) {
		part := agg[d] / float64(len(g.In(d)))
		if hard == nil || hard(d) {
			drops = append(drops, Drop{submitted[d], part})
		} else {
			rest += part
		}
	}
	return drops, rest, nil
}

package value

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/dag"
)

// Aggregate appends to dst, for each job, its own value and what comes back to it from all that
// depend on it, directly or not, and returns the longer slice:
//
//	agg(j) = own(j) + sum of agg(d)/N(d) over the direct dependents d of j
//
// with N(d) the number of jobs that d depends on, j among them. So d is worth W(j,d)*own(d)
// to j, where W(j,d) is the sum, over all paths from j to d, of the products of 1/N of each job
// on the path but j. It is also the chance that a walk which starts in d, and goes each time
// to one of the jobs read at random, comes by j.
//
// INVARIANT: such a walk ends in exactly one job that reads no other, hence
//
//	the sum of agg over the jobs that depend on none = the sum of own over all jobs
//
// and agg(j) is never more than that sum. Both hold exactly where all parts can be represented, as
// with whole numbers and N that are powers of 2, and else up to rounding: a relative error of less
// than (2n + m) / 2^53 for n jobs and m dependencies, unless values are so small that they
// underflow.
//
// own may be any quantity of which a job has an amount of its own: downloads, money, or the compute
// time in slot-seconds by which a priority divides them. Amounts are finite and not negative, and
// their sum is at most [MaxSum]. On an error dst is returned as it was. It takes O(n + m) time with
// one division for each job, and allocates nothing if dst has room. dst must not overlap own. If
// jobs have their numbers in the order of submission, memory is read in order, and with millions of
// jobs that takes a fifth of the time.
//
// # Source
//
// Wing, section 4.5.1, where the sum is over all pairs of jobs tied by a path. Wing's Algorithm 1 finds the same by joins:
// Example (Algorithm1) of this package, in example_algorithm1_test.go, has it line by line.
func Aggregate(dst []float64, g *dag.Graph, own []float64) ([]float64, error) {
	if err := check(g, own); err != nil {
		return dst, err
	}
	all := append(dst, own...)
	agg := all[len(dst):]
	upstream(g, func(d uint32) { handBack(g, agg, d, agg[d]) })
	return all, nil
}

// fromDependents returns what Aggregate adds to own values that have been checked.
func fromDependents(g *dag.Graph, own []float64) []float64 {
	back := make([]float64, len(own))
	upstream(g, func(d uint32) { handBack(g, back, d, own[d]+back[d]) })
	return back
}

// upstream calls f for every job after all that depend on it.
func upstream(g *dag.Graph, f func(d uint32)) {
	if numberedForward(g) {
		for d := g.Len() - 1; d >= 0; d-- {
			f(uint32(d))
		}
		return
	}
	for _, d := range slices.Backward(g.Order()) {
		f(d)
	}
}

// numberedForward reports whether all jobs depend on jobs of lesser numbers only.
func numberedForward(g *dag.Graph) bool {
	for d := range g.Len() {
		if in := g.In(uint32(d)); len(in) > 0 && in[len(in)-1] >= uint32(d) {
			return false
		}
	}
	return true
}

// handBack adds to the jobs that d depends on their parts of x.
func handBack(g *dag.Graph, to []float64, d uint32, x float64) {
	in := g.In(d)
	if len(in) == 0 || x == 0 {
		return
	}
	part := x / float64(len(in))
	for _, u := range in {
		to[u] += part
	}
}

// MaxSum is the most that the amounts of all jobs may be together, so that no sum overflows.
const MaxSum = math.MaxFloat64 / 4

// check says what is wrong with amounts of which each job of g has one.
func check(g *dag.Graph, own []float64) error {
	if g == nil {
		return fmt.Errorf("value: the graph is nil")
	}
	if len(own) != g.Len() {
		return fmt.Errorf("value: %d own values for %d jobs, want one for each", len(own), g.Len())
	}
	sum := 0.0
	for j, x := range own {
		if !(x >= 0 && x <= math.MaxFloat64) {
			return fmt.Errorf("value: own value of job %d is %v, want a finite number, 0 or more", j, x)
		}
		sum += x
	}
	if sum > MaxSum {
		return fmt.Errorf("value: the sum of all own values is %v, want at most %v", sum, MaxSum)
	}
	return nil
}

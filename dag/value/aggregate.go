package value

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/dag"
)

// Aggregate appends to dst the aggregate of each job, and returns the extended slice. The
// aggregate is the job's own value and what comes back from its direct and indirect dependents:
//
//	agg(j) = own(j) + sum of agg(d)/N(d) over the direct dependents d of j
//
// with N(d) the number of jobs on which d depends, j among them. So a dependent d contributes W(j,d)*own(d) to j, where
// W(j,d) is the sum over all paths from j to d of the product of 1/N over the jobs on the path except j. It is also the
// probability that a random walk that starts in d and steps to a random input each time visits j.
//
// INVARIANT: such a walk ends in exactly one job without inputs, hence
//
//	the sum of agg over the jobs without inputs = the sum of own over all jobs
//
// and agg(j) is at most that sum. Both hold exactly if all parts can be represented, as with
// whole numbers and N that are powers of 2. Otherwise they hold up to a relative error of less than
// (2n + m) / 2^53 for n jobs and m dependencies, unless values underflow.
//
// own may be any quantity that adds up: downloads, money, or the compute time in slot-seconds by which a priority divides
// them. Amounts must be finite and not negative, and their sum at most [MaxSum]. If Aggregate returns an error, it returns
// dst unchanged. It takes O(n + m) time with one division for each job, and allocates nothing if dst has room. dst must not
// overlap own. Number jobs in the order of submission: memory is then read in order, which is several times as fast with
// millions of jobs.
//
// # Source
//
// Wing, section 4.5.1, where the sum is over all pairs of jobs connected by a path; Algorithm 1 computes the same by joins.
func Aggregate(dst []float64, g *dag.Graph, own []float64) ([]float64, error) {
	if err := check(g, own); err != nil {
		return dst, err
	}
	all := append(dst, own...)
	agg, forward := all[len(dst):], numberedForward(g)
	for i, d := range slices.Backward(g.Order()) { // dependents first
		if forward {
			d = uint32(i)
		}
		if in := g.In(d); len(in) > 0 && agg[d] > 0 {
			part := agg[d] / float64(len(in))
			for _, u := range in {
				agg[u] += part
			}
		}
	}
	return all, nil
}

// numberedForward reports whether all jobs depend only on jobs with smaller numbers.
func numberedForward(g *dag.Graph) bool {
	for d := range g.Len() {
		if in := g.In(uint32(d)); len(in) > 0 && in[len(in)-1] >= uint32(d) {
			return false
		}
	}
	return true
}

// MaxSum bounds the sum of the amounts of all jobs, so that no sum overflows.
const MaxSum = math.MaxFloat64 / 4

// check returns an error if own is not a list of allowed amounts, one for each job of g.
func check(g *dag.Graph, own []float64) error {
	if g == nil {
		return fmt.Errorf("value: the graph is nil, want one that dag.New returned")
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

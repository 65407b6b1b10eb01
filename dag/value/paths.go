package value

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"example.com/augur/dag"
)

// Paths are the functions of an analysis over all paths of a graph, with weights of any type W: Wing's aggregation functions.
// [Shares] and [Reach] are the paper's own; example_paths_test.go has others. All three functions are required. To compute an
// aggregate:
//
//   - Loop over [Paths.Dependents] if each dependent counts once, such as for the number of downstream jobs. The loop's body
//     is the paper's downstream operation. To do so for each job takes time in proportion to the pairs of a job and a dependent.
//   - Use [Paths.Fold] if each path counts, such as for [Aggregate] or a longest path. It takes one pass for all jobs.
//
// # Source
//
// Wing, section 4.4. Its Algorithm 1 doubles the length of the paths in each iteration, by joins of tables; in memory a pass in
// topological order finds the same without joins.
type Paths[W any] struct {
	// Weight returns the weight of the dependency of job to on job from: wt_fn.
	Weight func(g *dag.Graph, from, to uint32) W
	// Along returns the weight of a path that consists of a and then b, further downstream: e_op. It must be associative.
	Along func(a, b W) W
	// Across returns the weight of two sets of paths together: p_op. It must be associative and commutative.
	Across func(a, b W) W
}

// Shares are the functions that give a dependent's value in equal parts to the jobs on which it depends: 1/N, product and sum. The
// weight of a dependent is the part of its value that comes back. Fold is [Aggregate], up to rounding.
//
// # Source
//
// Wing, section 4.5.2.
func Shares() Paths[float64] {
	return Paths[float64]{
		Weight: func(g *dag.Graph, _, to uint32) float64 { return 1 / float64(len(g.In(to))) },
		Along:  func(a, b float64) float64 { return a * b },
		Across: func(a, b float64) float64 { return a + b },
	}
}

// Reach are the functions that give each dependent the weight 1, however many paths lead to it. Loop over Dependents to count
// the downstream jobs or to add up their compute time. Fold finds the greatest amount of a job and of all that depend on
// it: with priorities as amounts, the priority that avoids inversions.
//
// # Source
//
// Wing, section 4.3, for the number of downstream jobs and the sum of cpu-hours, and section 4.4 for priority inversions.
func Reach() Paths[float64] {
	return Paths[float64]{
		Weight: func(*dag.Graph, uint32, uint32) float64 { return 1 },
		Along:  func(_, b float64) float64 { return b },
		Across: func(a, b float64) float64 { return max(a, b) },
	}
}

// Dependents yields the direct and indirect dependents of job j, and for each the weight of all paths from j to it together: the
// Across of their weights, and the weight of a path is the Along of its dependencies. Each dependent comes once, and after
// those on which it depends. If within is not nil, only paths count on which it holds for all jobs after j, such as
// submission within a week of the completion of j (section 4.5.1).
//
// INVARIANT: this is right if Along distributes over Across from the right,
//
//	Along(Across(a, b), c) = Across(Along(a, c), Along(b, c))
//
// It takes O(n + m) time and memory for n dependents, and m dependencies of any job on these or on j. It panics if j is not in g
// or a function of p is missing.
func (p Paths[W]) Dependents(g *dag.Graph, j uint32, within func(d uint32) bool) iter.Seq2[uint32, W] {
	if err := p.check(); err != nil {
		panic(err)
	}
	return func(yield func(uint32, W) bool) {
		missing := make(map[uint32]int) // of each dependent, how many of its dependencies have not been added to its weight
		for found := []uint32{j}; len(found) > 0; {
			u := found[len(found)-1]
			found = found[:len(found)-1]
			for _, d := range g.Out(u) {
				if missing[d] > 0 || within == nil || within(d) {
					if missing[d]++; missing[d] == 1 {
						found = append(found, d)
					}
				}
			}
		}
		weights := make(map[uint32]W)
		for complete := []uint32{j}; len(complete) > 0; complete = complete[1:] {
			u := complete[0]
			if u != j && !yield(u, weights[u]) {
				return
			}
			for _, d := range g.Out(u) {
				w := p.Weight(g, u, d)
				if u != j {
					w = p.Along(weights[u], w)
				}
				if other, ok := weights[d]; ok {
					w = p.Across(other, w)
				}
				weights[d] = w
				if missing[d]--; missing[d] == 0 { // which it never is if d is not within
					complete = append(complete, d)
				}
			}
		}
	}
}

// Fold appends to dst for each job the Across of its own amount and, over all paths from it to a dependent d, of the Along of the
// path's weight and own[d]. Own holds an amount for each job. Dependents are folded before the jobs on which they depend:
//
//	fold(j) = Across of own(j) and, over the direct dependents d of j, of Along(Weight(j, d), fold(d))
//
// INVARIANT: this is right if Along distributes over Across from the left,
//
//	Along(a, Across(b, c)) = Across(Along(a, b), Along(a, c))
//
// A dependent that is reached by several paths counts for each of them. To count dependents with weights of 1, product
// and sum would count paths: loop over the Dependents of [Reach]. Fold takes one Weight, Along and Across for each dependency.
// If own has another length than g, or a function of p is missing, it returns dst and an error.
//
// For the longest chain below each job, let own hold the lengths of the jobs, at least 0, and let Weight return own[from], Along
// the sum and Across the maximum. Then
//
//	fold(j) = own(j) + max(0, fold(d) over the direct dependents d of j)
//
// is the longest chain that begins with j, and what is below j is fold(j) - own(j).
func (p Paths[W]) Fold(dst []W, g *dag.Graph, own []W) ([]W, error) {
	if err := p.check(); err != nil {
		return dst, err
	}
	if len(own) != g.Len() {
		return dst, fmt.Errorf("value: %d own amounts for %d jobs, want one for each", len(own), g.Len())
	}
	all := append(dst, own...)
	fold := all[len(dst):]
	for _, j := range slices.Backward(g.Order()) {
		for _, d := range g.Out(j) {
			fold[j] = p.Across(fold[j], p.Along(p.Weight(g, j, d), fold[d]))
		}
	}
	return all, nil
}

// check returns an error if a function is missing.
func (p *Paths[W]) check() error {
	if p.Weight == nil || p.Along == nil || p.Across == nil {
		return errors.New("value: a function of Paths is nil, want Weight, Along and Across")
	}
	return nil
}

package main

import (
	"math"
	"slices"
)

// kmeans cuts sorted values into k runs, 1 ≤ k ≤ their number, such that the sum of the
// squared distances to the means of the runs is least, and returns where each begins. On a
// line that takes no luck with a start: the best k runs of the first m values end with a
// run that begins no earlier than that of fewer values, so O(k n log n) time finds them.
//
// # Source
//
// H. Wang and M. Song, "Ckmeans.1d.dp: optimal k-means clustering in one dimension by
// dynamic programming", The R Journal 3(2), 2011; divide and conquer after X. Wu, "Optimal
// quantization by matrix searching", Journal of Algorithms 12(4), 1991.
func kmeans(sorted []float64, k int) []int {
	n := len(sorted)
	l := newLine(sorted)
	best := make([]float64, n+1) // of the first m values in the present number of runs
	for m := range best {
		best[m] = l.cost(0, m)
	}
	begins := make([][]int, k+1) // of the last run, by number of runs and values
	begins[1] = make([]int, n+1)
	for runs := 2; runs <= k; runs++ {
		before := slices.Clone(best)
		begin := make([]int, n+1)
		var solve func(from, to, low, high int)
		solve = func(from, to, low, high int) { // low and high enclose where the run begins
			if from > to {
				return
			}
			m := (from + to) / 2
			best[m] = math.Inf(1)
			for b := max(low, runs-1); b <= min(high, m-1); b++ {
				if cost := before[b] + l.cost(b, m); cost < best[m] {
					best[m], begin[m] = cost, b
				}
			}
			solve(from, m-1, low, begin[m])
			solve(m+1, to, begin[m], high)
		}
		solve(runs, n, runs-1, n-1)
		begins[runs] = begin
	}
	cuts := make([]int, k)
	for runs, m := k, n; runs >= 1; runs-- {
		m = begins[runs][m]
		cuts[runs-1] = m
	}
	return cuts
}

// line holds sums over the first values, so that those over any run take constant time.
type line struct {
	values, sums, squares []float64
}

func newLine(values []float64) *line {
	l := &line{values, make([]float64, len(values)+1), make([]float64, len(values)+1)}
	for i, x := range values {
		l.sums[i+1] = l.sums[i] + x
		l.squares[i+1] = l.squares[i] + x*x
	}
	return l
}

// cost returns the sum of squared distances to the mean of values from to to-1.
func (l *line) cost(from, to int) float64 {
	if from == to {
		return 0
	}
	sum := l.sums[to] - l.sums[from]
	return max(0, l.squares[to]-l.squares[from]-sum*sum/float64(to-from))
}

// away returns the sum of the distances from value i to those from to to-1.
func (l *line) away(i, from, to int) float64 {
	middle := min(max(i, from), to) // values before it are at most value i
	x := l.values[i]
	return x*float64(middle-from) - (l.sums[middle] - l.sums[from]) +
		(l.sums[to] - l.sums[middle]) - x*float64(to-middle)
}

// silhouette returns the mean silhouette of sorted values cut into at least two runs: of
// each value (b - a) / max(a, b), where a is its mean distance to the others of its run,
// and b that to the values of the nearest other run; 0 if it is alone.
//
// # Source
//
// P. Rousseeuw, "Silhouettes: a graphical aid to the interpretation and validation of
// cluster analysis", Journal of Computational and Applied Mathematics 20, 1987.
func silhouette(sorted []float64, cuts []int) float64 {
	l := newLine(sorted)
	ends := append(slices.Clone(cuts[1:]), len(sorted))
	total := 0.0
	for run, from := range cuts {
		to := ends[run]
		if to-from < 2 {
			continue
		}
		for i := from; i < to; i++ {
			a, b := l.away(i, from, to)/float64(to-from-1), math.Inf(1)
			for _, other := range []int{run - 1, run + 1} { // no other is nearer on a line
				if other >= 0 && other < len(cuts) {
					b = min(b, l.away(i, cuts[other], ends[other])/float64(ends[other]-cuts[other]))
				}
			}
			if most := max(a, b); most > 0 {
				total += (b - a) / most
			}
		}
	}
	return total / float64(len(sorted))
}

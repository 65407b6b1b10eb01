package estimate

import (
	"fmt"
	"math"
	"slices"
)

// Hill estimates the tail index (shape) of a distribution with a Pareto tail, in which the share of
// values above x is (min/x)^shape, from the runtimes of tasks, greater than 0. The estimate is
//
//	shape = k / sum ln(x/next)
//
// with the sum over the k longest tasks, and next the longest of the other tasks. With a shape of at
// most 1 the mean is infinite, with at most 2 the variance. The standard error is about shape/sqrt(k).
// Hill returns an error if k is not less than the number of tasks, if a runtime is not allowed, or if the
// longest tasks are all equal. It takes O(n log n) time.
//
// # Source
//
// B. M. Hill, "A simple general approach to inference about the tail of a distribution",
// Annals of Statistics 3(5), 1975.
func Hill(runtimes []float64, k int) (shape float64, err error) {
	for i, x := range runtimes {
		if !(x > 0) || math.IsInf(x, 1) {
			return 0, fmt.Errorf("estimate: runtime of task %d is %v, must be finite and > 0", i, x)
		}
	}
	n := len(runtimes)
	if k < 1 || k >= n {
		return 0, fmt.Errorf("estimate: Hill: k is %d, must be 1 to %d, less than the number of tasks", k, n-1)
	}
	sorted := slices.Clone(runtimes)
	slices.Sort(sorted)
	next := sorted[n-1-k]
	sum := 0.0
	for _, x := range sorted[n-k:] {
		sum += math.Log(x / next)
	}
	if sum == 0 {
		return 0, fmt.Errorf("estimate: Hill: the %d longest tasks took %v, and so did the next longest, which is no tail", k, next)
	}
	return float64(k) / sum, nil
}

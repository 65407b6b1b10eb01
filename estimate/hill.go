package estimate

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Hill returns an estimate of the shape of a distribution that is like a Pareto distribution
// in its tail, where longer ones than x are the share (min/x)^shape, from the k longest of some tasks:
// those that have finished, with runtimes greater than 0, and those that still run, of which the
// runtime so far, at least 0, is known to be too little:
//
//	shape = n / sum ln(x/next)
//
// with the sum over the k longest, n the number of those that have finished, and next the longest of
// the others. With a shape of up to 1 there is no mean, with up to 2 no variance. The standard error is
// about shape/sqrt(n). k must be less than the number of tasks; the error says that it is not, or
// which task is refused, or that there is no tail: the longest are all equal, or all still run.
// It takes O(n log n) time.
//
// # Source
//
// B. M. Hill, "A simple general approach to inference about the tail of a distribution",
// Annals of Statistics 3(5), 1975. With censored values: J. Beirlant, A. Guillou, G. Dierckx
// and A. Fils-Villetard, "Estimation of the extreme value index and extreme quantiles under
// random censoring", Extremes 10, 2007.
func Hill(finished, running []float64, k int) (shape float64, err error) {
	if err := checkTasks(finished, running); err != nil {
		return 0, err
	}
	n := len(finished) + len(running)
	if k < 1 || k >= n {
		return 0, fmt.Errorf("estimate: Hill: k is %d, must be 1 to %d, less than the number of tasks", k, n-1)
	}
	tasks := make([]task, 0, n)
	for _, x := range finished {
		tasks = append(tasks, task{x, 0})
	}
	for _, x := range running {
		tasks = append(tasks, task{x, 1})
	}
	slices.SortFunc(tasks, compareTasks)
	next := tasks[n-1-k].runtime
	sum, ended := 0.0, k
	for _, t := range tasks[n-k:] {
		if t.runtime > next {
			sum += logRatio(t.runtime, next)
		}
		ended -= t.running
	}
	if ended == 0 || sum == 0 || next == 0 {
		return 0, fmt.Errorf("estimate: Hill: %d of the %d longest tasks have finished, the next longest took %v, which is no tail",
			ended, k, next)
	}
	return float64(ended) / sum, nil
}

type task struct {
	runtime float64
	running int // 1 if it still runs
}

// compareTasks orders tasks by runtime; of equal ones, those that still run are longer.
func compareTasks(a, b task) int {
	return cmp.Or(cmp.Compare(a.runtime, b.runtime), cmp.Compare(a.running, b.running))
}

// logRatio returns ln(x/y) for x > y ≥ 0.
func logRatio(x, y float64) float64 {
	if r := x / y; r <= math.MaxFloat64 {
		return math.Log(r)
	}
	return math.Log(x) - math.Log(y)
}

// checkTasks checks the runtimes that Hill is given.
func checkTasks(finished, running []float64) error {
	for i, x := range finished {
		if !(x > 0) || math.IsInf(x, 1) {
			return fmt.Errorf("estimate: runtime of finished task %d is %v, must be finite and > 0", i, x)
		}
	}
	for i, x := range running {
		if !(x >= 0) || math.IsInf(x, 1) {
			return fmt.Errorf("estimate: runtime so far of running task %d is %v, must be finite and ≥ 0", i, x)
		}
	}
	if len(finished) == 0 {
		return errors.New("estimate: no task has finished, so there is nothing to fit")
	}
	return nil
}

package estimate

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Hill estimates the tail index (shape) of a distribution with a Pareto tail, in which the share of
// values above x is (min/x)^shape. It uses the k longest tasks. finished holds the runtimes of
// finished tasks, greater than 0, and running the runtimes so far, at least 0, of tasks that still
// run: these are right-censored. The estimate is
//
//	shape = n / sum ln(x/next)
//
// with the sum over the k longest tasks, n the number of those that have finished, and next the
// longest of the other tasks. With a shape of at most 1 the mean is infinite, with at most 2 the
// variance. The standard error is about shape/sqrt(n). Hill returns an error if k is not less than
// the number of tasks, if a runtime is not allowed, or if there is no tail: the longest tasks are
// all equal or all still run. It takes O(n log n) time.
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
		return errors.New("estimate: Hill: no task has finished, want at least 1")
	}
	return nil
}

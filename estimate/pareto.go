package estimate

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrNoFit is wrapped by the errors of fits to values that no distribution of the kind fits
// best: none has finished, or all that did are equal.
var ErrNoFit = errors.New("no fit")

// A Pareto is the distribution of values of at least Min that are larger than x with
// probability (Min/x)^Shape. With parameters that are not positive its methods return NaN.
type Pareto struct {
	Min   float64 // > 0
	Shape float64 // > 0; with up to 1 there is no mean, with up to 2 no variance
}

// FitPareto returns the Pareto distribution under which some runtimes are most likely:
// those of tasks that have finished, which must be greater than 0, and those so far of tasks
// that still run, which are known to be longer than that and must be at least 0. Min is the
// least of those that have finished; the tasks that still run and are below it say nothing.
//
//	Shape = n / sum ln(x/Min)
//
// with n the number of finished tasks and the sum over all tasks. Its standard error is about
// Shape/sqrt(n). It takes O(n) time and does not allocate.
//
// # Source
//
// B. C. Arnold, Pareto Distributions, 2nd edition, 2015, section 5.2; with censored values as
// for the exponential distribution, as which ln(x/Min) is distributed.
func FitPareto(finished, running []float64) (Pareto, error) {
	if err := checkTasks(finished, running); err != nil {
		return Pareto{}, err
	}
	least := slices.Min(finished)
	sum := 0.0
	for _, tasks := range [2][]float64{finished, running} {
		for _, x := range tasks {
			if x > least {
				sum += logRatio(x, least)
			}
		}
	}
	if sum == 0 {
		return Pareto{}, fmt.Errorf("estimate: Pareto: no task took longer than %v, the least: %w", least, ErrNoFit)
	}
	return Pareto{least, float64(len(finished)) / sum}, nil
}

// Hill returns an estimate of the shape of a distribution that is like a Pareto distribution
// in its tail only, from the k longest of some tasks, finished or still running (see
// [FitPareto]):
//
//	shape = n / sum ln(x/next)
//
// with the sum over the k longest, n the number of those that have finished, and next the longest of
// the others. k must be less than the number of tasks. Its standard error is about
// shape/sqrt(n). It takes O(n log n) time.
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
		return 0, fmt.Errorf("estimate: Hill: %d of the %d longest tasks have finished, the next longest took %v: %w",
			ended, k, next, ErrNoFit)
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

// logRatio returns ln(x/y) for x, y > 0.
func logRatio(x, y float64) float64 {
	if r := x / y; r > 0 && !math.IsInf(r, 1) {
		return math.Log(r)
	}
	return math.Log(x) - math.Log(y)
}

// Mean returns the mean, which is +Inf if Shape is at most 1.
func (p Pareto) Mean() float64 {
	switch {
	case !p.ok():
		return math.NaN()
	case p.Shape <= 1:
		return math.Inf(1)
	}
	return p.Min * (p.Shape / (p.Shape - 1))
}

// CDF returns the probability of at most x.
func (p Pareto) CDF(x float64) float64 {
	switch {
	case math.IsNaN(x) || !p.ok():
		return math.NaN()
	case x <= p.Min:
		return 0
	}
	return -math.Expm1(p.Shape * logRatio(p.Min, x))
}

// Quantile returns the value whose CDF is q, and NaN unless q is in [0, 1].
func (p Pareto) Quantile(q float64) float64 {
	if !(q >= 0 && q <= 1) || !p.ok() {
		return math.NaN()
	}
	return p.Min * math.Exp(-math.Log1p(-q)/p.Shape)
}

// meanOfLargest is Min times the product of k/(k-c) over k = 1 to n, with c = 1/Shape, which is
// Gamma(1-c) * Gamma(n+1)/Gamma(n+1-c). The ratio for large n is after F. G. Tricomi and
// A. Erdélyi, "The asymptotic expansion of a ratio of Gamma functions", Pacific Journal of
// Mathematics 1, 1951.
func (p Pareto) meanOfLargest(n float64) float64 {
	if !p.ok() || p.Shape <= 1 {
		return p.Mean()
	}
	c := 1 / p.Shape
	if n < 1000 {
		mean := p.Mean() // of one
		for k := 2.0; k <= n; k++ {
			mean *= k / (k - c)
		}
		return mean
	}
	m := n + (1-c)/2
	return p.Mean() * math.Gamma(2-c) * math.Pow(m, c) * (1 + c*(1-c*c)/(24*m*m))
}

func (p Pareto) ok() bool {
	return p.Min > 0 && !math.IsInf(p.Min, 1) && p.Shape > 0 && !math.IsInf(p.Shape, 1)
}

// checkTasks checks the runtimes that a fit is given.
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
		return fmt.Errorf("estimate: no task has finished: %w", ErrNoFit)
	}
	return nil
}

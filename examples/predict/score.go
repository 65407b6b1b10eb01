package main

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/estimate"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// A row is a way to estimate, and how good its estimates were.
type row struct {
	name     string
	estimate func(p *predict.Prediction) (seconds float64, ok bool)

	jobs      int
	predicted []*workload.Job // those that got an estimate
	estimates []float64       // one for each of these
	actual    []float64
	within    estimate.Within
	nmae      estimate.NMAE
}

// add notes the estimate for a job.
func (r *row) add(j *workload.Job, estimate, actual float64) error {
	r.predicted = append(r.predicted, j)
	r.estimates = append(r.estimates, estimate)
	r.actual = append(r.actual, actual)
	return cmp.Or(r.within.Add(estimate, actual), r.nmae.Add(estimate, actual))
}

// relative returns the errors over the runtimes, (estimate - actual)/actual, in increasing
// order; those of jobs of runtime 0 are left out.
func (r *row) relative() []float64 {
	errors := make([]float64, 0, len(r.estimates))
	for i, e := range r.estimates {
		if a := r.actual[i]; a > 0 {
			errors = append(errors, (e-a)/a)
		}
	}
	slices.Sort(errors)
	return errors
}

// absolute returns the absolute values of a list, in increasing order.
func absolute(list []float64) []float64 {
	list = slices.Clone(list)
	for i, x := range list {
		list[i] = math.Abs(x)
	}
	slices.Sort(list)
	return list
}

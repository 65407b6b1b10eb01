package main

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/policy/experiment"
)

// maxSeries is how many series a figure shows: more cannot be told apart at a glance.
const maxSeries = 4

// choose returns which series of a figure are drawn: the first, to which others are compared, and the best of the others,
// those for which what is given is least. It names those that are left out.
func choose[T any](all []T, name func(T) string, value func(T) float64) (drawn []T, left []string) {
	if len(all) <= maxSeries {
		return all, nil
	}
	best := slices.Clone(all[1:])
	slices.SortStableFunc(best, func(a, b T) int { return cmp.Compare(value(a), value(b)) })
	var names []string
	for _, x := range best[:maxSeries-1] {
		names = append(names, name(x))
	}
	for i, x := range all {
		if i == 0 || slices.Contains(names, name(x)) {
			drawn = append(drawn, x)
		} else {
			left = append(left, name(x))
		}
	}
	return drawn, left
}

// An estimate is a mean over the seeds that have a number, with its 95 % interval. The interval is the mean alone if fewer
// than two have one.
type estimate struct{ mean, low, high float64 }

// interval is what bars are, in all figures.
const interval = "95 % interval"

// estimateOf returns the estimate of a number of each seed. One that cannot be below low or above high has its interval
// cut off there.
func estimateOf(values []float64, low, high float64) estimate {
	values = slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	m := experiment.MeanInterval(values)
	if len(values) < 2 {
		m.Low, m.High = m.Mean, m.Mean
	}
	return estimate{m.Mean, max(m.Low, low), min(m.High, high)}
}

// paired returns the estimate of x less another seed by seed, or over it. There is none if there are not as many seeds of
// both, or if a ratio is not finite.
func paired(x, of []float64, ratio bool) (estimate, bool) {
	if len(x) == 0 || len(x) != len(of) {
		return estimate{}, false
	}
	var ours, theirs, less []float64
	for i := range x {
		if !math.IsNaN(x[i]) && !math.IsNaN(of[i]) {
			ours, theirs, less = append(ours, x[i]), append(theirs, of[i]), append(less, x[i]-of[i])
		}
	}
	if len(less) == 0 {
		return estimate{}, false
	}
	if !ratio {
		return estimateOf(less, math.Inf(-1), math.Inf(1)), true
	}
	p := experiment.Pair(ours, theirs)
	if p == nil {
		return estimate{}, false
	}
	if p.Low == nil {
		return estimate{p.Ratio, p.Ratio, p.Ratio}, true
	}
	return estimate{p.Ratio, *p.Low, *p.High}, true
}

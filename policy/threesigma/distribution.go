package threesigma

import (
	"errors"
)

// A Distribution is a distribution of runtimes, in seconds. CDF(x) is the probability of at most x, continuous from
// the right. Quantile(p) is the least x with CDF(x) ≥ p; Quantile(1), which may be infinite, is the longest runtime.
// Without values both are NaN, and so is everything computed from them.
//
// A Distribution may have two more methods. Survival(x) is 1 - CDF(x), perhaps with more digits. SurvivalIntegral(a,
// b) is its integral in closed form. Without it the integral takes a thousand calls of CDF, and is off by at most a
// two-thousandth of b - a.
type Distribution interface {
	CDF(x float64) float64
	Quantile(p float64) float64
}

// errNoValues is the error about a distribution without values, or without a value where it was asked.
var errNoValues = errors.New("threesigma: a distribution of runtimes has no values")

// known reports whether a distribution has values.
func known(d Distribution) bool {
	x := d.Quantile(1)
	return x == x && d.CDF(0) == d.CDF(0)
}

// survival returns the probability that the runtime is above x, x ≥ 0. So mass of d below 0 counts as a runtime of 0.
func survival(d Distribution, x float64) float64 {
	if s, ok := d.(interface{ Survival(x float64) float64 }); ok {
		return s.Survival(x)
	}
	return 1 - d.CDF(x)
}

// survivalIntegral returns the integral of survival from a to b, 0 ≤ a ≤ b, both finite.
func survivalIntegral(d Distribution, a, b float64) float64 {
	if s, ok := d.(interface {
		SurvivalIntegral(a, b float64) float64
	}); ok {
		return s.SurvivalIntegral(a, b)
	}
	sum, width := 0.0, (b-a)/pieces
	for i := range pieces {
		sum += survival(d, a+(float64(i)+0.5)*width)
	}
	return sum * width
}

// pieces is how many the midpoint rule integrates over.
const pieces = 1000

// scaled is the distribution of a runtime times a factor, such as on nodes that are slower.
type scaled struct {
	of     Distribution
	factor float64 // finite, above 0
}

// scale returns the distribution of factor times the runtime: factor 1.5 is a runtime half as long again.
func scale(d Distribution, factor float64) Distribution {
	if factor == 1 {
		return d
	}
	return scaled{d, factor}
}

func (s scaled) CDF(x float64) float64 { return s.of.CDF(x / s.factor) }

func (s scaled) Quantile(p float64) float64 { return s.factor * s.of.Quantile(p) }

func (s scaled) Survival(x float64) float64 { return survival(s.of, x/s.factor) }

func (s scaled) SurvivalIntegral(a, b float64) float64 {
	return s.factor * survivalIntegral(s.of, a/s.factor, b/s.factor)
}

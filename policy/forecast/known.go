package forecast

import "math"

// A Known is a runtime that is known, in seconds, at least 0. As a distribution it has all its mass at this value. It
// stands for a point estimate where a distribution is wanted.
type Known float64

// CDF returns 0 below the runtime, and 1 from it on.
func (k Known) CDF(x float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsNaN(float64(k)):
		return math.NaN()
	case x < float64(k):
		return 0
	}
	return 1
}

// Quantile returns the runtime, and NaN unless p is in [0, 1].
func (k Known) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return float64(k)
}

// Mean returns the runtime.
func (k Known) Mean() float64 { return float64(k) }

// SurvivalIntegral returns the length of the part of [a, b] that lies before the runtime.
func (k Known) SurvivalIntegral(a, b float64) float64 {
	return min(b, float64(k)) - min(a, float64(k))
}

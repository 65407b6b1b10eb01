package histogram

import "math"

// A Tail is a distribution cut off below: that of a value of which it is known that it is
// above some t. [Histogram.Above] makes it. It reads the histogram, and is valid until that
// changes. Where there is nothing above t, Count is 0 and the other numbers are NaN.
type Tail struct {
	h     *Histogram
	t     float64
	count float64 // mass above t
}

// Above returns the distribution of X given X > t, such as the runtime of a job that has run
// for t; what remains then is X - t.
func (h *Histogram) Above(t float64) Tail {
	if math.IsNaN(t) || h.count == 0 {
		return Tail{h: h, t: math.NaN()}
	}
	return Tail{h: h, t: t, count: h.count - h.below(t)}
}

// Count returns the sum of the weights above t.
func (a Tail) Count() float64 { return a.count }

// CDF returns the share of the tail that is at most x: 0 up to t, 1 from Max of the histogram on.
func (a Tail) CDF(x float64) float64 {
	if a.count == 0 || math.IsNaN(x) {
		return math.NaN()
	}
	if x <= a.t {
		return 0
	}
	return min(1, (a.h.below(x)-(a.h.count-a.count))/a.count)
}

// Survival returns the share of the tail that is above x.
func (a Tail) Survival(x float64) float64 {
	if a.count == 0 || math.IsNaN(x) {
		return math.NaN()
	}
	if x <= a.t {
		return 1
	}
	return min(1, (a.h.count-a.h.below(x))/a.count)
}

// Quantile returns the least value x, t or above it, with CDF(x) ≥ p.
func (a Tail) Quantile(p float64) float64 {
	if a.count == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	if p == 1 {
		return a.h.max
	}
	return max(a.t, a.h.min, a.h.at(a.h.count-a.count+target(p, a.count)))
}

// Mean returns the mean of X given X > t, from the bins (so it is not exact, but for a t below
// Min). The mean residual life, what remains after t on average, is Mean() - t.
func (a Tail) Mean() float64 {
	if a.count == 0 {
		return math.NaN()
	}
	if a.t < a.h.min {
		return a.h.Mean()
	}
	return min(a.t+a.h.aboveIntegral(a.t, a.h.max, a.count), a.h.max)
}

// SurvivalIntegral returns the integral of Survival from x to y, in closed form. It is
// negative if y < x.
func (a Tail) SurvivalIntegral(x, y float64) float64 {
	if a.count == 0 || math.IsNaN(x) || math.IsNaN(y) {
		return math.NaN()
	}
	if y < x {
		return -a.SurvivalIntegral(y, x)
	}
	sum := 0.0
	if x < a.t {
		sum = min(y, a.t) - x
		x = a.t
	}
	if x < y {
		sum += a.h.aboveIntegral(x, y, a.count)
	}
	return sum
}

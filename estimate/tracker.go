package estimate

import (
	"cmp"
	"fmt"
	"math"
)

// A TrackerConfig describes a [Tracker].
type TrackerConfig struct {
	Coverage float64 // share of bounds that the actual value should not exceed, in (0, 1); 0 means 0.9
	Rate     float64 // step of the logarithm of the factor, in (0, 1]; 0 means 0.1
}

// A Tracker corrects the upper bounds of any predictor, such as its 90th percentile, by quantile tracking. It suits
// bounds whose outcomes become known late and out of order. It multiplies all bounds by one factor: a bound that
// was missed makes the factor larger, and a bound that held makes it smaller.
//
//	log factor = Rate * (Coverage*misses - (1-Coverage)*hits)
//
// That is one gradient step of the quantile loss for each bound.
//
// # Guarantee
//
// Without any assumption on outcomes, order and delay, the share of missed bounds among n observed ones is
//
//	1-Coverage + log(factor) / (Rate*n)
//
// This is the formula above, solved for the misses. So the coverage is off by as much as the factor is off 1. If the
// predictor is never off by a factor of more than e^b, and outcomes are known at once, the factor stays within
// e^(b+Rate); if k bounds are open at once, they may move its logarithm by Rate*k more. A higher Rate reaches the
// coverage sooner and makes bounds swing more. The guarantee holds on average over all bounds, not for each kind of job.
//
// The alternative is an interval that is as wide as a window of past errors requires, as package predict has. It is better if
// errors are alike. If the quantity is a time until something happens, the window fills with the errors that are known
// first, which are the small ones: prefer a Tracker then.
//
// The zero Tracker is not usable; make one with [NewTracker]. Its methods take constant time and do not allocate.
//
// # Source
//
// I. Gibbs and E. Candès, "Adaptive conformal inference under distribution shift", NeurIPS 2021; A. Angelopoulos,
// E. Candès and R. Tibshirani, "Conformal PID control for time series prediction", NeurIPS 2023, section 2.1, which tracks
// the score's quantile itself. We differ: the score is the logarithm of actual value over bound, and outcomes come late.
type Tracker struct {
	c            TrackerConfig
	misses, hits int64
}

// NewTracker returns a Tracker that leaves bounds as they are.
func NewTracker(c TrackerConfig) (*Tracker, error) {
	c.Coverage, c.Rate = cmp.Or(c.Coverage, 0.9), cmp.Or(c.Rate, 0.1)
	switch {
	case !(c.Coverage > 0 && c.Coverage < 1):
		return nil, fmt.Errorf("estimate: Coverage is %v, must be in (0, 1)", c.Coverage)
	case !(c.Rate > 0 && c.Rate <= 1):
		return nil, fmt.Errorf("estimate: Rate is %v, must be in (0, 1]", c.Rate)
	}
	return &Tracker{c: c}, nil
}

// Factor returns the factor by which to multiply a bound, 0 to +Inf.
func (t *Tracker) Factor() float64 {
	return math.Exp(t.c.Rate * (float64(t.c.Coverage*float64(t.misses)) - float64((1-t.c.Coverage)*float64(t.hits))))
}

// Observe records whether the actual value exceeded a bound, as it was after the correction. Call it once for each bound,
// as soon as the outcome is known. If the quantity is a time until something happens, the bound is missed as soon as it
// has passed: do not wait for the event itself, or hits become known before misses and the bounds get too low.
func (t *Tracker) Observe(missed bool) {
	if missed {
		t.misses++
	} else {
		t.hits++
	}
}

package estimate

import (
	"cmp"
	"fmt"
	"math"
)

// A TrackerConfig describes a [Tracker].
type TrackerConfig struct {
	Coverage float64 // share of bounds that what comes true is not to exceed, in (0, 1); 0 means 0.9
	Rate     float64 // what the logarithm of the factor moves by, in (0, 1]; 0 means 0.1
}

// A Tracker corrects the upper bounds that a predictor of any kind gives, such as its 90th percentile, when it
// becomes known late, and out of order, whether they held. It multiplies all bounds by one factor: a bound that
// was missed makes the factor larger, and one that held makes it smaller.
//
//	log factor = Rate * (Coverage*misses - (1-Coverage)*hits)
//
// That is the gradient step of the quantile's loss, once for each bound.
//
// # Guarantee
//
// Whatever comes, in whatever order and however late, of n bounds that have been told of a share is missed of
//
//	1-Coverage + log(factor) / (Rate*n)
//
// This is the line above, solved for the misses. So the coverage is as far from what it should be as the factor is
// from 1. If the predictor is never off by a factor of more than e^b, and nobody learns late, the factor stays
// within e^(b+Rate); bounds that are open at once, k of them, may move it by Rate*k more. A higher Rate has the
// coverage sooner, and bounds that swing more. It is a promise for the average over all bounds, not for each kind.
//
// Compare [Conformal], whose intervals are as wide as a window of past errors says: better where errors
// are alike, while its window fills with the errors that are known soonest, which are the small ones, where the quantity
// is a time until something happens.
//
// The zero Tracker is not ready for use. Its methods take constant time and do not allocate.
//
// # Source
//
// I. Gibbs and E. Candès, "Adaptive conformal inference under distribution shift", NeurIPS 2021; A. Angelopoulos,
// E. Candès and R. Tibshirani, "Conformal PID control for time series prediction", NeurIPS 2023, section 2.1, which tracks
// the score's quantile itself. We differ: the score is the logarithm of what came true over the bound, and the
// outcomes come late.
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

// Factor returns what a bound is to be multiplied by, 0 to +Inf.
func (t *Tracker) Factor() float64 {
	return math.Exp(t.c.Rate * (float64(t.c.Coverage*float64(t.misses)) - float64((1-t.c.Coverage)*float64(t.hits))))
}

// Tell tells whether what came true exceeded a bound, as it was after the correction. Tell it once for each bound, as soon
// as it is known. Of a time until something happens a miss is known once the bound has passed, although nobody knows yet
// by how much: do not wait until it happens, or hits are known sooner than misses, and the bounds are too low.
func (t *Tracker) Tell(missed bool) {
	if missed {
		t.misses++
	} else {
		t.hits++
	}
}

package estimate

import (
	"cmp"
	"fmt"
	"iter"
	"math"
)

// An NMAE is the normalised mean absolute error of the estimates that were added with what
// came true,
//
//	sum |estimate - actual| / sum actual
//
// where 0/0 is 0, and anything else by 0 is +Inf. The zero NMAE is ready for use. It takes 16
// bytes. An estimate must have been made before its actual was seen; the first job of a kind
// has no estimate, and so counts in no score.
//
// # Source
//
// 3Sigma, section 4.1, which picks the expert of the least NMAE.
type NMAE struct {
	errors float64
	actual optional
}

// Add adds one estimate and what came true. Both must be finite and at least 0. Sums stop at
// the largest number.
func (s *NMAE) Add(estimate, actual float64) error {
	if err := checkPair(estimate, actual); err != nil {
		return err
	}
	sum, _ := s.actual.get()
	s.actual = some(min(sum+actual, math.MaxFloat64))
	s.errors = min(s.errors+math.Abs(estimate-actual), math.MaxFloat64)
	return nil
}

// Value returns the error, and false if nothing was added.
func (s *NMAE) Value() (nmae float64, ok bool) {
	actual, ok := s.actual.get()
	return ratio(s.errors, actual), ok
}

// A Within is the share of estimates that are right within a factor of two,
//
//	actual/2 <= estimate <= 2·actual
//
// both ends included: with the NMAE what predictors of runtimes are told by. The zero Within is
// ready for use.
//
// # Source
//
// 3Sigma, section 2.1: 77 to 92 % of the estimates are within a factor of two.
type Within struct{ hits, n uint64 }

// Add adds one estimate and what came true. Both must be finite and at least 0.
func (s *Within) Add(estimate, actual float64) error {
	if err := checkPair(estimate, actual); err != nil {
		return err
	}
	s.n++
	if estimate <= 2*actual && actual <= 2*estimate {
		s.hits++
	}
	return nil
}

// Value returns the share, in [0, 1], and false if nothing was added.
func (s *Within) Value() (share float64, ok bool) {
	if s.n == 0 {
		return 0, false
	}
	return float64(s.hits) / float64(s.n), true
}

func checkPair(estimate, actual float64) error {
	if err := checkValue("estimate", estimate); err != nil {
		return err
	}
	return checkValue("actual value", actual)
}

// CRPS returns the continuous ranked probability score of a predicted distribution, the
// integral of (F(x) - [x >= actual])^2 over all x, for a distribution of weighted values, such
// as the bins of a histogram. For a single value it is the absolute error; smaller is better,
// and its expectation is least for the true distribution. It is in the unit of the values.
//
// Values must be finite and come in increasing order, weights finite and at least 0 and not
// all 0. A score stops at the largest number. It takes one pass and does not allocate.
//
// # Source
//
// T. Gneiting and A. E. Raftery, "Strictly proper scoring rules, prediction, and estimation",
// Journal of the American Statistical Association 102(477), 2007, equation 21:
// E|X - y| - E|X - X'|/2.
func CRPS(bins iter.Seq2[float64, float64], actual float64) (float64, error) {
	if err := checkFinite("actual value", actual); err != nil {
		return 0, err
	}
	// All are averages, so that large weights do not overflow, and of quarters, so that distances do not.
	const quarter = 0.25
	at := actual * quarter
	var (
		weight float64 // sum of weights
		off    float64 // of |x - actual|
		below  float64 // of last - x
		spread float64 // of |x - x'|, half of it
		last   = math.Inf(-1)
	)
	for x, w := range bins {
		if err := cmp.Or(checkFinite("value", x), checkValue("weight", w)); err != nil {
			return 0, err
		}
		if x < last {
			return 0, fmt.Errorf("estimate: value %v comes after %v, must be in increasing order", x, last)
		}
		if weight > 0 {
			below += float64(x*quarter) - float64(last*quarter)
		}
		last = x
		if w == 0 {
			continue
		}
		weight += w
		part := w / weight
		rest := 1 - part
		spread = float64(float64(spread*rest)*rest) + float64(float64(part*rest)*below)
		off += float64(part * (math.Abs(float64(x*quarter)-at) - off))
		below = float64(below * rest)
	}
	if err := checkWeight(weight); err != nil {
		return 0, err
	}
	return min(max(0, off-spread)/quarter, math.MaxFloat64), nil
}

func checkWeight(sum float64) error {
	if !(sum > 0) || math.IsInf(sum, 1) {
		return fmt.Errorf("estimate: weights add up to %v, must be finite and > 0", sum)
	}
	return nil
}

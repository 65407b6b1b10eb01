package estimate

import "math"

// An NMAE is the normalised mean absolute error of estimates,
//
//	sum |estimate - actual| / sum actual
//
// where 0/0 is 0, and anything else by 0 is +Inf. The zero NMAE is ready for use. Make each
// estimate before the actual value is known. The first job of a kind has no estimate, so do not
// count it.
//
// # Source
//
// 3Sigma, section 4.1, which picks the expert of the least NMAE.
type NMAE struct {
	errors, actual float64
	n              uint64
}

// Add adds one estimate and the actual value. Both must be finite and at least 0. Sums saturate at
// the largest float64.
func (s *NMAE) Add(estimate, actual float64) error {
	if err := checkPair(estimate, actual); err != nil {
		return err
	}
	s.n++
	s.actual = min(s.actual+actual, math.MaxFloat64)
	s.errors = min(s.errors+math.Abs(estimate-actual), math.MaxFloat64)
	return nil
}

// Value returns the error, and false if nothing was added.
func (s *NMAE) Value() (nmae float64, ok bool) {
	return ratio(s.errors, s.actual), s.n > 0
}

// A Within is the share of estimates that are right within a factor of two,
//
//	actual/2 <= estimate <= 2·actual
//
// both ends included. It and the NMAE are the usual scores of runtime predictors. The zero Within
// is ready for use.
//
// # Source
//
// 3Sigma, section 2.1: 77 to 92 % of the estimates are within a factor of two.
type Within struct{ hits, n uint64 }

// Add adds one estimate and the actual value. Both must be finite and at least 0.
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

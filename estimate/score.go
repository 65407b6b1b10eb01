package estimate

import (
	"fmt"
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

// A MAPE is the mean absolute percentage error, as a fraction: the mean of
// |estimate - actual| / actual, where 0/0 is 0, and anything else by 0 is +Inf, and with it
// the mean for good. The zero MAPE is ready for use.
type MAPE struct {
	n   uint64
	sum float64
}

// Add adds one estimate and what came true. Both must be finite and at least 0.
func (s *MAPE) Add(estimate, actual float64) error {
	if err := checkPair(estimate, actual); err != nil {
		return err
	}
	s.n++
	s.sum += ratio(math.Abs(estimate-actual), actual)
	return nil
}

// Value returns the error, and false if nothing was added.
func (s *MAPE) Value() (mape float64, ok bool) {
	if s.n == 0 {
		return 0, false
	}
	return s.sum / float64(s.n), true
}

// A Within is the share of estimates that are right within a factor:
//
//	actual/factor <= estimate <= actual*factor
//
// both ends included. The zero Within has the factor 2; make others with [NewWithin].
//
// # Source
//
// 3Sigma, sections 1 and 2.1: 77 to 92 % of the estimates are within a factor of two.
type Within struct {
	factor  float64 // 0 means 2
	hits, n uint64
}

// NewWithin returns the share of estimates within a factor, which is at least 1 and finite;
// 0 means 2.
func NewWithin(factor float64) (Within, error) {
	if factor != 0 && !(factor >= 1 && !math.IsInf(factor, 1)) {
		return Within{}, fmt.Errorf("estimate: factor is %v, must be finite and ≥ 1, or 0 for 2", factor)
	}
	return Within{factor: factor}, nil
}

// Add adds one estimate and what came true. Both must be finite and at least 0.
func (s *Within) Add(estimate, actual float64) error {
	if err := checkPair(estimate, actual); err != nil {
		return err
	}
	factor := s.factor
	if factor == 0 {
		factor = 2
	}
	s.n++
	if estimate <= float64(actual*factor) && actual <= float64(estimate*factor) {
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

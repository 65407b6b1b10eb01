package estimate

import (
	"fmt"
	"math"
)

// A Moments is the mean and the variance of a set of values. The zero Moments is empty and ready
// for use. It takes 32 bytes. Values may be negative, and a large common offset does not drown a small variance.
// Every method takes O(1) time and does not allocate.
//
// A Moments may be copied. Adding values to the copy does not change the original: add values
// that change all the time, such as those of running tasks, to a copy.
//
// # Source
//
// B. P. Welford, "Note on a method for calculating corrected sums of squares and products", Technometrics 4(3), 1962.
type Moments struct {
	n       int64
	sum     float64
	mean    float64 // near sum/n
	scatter float64 // sum of the squared distances from the mean
}

// maxMoment bounds the values, so that the sum of 2^63 squares does not overflow.
const maxMoment = 1e144

// Add adds x, whose absolute value must be at most 1e144.
func (m *Moments) Add(x float64) error {
	if err := checkMoment(x); err != nil {
		return err
	}
	m.n++
	m.sum += x
	before := x - m.mean
	m.mean += before / float64(m.n)
	m.scatter += float64(before * (x - m.mean))
	return nil
}

// N returns the number of values held.
func (m *Moments) N() int64 { return m.n }

// Sum returns the sum of the values held.
func (m *Moments) Sum() float64 { return m.sum }

// Mean returns the mean, and false if no value is held.
func (m *Moments) Mean() (mean float64, ok bool) {
	if m.n == 0 {
		return 0, false
	}
	return m.sum / float64(m.n), true
}

// Variance returns the population variance, the mean of the squared distances from the mean, and
// false if no value is held.
func (m *Moments) Variance() (variance float64, ok bool) {
	if m.n == 0 {
		return 0, false
	}
	return m.scatter / float64(m.n), true
}

// SampleVariance returns the unbiased estimate of the variance of the distribution from which the
// values were drawn, with n-1 for n, and false if fewer than two values are held.
func (m *Moments) SampleVariance() (variance float64, ok bool) {
	if m.n < 2 {
		return 0, false
	}
	return m.scatter / float64(m.n-1), true
}

// CoV returns the coefficient of variation: the population standard deviation divided by the
// absolute value of the mean, where 0/0 is 0 and anything else by 0 is +Inf. It returns false if
// no value is held.
func (m *Moments) CoV() (cov float64, ok bool) {
	variance, ok := m.Variance()
	mean, _ := m.Mean()
	return ratio(math.Sqrt(variance), math.Abs(mean)), ok
}

func checkMoment(x float64) error {
	if !(math.Abs(x) <= maxMoment) {
		return fmt.Errorf("estimate: value is %v, must be within ±%v", x, maxMoment)
	}
	return nil
}

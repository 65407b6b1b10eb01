package estimate

import (
	"fmt"
	"math"
)

// A Moments is the mean and the variance of a set of values. The zero Moments is empty and ready
// for use. It takes 40 bytes. Values may be negative.
//
// A Moments may be copied. Adding values to the copy does not change the original: add values
// that change all the time, such as those of running tasks, to a copy.
//
// It holds the sum and the sum of squares to twice the precision of a float64. So a large common
// offset does not drown a small variance: after k values the error of the variance is at most about
// k * 2^-100 times the largest square held. The sums of whole numbers below 2^53 are exact as long as
// the sum of the squares held is below 2^104, so the order in which they come does not matter. Every
// method takes O(1) time and does not allocate.
//
// # Source
//
// T. J. Dekker, "A floating-point technique for extending the available precision", Numerische
// Mathematik 18, 1971. M. Joldes, J.-M. Muller and V. Popescu, "Tight and rigorous error bounds
// for basic building blocks of double-word arithmetic", ACM Transactions on Mathematical Software
// 44(2), 2017: a sum (Algorithm 6) is off by at most about 3 * 2^-106 of itself, which for whole
// numbers below 2^104 is less than 1, and so it is not off.
type Moments struct {
	n            int64
	sum, squares double
}

// maxMoment bounds the values, so that the sum of 2^63 squares does not overflow.
const maxMoment = 1e144

// Add adds x, whose absolute value must be at most 1e144.
func (m *Moments) Add(x float64) error {
	if err := checkMoment(x); err != nil {
		return err
	}
	m.n++
	m.sum = m.sum.add(double{hi: x})
	m.squares = m.squares.add(product(x, x))
	return nil
}

// N returns the number of values held.
func (m *Moments) N() int64 { return m.n }

// Sum returns the sum of the values held.
func (m *Moments) Sum() float64 { return m.sum.hi }

// Mean returns the mean, and false if no value is held.
func (m *Moments) Mean() (mean float64, ok bool) {
	if m.n == 0 {
		return 0, false
	}
	return m.sum.hi / float64(m.n), true
}

// Variance returns the population variance, the mean of the squared distances from the mean, and
// false if no value is held.
func (m *Moments) Variance() (variance float64, ok bool) {
	if m.n == 0 {
		return 0, false
	}
	return m.scatter() / float64(m.n), true
}

// SampleVariance returns the unbiased estimate of the variance of the distribution from which the
// values were drawn, with n-1 for n, and false if fewer than two values are held.
func (m *Moments) SampleVariance() (variance float64, ok bool) {
	if m.n < 2 {
		return 0, false
	}
	return m.scatter() / float64(m.n-1), true
}

// CoV returns the coefficient of variation: the population standard deviation divided by the
// absolute value of the mean, where 0/0 is 0 and anything else by 0 is +Inf. It returns false if
// no value is held.
func (m *Moments) CoV() (cov float64, ok bool) {
	variance, ok := m.Variance()
	mean, _ := m.Mean()
	return ratio(math.Sqrt(variance), math.Abs(mean)), ok
}

// scatter returns the sum of the squared distances from the mean: squares - sum*sum/n.
func (m *Moments) scatter() float64 {
	n := float64(m.n)
	mean := m.sum.hi / n
	// What is left after that division is the mean's low part.
	rest := m.sum.add(product(-mean, n))
	low := rest.hi / n
	// With mean + low for sum/n, sum*sum/n is n*(mean*mean + 2*mean*low + low*low).
	s := m.squares.add(product(mean, mean).times(-n))
	s = s.add(product(mean, low).times(-2 * n))
	return max(0, s.hi-float64(n*low*low))
}

func checkMoment(x float64) error {
	if !(math.Abs(x) <= maxMoment) {
		return fmt.Errorf("estimate: value is %v, must be within ±%v", x, maxMoment)
	}
	return nil
}

// A double is the exact sum of two numbers, the second at most half a unit in the last place
// of the first.
type double struct{ hi, lo float64 }

// add returns d + e, rounded to about 104 bits.
func (d double) add(e double) double {
	hi := d.hi + e.hi
	v := hi - d.hi
	lo := (d.hi - (hi - v)) + (e.hi - v) // exactly what hi has lost
	low := d.lo + e.lo
	v = low - d.lo
	rest := (d.lo - (low - v)) + (e.lo - v)
	hi, lo = quickSum(hi, lo+low)
	hi, lo = quickSum(hi, lo+rest)
	return double{hi, lo}
}

// times returns d * f, rounded to about 104 bits.
func (d double) times(f float64) double {
	p := product(d.hi, f)
	p.hi, p.lo = quickSum(p.hi, p.lo+float64(d.lo*f))
	return p
}

// product returns a * b exactly, unless the low part is below the smallest number.
func product(a, b float64) double {
	p := float64(a * b) // not fused with a sum that it becomes a part of
	return double{p, math.FMA(a, b, -p)}
}

// quickSum returns a + b exactly in two parts, if |a| >= |b| or a is 0.
func quickSum(a, b float64) (hi, lo float64) {
	hi = a + b
	return hi, b - (hi - a)
}

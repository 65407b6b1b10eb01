package histogram

import "math"

// moments are count, range, mean and variance of the values, which do not depend on the bins.
//
// They are kept as sums of the distances from an origin, and of their squares. The origin is
// the mean, up to rounding, at the time when the count last passed a power of two. Since then
// the count has at most doubled, so the subtraction in variance loses at most one bit: with
// weights a ≥ b before and since, and their means d apart, the mean has moved by db/(a+b),
// and the variance is at least d²ab/(a+b)².
type moments struct {
	count    float64 // sum of all weights
	origin   float64
	sum      float64 // of weight times distance
	squares  float64 // of weight times squared distance; +Inf if that is too large, and then sum is 0
	min, max float64
}

// addValue adds n times the value x.
func (m *moments) addValue(x, n float64) {
	const exponent = 52
	count, d := m.count+n, x-m.origin
	nd := n * d
	squares := m.squares + nd*d
	doubled := (math.Float64bits(count)^math.Float64bits(m.count))>>exponent != 0
	if doubled || !(x >= m.min && x <= m.max && squares <= math.MaxFloat64) {
		m.add(moments{count: n, origin: x, min: x, max: x})
		return
	}
	m.count = count
	m.sum += nd
	m.squares = squares
}

func (m *moments) add(o moments) {
	if m.count == 0 {
		*m = o
		return
	}
	a, b := *m, o
	if b.count > a.count { // the heavier one's origin is the better one
		a, b = b, a
	}
	m.count = a.count + b.count
	m.min, m.max = min(a.min, b.min), max(a.max, b.max)
	m.origin = a.origin
	d := b.origin - a.origin
	m.sum = a.sum + b.sum + b.count*d
	m.squares = a.squares + b.squares + d*(2*b.sum+b.count*d)
	m.centre()
	if m.squares-m.squares != 0 || m.sum-m.sum != 0 {
		mean := a.mean()*(a.count/m.count) + b.mean()*(b.count/m.count)
		m.origin, m.sum, m.squares = min(max(mean, m.min), m.max), 0, math.Inf(1)
	}
}

// centre moves the origin to the mean.
func (m *moments) centre() {
	to := m.mean()
	d := to - m.origin
	m.squares -= d * (2*m.sum - m.count*d)
	m.sum -= m.count * d
	m.origin = to
	if m.squares < 0 {
		m.squares = 0
	}
}

// scale multiplies the count by a factor.
func (m *moments) scale(factor float64) {
	m.centre()
	m.count *= factor
	m.sum = m.sum*factor + 0 // not -0
	m.squares *= factor
	if m.squares > math.MaxFloat64 {
		m.sum = 0
	}
}

func (m *moments) mean() float64 { return min(max(m.origin+m.sum/m.count, m.min), m.max) }

func (m *moments) variance() float64 {
	if v := (m.squares - m.sum*(m.sum/m.count)) / m.count; v >= 0 {
		return v
	}
	return 0 // by rounding
}

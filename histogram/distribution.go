package histogram

import "math"

// CDF returns the share of the distribution that is at most x: 0 below Min, 1 from Max on,
// and never decreasing. It takes O(Bins) time and does not allocate.
func (h *Histogram) CDF(x float64) float64 {
	if h.count == 0 || math.IsNaN(x) {
		return math.NaN()
	}
	return h.below(x) / h.count
}

// Survival returns the share of the distribution that is above x, which is 1 - CDF(x).
func (h *Histogram) Survival(x float64) float64 {
	if h.count == 0 || math.IsNaN(x) {
		return math.NaN()
	}
	return (h.count - h.below(x)) / h.count
}

// Density returns the derivative of CDF at x, from the right. Bins of one single value are steps
// of CDF, and have no part in it: the density of a histogram that has not joined any bins is
// 0 everywhere.
func (h *Histogram) Density(x float64) float64 {
	if h.count == 0 || math.IsNaN(x) {
		return math.NaN()
	}
	if x < h.min || x >= h.max {
		return 0
	}
	s, _ := h.find(x)
	width := s.c1 - s.c0
	if !(width > 0) {
		return 0
	}
	t := s.share(x)
	return (float64(s.n0*(1-t)) + float64(s.n1*t)) / width / h.count
}

// Quantile returns the least value x with CDF(x) ≥ p: Min for p = 0, Max for p = 1. It is NaN
// if p is not in [0, 1]. It takes O(Bins) time and does not allocate.
func (h *Histogram) Quantile(p float64) float64 {
	if h.count == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	switch p {
	case 0:
		return h.min
	case 1:
		return h.max
	}
	return h.at(target(p, h.count))
}

// target returns the least mass that is the share p of count, as shares are computed.
func target(p, count float64) float64 {
	m := p * count
	for m/count < p {
		m = math.Nextafter(m, math.Inf(1))
	}
	for below := math.Nextafter(m, 0); m > 0 && below/count >= p; below = math.Nextafter(m, 0) {
		m = below
	}
	return m
}

// SurvivalIntegral returns the integral of Survival from a to b, in closed form. It is
// negative if b < a. From a = 0 to the maximum it is the mean of a distribution without
// negative values as the bins have it; Mean is exact. It takes O(Bins) time and does not
// allocate.
func (h *Histogram) SurvivalIntegral(a, b float64) float64 {
	if h.count == 0 || math.IsNaN(a) || math.IsNaN(b) {
		return math.NaN()
	}
	if b < a {
		return -h.SurvivalIntegral(b, a)
	}
	return h.aboveIntegral(a, b) / h.count
}

// aboveIntegral returns the integral of the mass above x, for x from a to b, a ≤ b.
func (h *Histogram) aboveIntegral(a, b float64) float64 {
	sum := 0.0
	if a < h.min {
		sum = h.count * (min(b, h.min) - a)
		a = h.min
	}
	b = min(b, h.max)
	if !(a < b) {
		return sum
	}
	for s := range h.segments {
		lo, hi := max(a, s.c0), min(b, s.c1)
		if lo < hi {
			sum += s.aboveIntegral(h.count, lo, hi)
		}
		if s.c1 >= b {
			break
		}
	}
	return sum
}

// below returns the mass at or below x, which is not NaN.
func (h *Histogram) below(x float64) float64 {
	if x < h.min {
		return 0
	}
	if x >= h.max {
		return h.count
	}
	s, next := h.find(x)
	return min(s.mass+s.part(s.share(x)), next, h.count)
}

// at returns the least value with the mass m at or below it.
func (h *Histogram) at(m float64) float64 {
	x := h.min
	for s := range h.segments {
		if s.mass >= m { // at the step at its beginning
			return s.c0
		}
		if inside := float64(0.5 * (s.n0 + s.n1)); s.mass+inside >= m {
			return s.value(m - s.mass)
		}
		x = s.c1
	}
	return x
}

// A segment is the range from one centre, or the minimum, to the next, or the maximum. Its
// density goes linearly from n0 to n1, in units of its width: so (n0+n1)/2 is the mass
// inside.
type segment struct {
	c0, c1 float64 // c0 ≤ c1
	n0, n1 float64
	mass   float64 // at or below c0
}

// segments yields all segments from left to right.
func (h *Histogram) segments(yield func(segment) bool) {
	centres, counts := h.arrays()
	s := segment{c0: h.min}
	sum := 0.0 // counts up to c0
	for i, c := range centres {
		s.c1, s.n1 = c, max(0, -counts[i])
		if !yield(s) {
			return
		}
		sum += math.Abs(counts[i])
		s = segment{c0: c, n0: s.n1, mass: sum - float64(0.5*s.n1)}
	}
	s.c1 = h.max
	yield(s)
}

// find returns the segment with c0 ≤ x < c1, and the mass before the next, where min ≤ x < max.
func (h *Histogram) find(x float64) (s segment, next float64) {
	next = h.count
	found := false
	for t := range h.segments {
		if found {
			next = t.mass
			break
		}
		if s = t; x < s.c1 {
			found = true
		}
	}
	return s, next
}

// share returns how far x is on the way through s, from 0 to 1.
func (s *segment) share(x float64) float64 {
	t := (x - s.c0) / (s.c1 - s.c0)
	if s.c1-s.c0 > math.MaxFloat64 {
		t = (x/2 - s.c0/2) / (s.c1/2 - s.c0/2)
	}
	return min(max(t, 0), 1)
}

// part returns the mass inside s up to the share t of its way. It never decreases with t,
// also as rounded: each operation of either form is monotone.
func (s *segment) part(t float64) float64 {
	if s.n1 >= s.n0 {
		return t * (s.n0 + float64(0.5*(s.n1-s.n0)*t))
	}
	u := 1 - t
	return max(0, 0.5*(s.n0+s.n1)-float64(u*(s.n1+float64(0.5*(s.n0-s.n1)*u))))
}

// value returns the least value with the mass m of s up to it, 0 < m ≤ (n0+n1)/2.
func (s *segment) value(m float64) float64 {
	// n0 t + (n1-n0) t²/2 = m, the root in a form without cancellation
	root := math.Sqrt(max(0, float64(s.n0*s.n0)+float64(2*(s.n1-s.n0)*m)))
	t := min(2*m/(s.n0+root), 1)
	x := s.c0 + float64(t*(s.c1-s.c0))
	if s.c1-s.c0 > math.MaxFloat64 {
		x = float64(s.c0*(1-t)) + float64(s.c1*t)
	}
	return min(max(x, s.c0), s.c1)
}

// aboveIntegral returns the integral of count less the mass at or below x, for x from lo to hi within s.
func (s *segment) aboveIntegral(count, lo, hi float64) float64 {
	t, u := s.share(lo), s.share(hi)
	d := u - t
	// the mean of mass + n0 t + (n1-n0) t²/2 over t..u
	mean := s.mass + float64(s.n0*0.5*(t+u)) + float64((s.n1-s.n0)*(float64(t*t)+float64(t*u)+float64(u*u))/6)
	if d <= 0 {
		mean = s.mass + s.part(t)
	}
	return max(0, count-mean) * (hi - lo)
}

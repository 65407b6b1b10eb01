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

// Quantile returns the least value x with CDF(x) ≥ p: Min for p = 0, Max for p = 1. It is exact
// at bins of a single value, and correct up to rounding between joined bins. It is NaN if p is
// not in [0, 1]. It takes O(Bins) time and does not allocate.
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

// target returns the least mass m with m/count ≥ p as floating point computes it, for p and
// count > 0. It is a few roundings from p·count. If p is so small that m/count has few digits, any
// m with that quotient will do.
func target(p, count float64) float64 {
	const steps = 4
	m := p * count
	for i := 0; i < steps && m/count < p; i++ {
		m = math.Float64frombits(math.Float64bits(m) + 1)
	}
	for i := 0; i < steps && m > 0; i++ {
		less := math.Float64frombits(math.Float64bits(m) - 1)
		if less/count < p {
			break
		}
		m = less
	}
	return m
}

// SurvivalIntegral returns the integral of Survival from a to b, in closed form. It is negative
// if b < a. If no value is negative, the integral from 0 to Max is the mean according to the
// bins; Mean itself is exact. SurvivalIntegral takes O(Bins) time and does not allocate.
func (h *Histogram) SurvivalIntegral(a, b float64) float64 {
	if h.count == 0 || math.IsNaN(a) || math.IsNaN(b) {
		return math.NaN()
	}
	if b < a {
		return -h.SurvivalIntegral(b, a)
	}
	sum := 0.0
	if a < h.min {
		sum = min(b, h.min) - a
		a = h.min
	}
	b = min(b, h.max)
	if !(a < b) {
		return sum
	}
	for s, i := h.find(a); ; i++ {
		sum += s.survivalIntegral(h.count, max(a, s.c0), min(b, s.c1))
		if s.c1 >= b || i == len(h.bins) {
			return sum
		}
		s = h.segment(i+1, s.before+h.bins[i].n())
	}
}

// below returns the mass at or below x, which is not NaN.
func (h *Histogram) below(x float64) float64 {
	if x < h.min {
		return 0
	}
	if x >= h.max {
		return h.count
	}
	s, _ := h.find(x)
	return min(s.mass+s.part(s.share(x)), s.top, h.count)
}

// at returns the least value with the mass m at or below it, m > 0.
func (h *Histogram) at(m float64) float64 {
	before := 0.0
	for i, b := range h.bins {
		next := before + b.n()
		if next < m {
			before = next
			continue
		}
		s := h.segment(i, before)
		if m > s.mass+0.5*(s.n0+s.n1) {
			if s.n1 == 0 {
				return s.c1
			}
			s = h.segment(i+1, next)
		}
		return s.value(m - s.mass)
	}
	return h.max
}

// A segment is the range from one centre, or the minimum, to the next centre, or the maximum.
// Its density is linear from n0 to n1, in units of its width, so the mass inside is (n0+n1)/2.
type segment struct {
	c0, c1 float64 // c0 ≤ c1
	n0, n1 float64
	mass   float64 // at or below c0
	top    float64 // at or below c1
	before float64 // sum of the counts of the bins up to c0
}

// segment returns the segment that ends at centre i, given the sum of the counts of the bins
// before i. If i is the number of bins, it returns the segment after the last centre.
func (h *Histogram) segment(i int, before float64) segment {
	s := segment{c0: h.min, c1: h.max, before: before, top: before}
	if i < len(h.bins) {
		s.c1 = h.bins[i].centre
		var right float64
		s.n1, right = h.sides(i)
		s.top = before + h.bins[i].n() - 0.5*right
	}
	if i > 0 {
		s.c0 = h.bins[i-1].centre
		_, s.n0 = h.sides(i - 1)
		s.mass = before - 0.5*s.n0
	}
	return s
}

// sides returns twice the mass of bin i on the left and on the right of its centre. Of a joined bin that is half on
// either side, unless the bin is next to the minimum, or to the maximum, or below a bin that has faded to less than a
// thousandth of it. These may be far away and tell nothing of what is between, so that side has at most what keeps the
// mean of the bin at its centre.
func (h *Histogram) sides(i int) (left, right float64) {
	b := h.bins[i]
	if !b.joined() {
		return 0, 0
	}
	n, around := b.n(), segment{c0: h.min, c1: h.max}
	if i < len(h.bins)-1 {
		around.c1, around.n1 = h.bins[i+1].centre, h.bins[i+1].n()
	}
	faded := around.n1 < n/1024
	if i > 0 {
		if !faded {
			return n, n
		}
		around.c0 = h.bins[i-1].centre
	}
	if !(around.c0 < around.c1) || h.count > math.MaxFloat64/2 { // 2n may be too large
		return n, n
	}
	share := around.share(b.centre)
	switch {
	case i > 0: // not more than half, so that the sums never decrease
		share = min(share, 0.5)
	case !faded:
		share = max(share, 0.5)
	}
	right = 2 * n * share
	return 2*n - right, right
}

// find returns the segment with c0 ≤ x < c1 and its index, where min ≤ x < max.
func (h *Histogram) find(x float64) (s segment, i int) {
	i, found := h.search(x)
	if found {
		i++
	}
	before := 0.0
	for _, b := range h.bins[:i] {
		before += b.n()
	}
	return h.segment(i, before), i
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
		return t * (s.n0 + 0.5*(s.n1-s.n0)*t)
	}
	u := 1 - t
	return max(0, 0.5*(s.n0+s.n1)-u*(s.n1+0.5*(s.n0-s.n1)*u))
}

// value returns the least value of s up to which s has the mass m. Up to rounding, m is from 0 to
// (n0+n1)/2.
func (s *segment) value(m float64) float64 {
	if w := s.n0 + s.n1; w > 0x1p500 || w < 0x1p-500 { // whose square is too large or too small
		return (&segment{c0: s.c0, c1: s.c1, n0: s.n0 / w, n1: s.n1 / w}).value(m / w)
	}
	// n0 t + (n1-n0) t²/2 = m, the root in a form without cancellation
	d := s.n0*s.n0 + 2*(s.n1-s.n0)*m
	if d < 0 { // by rounding
		d = 0
	}
	t := 2 * m / (s.n0 + math.Sqrt(d))
	switch {
	case t >= 1:
		return s.c1
	case !(t > 0): // also 0/0
		return s.c0
	}
	x := s.c0 + t*(s.c1-s.c0)
	if x-x != 0 { // too wide for the width to be a number
		x = s.c0*(1-t) + s.c1*t
	}
	return min(x, s.c1)
}

// survivalIntegral returns the integral of the share of count that is above x, for x from lo to hi
// within s. It divides first: a mass times a distance may be too large.
func (s *segment) survivalIntegral(count, lo, hi float64) float64 {
	t, u := 0.0, 1.0 // of nearly all segments, which saves two divisions
	if lo > s.c0 {
		t = s.share(lo)
	}
	if hi < s.c1 {
		u = s.share(hi)
	}
	// the mean of mass + n0 t + (n1-n0) t²/2 over t..u
	mean := s.mass + s.n0*0.5*(t+u) + (s.n1-s.n0)*(t*t+t*u+u*u)/6
	if u <= t {
		mean = s.mass + s.part(t)
	}
	share := max(0, count-mean) / count
	if hi-lo > math.MaxFloat64 {
		return share*hi - share*lo
	}
	return share * (hi - lo)
}

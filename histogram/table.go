package histogram

import "math"

// A Table answers the queries of a histogram faster. [Table.Fill] computes the sums over the bins
// once, which pays from the second call of SurvivalIntegral on. The zero Table, and the table of an empty
// histogram, answers NaN. A table takes 64 bytes per bin and may be filled again.
//
// A table refers to its histogram and is valid until the histogram changes.
type Table struct {
	h        *Histogram
	segments []segment // the first ends at the first centre, the last at the maximum
	// above has, for each segment, the integral of Survival from the minimum to where it begins.
	above []float64
}

// Fill makes t the table of h. It takes as long as one call of h.SurvivalIntegral over all bins. It allocates only if t has
// never had as many bins before. If h is nil or empty, so is the table.
func (t *Table) Fill(h *Histogram) {
	t.h, t.segments, t.above = h, t.segments[:0], t.above[:0]
	if h == nil || h.count == 0 {
		return
	}
	before, integral := 0.0, 0.0
	for i := range len(h.bins) + 1 {
		s := h.segment(i, before)
		t.segments = append(t.segments, s)
		t.above = append(t.above, integral)
		integral += s.survivalIntegral(h.count, s.c0, s.c1)
		if i < len(h.bins) {
			before += h.bins[i].n()
		}
	}
}

// CDF returns what [Histogram.CDF] does, to the last bit, in O(log Bins) time.
func (t *Table) CDF(x float64) float64 {
	if len(t.segments) == 0 || math.IsNaN(x) {
		return math.NaN()
	}
	return t.below(x) / t.h.count
}

// Survival returns what [Histogram.Survival] does, to the last bit, in O(log Bins) time.
func (t *Table) Survival(x float64) float64 {
	if len(t.segments) == 0 || math.IsNaN(x) {
		return math.NaN()
	}
	return (t.h.count - t.below(x)) / t.h.count
}

// Quantile returns what [Histogram.Quantile] does, in the same time.
func (t *Table) Quantile(p float64) float64 {
	if len(t.segments) == 0 {
		return math.NaN()
	}
	return t.h.Quantile(p)
}

// Mean returns what [Histogram.Mean] does.
func (t *Table) Mean() float64 {
	if len(t.segments) == 0 {
		return math.NaN()
	}
	return t.h.Mean()
}

// SurvivalIntegral returns what [Histogram.SurvivalIntegral] does, in O(log Bins) time. Since it is
// the difference of two integrals, its error is a few roundings of the mean distance from the
// minimum, even if a and b are close to each other.
func (t *Table) SurvivalIntegral(a, b float64) float64 {
	switch {
	case len(t.segments) == 0 || math.IsNaN(a) || math.IsNaN(b):
		return math.NaN()
	case b < a:
		return -t.SurvivalIntegral(b, a)
	}
	h, sum := t.h, 0.0
	if a < h.min {
		sum = min(b, h.min) - a
		a = h.min
	}
	b = min(b, h.max)
	if !(a < b) {
		return sum
	}
	i, j := t.find(a), t.find(b)
	first, last := &t.segments[i], &t.segments[j]
	if i == j {
		return sum + first.survivalIntegral(h.count, a, b)
	}
	between := t.above[j] - t.above[i+1]
	if between-between != 0 { // the sums were too large
		between = 0
		for k := i + 1; k < j; k++ {
			s := &t.segments[k]
			between += s.survivalIntegral(h.count, s.c0, s.c1)
		}
	}
	sum += first.survivalIntegral(h.count, a, first.c1)
	sum += between
	return sum + last.survivalIntegral(h.count, last.c0, b)
}

// below is [Histogram.below] by the table.
func (t *Table) below(x float64) float64 {
	h := t.h
	if x < h.min {
		return 0
	}
	if x >= h.max {
		return h.count
	}
	s := &t.segments[t.find(x)]
	return min(s.mass+s.part(s.share(x)), s.top, h.count)
}

// find returns the index of the segment with c0 ≤ x < c1, or of the last for the maximum, where min ≤ x ≤ max.
func (t *Table) find(x float64) int {
	i, found := t.h.search(x)
	if found {
		i++
	}
	return i
}

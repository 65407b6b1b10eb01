package histogram

import (
	"math"
	"slices"
)

// search returns the index of the first bin with a centre of at least x, and whether that is x.
func (h *Histogram) search(x float64) (int, bool) {
	low, high := 0, len(h.bins)
	for low < high {
		if middle := (low + high) / 2; h.bins[middle].centre < x {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(h.bins) && h.bins[low].centre == x
}

// absorb joins b with a neighbour if the histogram is full and that pair is known to be the cheapest, which it is for most
// values, and reports whether it did. To know it, h.least is kept. Joining a pair moves the centre away from the bins
// beside it and adds to the count, so it makes no other pair cheaper; but where b takes a centre towards the neighbour on
// its other side, that pair's new cost may lower the bound.
func (h *Histogram) absorb(b bin) bool {
	i, found := h.search(b.centre)
	if found || i == 0 || i == len(h.bins) || len(h.bins) < h.Config().Bins {
		return false
	}
	before, after := &h.bins[i-1], &h.bins[i]
	left, right := cost(*before, b), cost(b, *after)
	switch {
	case min(left, right) >= h.least:
		return false
	case left <= right:
		*before = join(*before, b)
	default:
		*after = join(b, *after)
	}
	h.least = min(h.least, cost(*before, *after))
	return true
}

// put puts a bin in, or adds it to one with the same centre. There may then be a bin too many.
func (h *Histogram) put(b bin) {
	i, found := h.search(b.centre)
	if !found {
		if n := len(h.bins); n == cap(h.bins) { // by a quarter, at most to the limit and the one bin too many
			h.bins = append(make([]bin, 0, max(n+1, min(h.Config().Bins+1, n+max(3, n/4)))), h.bins...)
		}
		h.bins = slices.Insert(h.bins, i, b)
		return
	}
	n := h.bins[i].n() + b.n()
	if b.joined() || h.bins[i].joined() {
		n = -n
	}
	h.bins[i].count = n
}

// reduce joins the cheapest neighbours until few enough bins are left.
func (h *Histogram) reduce() {
	for limit := h.Config().Bins; len(h.bins) > limit; {
		at, least := 0, math.Inf(1)
		for i := range len(h.bins) - 1 {
			if cost := cost(h.bins[i], h.bins[i+1]); cost < least {
				at, least = i, cost
			}
		}
		h.least = least
		h.bins[at] = join(h.bins[at], h.bins[at+1])
		h.bins = slices.Delete(h.bins, at+1, at+2)
	}
}

// cost returns the cost of joining two neighbours: the distance of the logarithms of their centres times their joint
// count. The bits of a floating-point number, read as an integer, stand in for its logarithm: they grow by 2^52 per
// octave, linearly within it. Negative values mirror the positive ones, and 0 is far from all but denormal numbers. Costs
// that overflow, with weights above 1e289, tie.
func cost(a, b bin) float64 { return logGap(a.centre, b.centre) * (a.n() + b.n()) }

// logGap returns the number of floating-point numbers from c0 to c1, where -0 and 0 are one. An
// octave has 2^52 of them, so this is nearly the distance of the logarithms.
func logGap(c0, c1 float64) float64 {
	if b := int64(math.Float64bits(c0)); b >= 0 {
		return float64(int64(math.Float64bits(c1)) - b)
	}
	return logGapBelow0(c0, c1)
}

// logGapBelow0 is logGap for c0 < 0.
func logGapBelow0(c0, c1 float64) float64 {
	if c1 < 0 {
		return float64(int64(math.Float64bits(c0) - math.Float64bits(c1)))
	}
	return float64(math.Float64bits(-c0) + math.Float64bits(c1))
}

// join returns the bin that two bins become, with their weighted mean as its centre.
func join(a, b bin) bin { return bin{centre(a.centre, a.n(), b.centre, b.n()), -(a.n() + b.n())} }

// centre returns the weighted mean of two centres. It keeps the mean between
// them even if rounding or overflow would put it outside.
func centre(c0, n0, c1, n1 float64) float64 {
	n := n0 + n1
	c := (c0*n0+c1*n1)/n + 0 // not -0
	if (c < c0) == (c < c1) {
		return between(c, c0, n0/n, c1, n1/n)
	}
	return c
}

// between clamps a mean c to the range from c0 to c1, and recomputes it if a product overflowed.
func between(c, c0, share0, c1, share1 float64) float64 {
	if c-c != 0 {
		c = c0*share0 + c1*share1
	}
	return min(max(c, min(c0, c1)), max(c0, c1)) + 0
}

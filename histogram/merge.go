package histogram

import (
	"math"
	"slices"
)

// mergeBins adds the bins of o to h and joins the cheapest pairs until few enough bins are left.
func (h *Histogram) mergeBins(o *Histogram) {
	if len(h.bins) == 0 && len(o.bins) <= int(h.limit) {
		h.setBins(o.arrays())
		return
	}
	var space [2][256]float64 // on the stack
	centres, counts := unite(space[0][:0], space[1][:0], h, o)
	h.setBins(h.join.reduce(centres, counts, int(h.limit)))
}

// unite appends the bins of a and b to centres and counts, in order. Two bins with the same
// centre become one.
func unite(centres, counts []float64, a, b *Histogram) ([]float64, []float64) {
	ac, an := a.arrays()
	bc, bn := b.arrays()
	for len(ac) > 0 && len(bc) > 0 {
		c, n := ac[0], an[0]
		switch {
		case c < bc[0]:
			ac, an = ac[1:], an[1:]
		case c > bc[0]:
			c, n = bc[0], bn[0]
			bc, bn = bc[1:], bn[1:]
		default:
			n = math.Abs(n) + math.Abs(bn[0])
			if an[0] < 0 || bn[0] < 0 {
				n = -n
			}
			ac, an, bc, bn = ac[1:], an[1:], bc[1:], bn[1:]
		}
		centres, counts = append(centres, c), append(counts, n)
	}
	return append(append(centres, ac...), bc...), append(append(counts, an...), bn...)
}

// reduce joins the cheapest neighbours until limit bins are left.
func (j Join) reduce(centres, counts []float64, limit int) ([]float64, []float64) {
	if len(centres) <= limit {
		return centres, counts
	}
	var space [256]float64
	costs := space[:0] // of joining each with the next
	cost := func(i int) float64 {
		return j.cost(centres[i], centres[i+1], math.Abs(counts[i])+math.Abs(counts[i+1]))
	}
	for i := range len(centres) - 1 {
		costs = append(costs, cost(i))
	}
	for len(centres) > limit {
		at, least := 0, costs[0]
		for i, c := range costs {
			if c < least {
				at, least = i, c
			}
		}
		n0, n1 := math.Abs(counts[at]), math.Abs(counts[at+1])
		centres[at], counts[at] = centre(centres[at], n0, centres[at+1], n1), -(n0 + n1)
		centres, counts, costs = slices.Delete(centres, at+1, at+2), slices.Delete(counts, at+1, at+2), slices.Delete(costs, at, at+1)
		if at > 0 {
			costs[at-1] = cost(at - 1)
		}
		if at < len(costs) {
			costs[at] = cost(at)
		}
	}
	return centres, counts
}

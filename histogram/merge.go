package histogram

import (
	"math"
	"slices"
)

// mergeBins puts all bins of o among those of h.
func (h *Histogram) mergeBins(o *Histogram) {
	var centres, counts []float64
	hc, hn := h.arrays()
	oc, on := o.arrays()
	for len(hc) > 0 || len(oc) > 0 {
		switch {
		case len(oc) == 0 || len(hc) > 0 && hc[0] < oc[0]:
			centres, counts = append(centres, hc[0]), append(counts, hn[0])
			hc, hn = hc[1:], hn[1:]
		case len(hc) == 0 || oc[0] < hc[0]:
			centres, counts = append(centres, oc[0]), append(counts, on[0])
			oc, on = oc[1:], on[1:]
		default:
			n := math.Abs(hn[0]) + math.Abs(on[0])
			if hn[0] < 0 || on[0] < 0 {
				n = -n
			}
			centres, counts = append(centres, hc[0]), append(counts, n)
			hc, hn = hc[1:], hn[1:]
			oc, on = oc[1:], on[1:]
		}
	}
	for len(centres) > int(h.limit) {
		least, at := 0.0, -1
		for i := range len(centres) - 1 {
			cost := h.join.cost(centres[i], centres[i+1], math.Abs(counts[i])+math.Abs(counts[i+1]))
			if at < 0 || cost < least {
				least, at = cost, i
			}
		}
		n0, n1 := math.Abs(counts[at]), math.Abs(counts[at+1])
		centres[at] = centre(centres[at], n0, centres[at+1], n1)
		counts[at] = -(n0 + n1)
		centres = slices.Delete(centres, at+1, at+2)
		counts = slices.Delete(counts, at+1, at+2)
	}
	h.setBins(centres, counts)
}

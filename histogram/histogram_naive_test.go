package histogram

import (
	"math"
	"slices"
)

// A naive histogram keeps bins as the paper says: put in, and join the closest until few enough are
// left. It is what Histogram must equal to the last bit. Counts of joined bins are negative.
type naive struct {
	bins            int
	join            Join
	centres, counts []float64
}

func (h *naive) add(x, n float64) {
	x += 0 // -0 is 0
	i, found := slices.BinarySearch(h.centres, x)
	if found {
		h.counts[i] += math.Copysign(n, h.counts[i])
		return
	}
	h.centres = slices.Insert(h.centres, i, x)
	h.counts = slices.Insert(h.counts, i, n)
	h.reduce()
}

func (h *naive) merge(o *naive) {
	centres, counts := slices.Clone(o.centres), slices.Clone(o.counts) // o may be h
	for j, c := range centres {
		i, found := slices.BinarySearch(h.centres, c)
		if !found {
			h.centres = slices.Insert(h.centres, i, c)
			h.counts = slices.Insert(h.counts, i, counts[j])
			continue
		}
		n := math.Abs(h.counts[i]) + math.Abs(counts[j])
		if h.counts[i] < 0 || counts[j] < 0 {
			n = -n
		}
		h.counts[i] = n
	}
	h.reduce()
}

func (h *naive) scale(factor float64) {
	for i := range h.counts {
		h.counts[i] *= factor
	}
	for i := len(h.counts) - 1; i >= 0; i-- {
		if h.counts[i] == 0 {
			h.centres = slices.Delete(h.centres, i, i+1)
			h.counts = slices.Delete(h.counts, i, i+1)
		}
	}
}

func (h *naive) reduce() {
	for len(h.centres) > h.bins {
		least, at := 0.0, -1
		for i := range len(h.centres) - 1 {
			cost := h.join.cost(h.centres[i], h.centres[i+1], math.Abs(h.counts[i])+math.Abs(h.counts[i+1]))
			if at < 0 || cost < least {
				least, at = cost, i
			}
		}
		n0, n1 := math.Abs(h.counts[at]), math.Abs(h.counts[at+1])
		h.centres[at] = centre(h.centres[at], n0, h.centres[at+1], n1)
		h.counts[at] = -(n0 + n1)
		h.centres = slices.Delete(h.centres, at+1, at+2)
		h.counts = slices.Delete(h.counts, at+1, at+2)
	}
}

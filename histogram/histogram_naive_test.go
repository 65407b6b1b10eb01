package histogram

import (
	"math"
	"slices"
)

// A naive histogram does as the paper says: it sorts all bins, and joins the closest until few enough are left. It is what
// Histogram must equal to the last bit. Counts of joined bins are negative.
type naive struct {
	limit int
	bins  []bin
}

func (h *naive) add(x, n float64) { h.merge(&naive{bins: []bin{{x + 0, n}}}) }

func (h *naive) merge(o *naive) {
	all := slices.Concat(h.bins, o.bins)
	slices.SortStableFunc(all, func(a, b bin) int {
		switch {
		case a.centre < b.centre:
			return -1
		case a.centre > b.centre:
			return 1
		}
		return 0
	})
	h.bins = all[:0]
	for i, b := range all {
		if i == 0 || h.bins[len(h.bins)-1].centre < b.centre {
			h.bins = append(h.bins, b)
			continue
		}
		last := &h.bins[len(h.bins)-1]
		n := math.Abs(last.count) + math.Abs(b.count)
		if last.count < 0 || b.count < 0 {
			n = -n
		}
		last.count = n
	}
	for len(h.bins) > h.limit {
		costs := make([]float64, len(h.bins)-1)
		for i := range costs {
			costs[i] = cost(h.bins[i], h.bins[i+1])
		}
		at := slices.Index(costs, slices.Min(costs))
		h.bins = slices.Replace(h.bins, at, at+2, join(h.bins[at], h.bins[at+1]))
	}
}

func (h *naive) scale(factor float64) {
	for i := range h.bins {
		h.bins[i].count *= factor
	}
	h.bins = slices.DeleteFunc(h.bins, func(b bin) bool { return b.count == 0 })
}

package histogram

import "math"

// insert puts n of the value x into the bins.
func (h *Histogram) insert(x, n float64) {
	centres, counts := h.arrays()
	i := search(centres, x)
	switch {
	case i < len(centres) && centres[i] == x:
		counts[i] += math.Copysign(n, counts[i])
	case len(centres) < int(h.bins):
		h.open(i, x, n)
	default:
		h.squeeze(centres, counts, i, x, n)
	}
}

// search returns the number of centres that are less than x.
func search(centres []float64, x float64) int {
	lo, hi := 0, len(centres)
	for lo < hi {
		m := int(uint(lo+hi) / 2)
		if centres[m] < x {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// open makes (x, n) bin i of one more than there are.
func (h *Histogram) open(i int, x, n float64) {
	h.reserve(int(h.n) + 1)
	h.n++
	centres, counts := h.arrays()
	copy(centres[i+1:], centres[i:])
	copy(counts[i+1:], counts[i:])
	centres[i], counts[i] = x, n
	h.least = 0
}

// reserve makes room for n bins, and some more to come.
func (h *Histogram) reserve(n int) {
	if n <= len(h.data)/2 {
		return
	}
	room := min(int(h.bins), n+max(3, n/4))
	data := make([]float64, 2*room)
	centres, counts := h.arrays()
	copy(data, centres)
	copy(data[room:], counts)
	h.data = data
}

// squeeze puts (x, n) before bin i of a full histogram and joins the pair of the least cost.
//
// Joining moves centres away from the bins outside the pair and adds to counts, and so never
// makes another pair cheaper. Therefore h.least, once it is a lower bound of the costs, stays
// one, but where x itself moves a centre towards a neighbour.
func (h *Histogram) squeeze(centres, counts []float64, i int, x, n float64) {
	left, right := math.Inf(1), math.Inf(1)
	if i > 0 {
		left = h.join.cost(centres[i-1], math.Abs(counts[i-1]), x, n)
	}
	if i < len(centres) {
		right = h.join.cost(x, n, centres[i], math.Abs(counts[i]))
	}
	if left < h.least && left <= right {
		h.absorbLeft(centres, counts, i, x, n)
		return
	}
	if right < h.least && right < left {
		h.absorbRight(centres, counts, i, x, n)
		return
	}

	// The cheapest pair of bins, but for that which x comes between, and the cost of the second.
	at, least, second := -1, math.Inf(1), math.Inf(1)
	for k := range len(centres) - 1 {
		if k == i-1 {
			continue
		}
		cost := h.join.cost(centres[k], math.Abs(counts[k]), centres[k+1], math.Abs(counts[k+1]))
		if at < 0 || cost < least {
			at, least, second = k, cost, least
		} else if cost < second {
			second = cost
		}
	}
	h.least = least
	before := at >= 0 && at < i // a tie goes to the pair that is further left
	switch {
	case i > 0 && left <= right && (at < 0 || left < least || left == least && !before):
		h.absorbLeft(centres, counts, i, x, n)
	case i < len(centres) && (i == 0 || right < left) && (at < 0 || right < least || right == least && !before):
		h.absorbRight(centres, counts, i, x, n)
	default:
		n0, n1 := math.Abs(counts[at]), math.Abs(counts[at+1])
		c := centre(centres[at], n0, centres[at+1], n1)
		if before {
			copy(centres[at+1:i-1], centres[at+2:i])
			copy(counts[at+1:i-1], counts[at+2:i])
			i--
		} else {
			copy(centres[i+1:at+1], centres[i:at])
			copy(counts[i+1:at+1], counts[i:at])
			at++
		}
		centres[at], counts[at] = c, -(n0 + n1)
		centres[i], counts[i] = x, n
		h.least = min(second, left, right)
	}
}

// absorbLeft joins (x, n) to bin i-1.
func (h *Histogram) absorbLeft(centres, counts []float64, i int, x, n float64) {
	old := math.Abs(counts[i-1])
	c := centre(centres[i-1], old, x, n)
	centres[i-1], counts[i-1] = c, -(old + n)
	if i < len(centres) {
		h.least = min(h.least, h.join.cost(c, old+n, centres[i], math.Abs(counts[i])))
	}
}

// absorbRight joins (x, n) to bin i.
func (h *Histogram) absorbRight(centres, counts []float64, i int, x, n float64) {
	old := math.Abs(counts[i])
	c := centre(x, n, centres[i], old)
	centres[i], counts[i] = c, -(old + n)
	if i > 0 {
		h.least = min(h.least, h.join.cost(centres[i-1], math.Abs(counts[i-1]), c, old+n))
	}
}

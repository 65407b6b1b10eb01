package histogram

import "math"

// AddN adds the value x with weight n, as if x had been added n times; n need not be an integer.
// If x is the centre of a bin, it goes into that bin. If x is not finite, or n is not positive
// and finite, AddN returns an error and leaves h unchanged. It takes O(Bins) time in the worst
// case, and allocates only to make room for another bin.
func (h *Histogram) AddN(x, n float64) error {
	count := h.count + n
	if x-x != 0 {
		return errValue
	}
	if !(n > 0 && count <= math.MaxFloat64) {
		return errWeight
	}
	x += 0 // -0 is 0

	d := x - h.origin
	nd := n * d
	squares := h.squares + nd*d
	const exponent = 52
	doubled := (math.Float64bits(count) ^ math.Float64bits(h.count)) >> exponent
	if x >= h.min && x <= h.max && squares <= math.MaxFloat64 && doubled == 0 {
		h.count = count
		h.sum += nd
		h.squares = squares
	} else {
		h.moments.add(moments{count: n, origin: x, min: x, max: x})
	}

	// In a full histogram, most values are closer to a neighbour than any two bins are to
	// each other. Then x and that neighbour are the pair to join, and this one bin is all
	// that changes. To know it, h.least is kept, a lower bound of the cost of every pair.
	// Joining a pair moves the centre away from the bins beside it and adds to the count,
	// so it makes no other pair cheaper, and the bound holds on; but where x takes a
	// centre towards the neighbour on its other side, that pair's new cost may lower it.
	centres, counts := h.arrays()
	i := search(centres, x)
	if uint(i) < uint(len(centres)) && uint(i) < uint(len(counts)) && centres[i] == x {
		counts[i] += math.Copysign(n, counts[i])
		return nil
	}
	if i == 0 || i >= len(centres) || i >= len(counts) {
		h.insert(i, x, n)
		return nil
	}
	left := h.join.cost(centres[i-1], x, math.Abs(counts[i-1])+n)
	right := h.join.cost(x, centres[i], math.Abs(counts[i])+n)
	if !(min(left, right) < h.least) {
		h.insert(i, x, n)
		return nil
	}
	to := i - 1 + less(right, left) // without a branch, which would be taken at random
	old := math.Abs(counts[to])
	centres[to] = centre(centres[to], old, x, n)
	counts[to] = -(old + n)
	beside := h.join.cost(centres[i-1], centres[i], math.Abs(counts[i-1])+math.Abs(counts[i]))
	if beside < h.least {
		h.least = beside
	}
	return nil
}

// insert puts n of the value x before bin i, as a bin of its own if there is room for one.
func (h *Histogram) insert(i int, x, n float64) {
	h.init()
	if len(h.bins) == int(h.limit) {
		h.squeeze(i, x, n)
		return
	}
	h.reserve(len(h.bins) + 1)
	h.resize(len(h.bins) + 1)
	centres, counts := h.arrays()
	copy(centres[i+1:], centres[i:])
	copy(counts[i+1:], counts[i:])
	centres[i], counts[i] = x, n
}

// search returns the number of centres that are less than x. Each comparison comes out either
// way, so none of them is a branch, and as many as can be are independent of each other: for 80
// centres that takes half the time of a binary search.
func search(centres []float64, x float64) int {
	const block = 16
	blocks := 0
	for i := block - 1; i < len(centres); i += block {
		blocks += less(centres[i], x)
	}
	n := blocks * block
	if n+block <= len(centres) {
		n += 4 * (less(centres[n+3], x) + less(centres[n+7], x) + less(centres[n+11], x))
		return n + less(centres[n], x) + less(centres[n+1], x) + less(centres[n+2], x)
	}
	for _, c := range centres[n:] {
		n += less(c, x)
	}
	return n
}

// less returns 1 if a < b, and 0 otherwise.
func less(a, b float64) int {
	if a < b {
		return 1
	}
	return 0
}

// reserve makes room for n bins, and some more to come.
func (h *Histogram) reserve(n int) {
	if n <= cap(h.bins)/2 {
		return
	}
	room := min(int(h.limit), n+max(3, n/4))
	old := *h
	h.bins = make([]float64, len(old.bins), 2*room)
	centres, counts := old.arrays()
	toCentres, toCounts := h.arrays()
	copy(toCentres, centres)
	copy(toCounts, counts)
}

// squeeze puts (x, n) before bin i of a full histogram and joins the pair of the least cost,
// which it looks for among all.
func (h *Histogram) squeeze(i int, x, n float64) {
	centres, counts := h.arrays()
	left, right := math.Inf(1), math.Inf(1)
	if i > 0 {
		left = h.join.cost(centres[i-1], x, math.Abs(counts[i-1])+n)
	}
	if i < len(centres) {
		right = h.join.cost(x, centres[i], math.Abs(counts[i])+n)
	}

	// The cheapest pair of bins, but for that which x comes between; a tie goes to the left.
	p := cheapest{at: -1, cost: math.Inf(1), second: math.Inf(1)}
	p.scan(h.join, centres[:i], counts[:i], 0)
	p.scan(h.join, centres[i:], counts[i:], i)
	at, least := p.at, p.cost
	h.least = least
	before := at >= 0 && at < i
	switch {
	case i > 0 && left <= right && (at < 0 || left < least || left == least && !before):
		old := math.Abs(counts[i-1])
		c := centre(centres[i-1], old, x, n)
		centres[i-1], counts[i-1] = c, -(old + n)
		if i < len(centres) {
			h.least = min(h.least, h.join.cost(c, centres[i], old+n+math.Abs(counts[i])))
		}
	case i < len(centres) && (i == 0 || right < left) && (at < 0 || right < least || right == least && !before):
		old := math.Abs(counts[i])
		c := centre(x, n, centres[i], old)
		centres[i], counts[i] = c, -(old + n)
		if i > 0 {
			h.least = min(h.least, h.join.cost(centres[i-1], c, old+n+math.Abs(counts[i-1])))
		}
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
		h.least = min(p.second, left, right)
	}
}

// cheapest is the pair of neighbours that cost least to join, the leftmost of equals, and
// the cost of the second.
type cheapest struct {
	at           int // left bin of the pair, or -1
	cost, second float64
}

// scan goes on with the pairs of some further bins, the first of which is bin from.
func (p *cheapest) scan(join Join, centres, counts []float64, from int) {
	if len(centres) == 0 {
		return
	}
	at, least, second := p.at, p.cost, p.second
	c0, n0 := centres[0], math.Abs(counts[0])
	counts = counts[:len(centres)]
	for i := 1; i < len(centres); i++ {
		c1, n1 := centres[i], math.Abs(counts[i])
		cost := join.cost(c0, c1, n0+n1)
		c0, n0 = c1, n1
		switch {
		case cost < least || at < 0:
			at, least, second = from+i-1, cost, least
		case cost < second:
			second = cost
		}
	}
	p.at, p.cost, p.second = at, least, second
}

package histogram

import (
	"math"
	"slices"
)

// mergeBins puts all bins of o among those of h, and joins the cheapest until few enough are
// left.
func (h *Histogram) mergeBins(o *Histogram) {
	most := len(h.bins) + len(o.bins)
	if len(h.bins) == 0 && most <= int(h.limit) {
		h.setBins(o.arrays())
		return
	}
	const room = 256 // for this many, all is on the stack
	var (
		space [2 * room]float64
		costs [room]int64
		least [room >> smallBlock]int64
		links [2 * room]int32
	)
	m := merged{smallBlock, space[:room], space[room:], costs[:], least[:], links[:room], links[room:]}
	if most > room {
		for most>>m.block > 1<<m.block {
			m.block++
		}
		blocks := most>>m.block + 1
		most = blocks << m.block
		m.centres, m.counts = make([]float64, most), make([]float64, most)
		m.costs, m.least = make([]int64, most), make([]int64, blocks)
		m.next, m.prev = make([]int32, most), make([]int32, most)
	}
	n := m.unite(h, o)
	if n > int(h.limit) {
		n = m.reduce(h.join, n, int(h.limit))
	}
	h.setBins(m.centres[:n], m.counts[:n])
}

// merged is where the bins of two histograms are put together, and joined until few enough
// are left. The pairs of neighbours are in blocks, of each of which the least cost is known.
type merged struct {
	block           uint // a block has 2^block pairs
	centres, counts []float64
	costs           []int64 // of joining each with the next, as the bits of the number: they order alike
	least           []int64 // of the costs of a block
	next, prev      []int32 // bins, in order
}

const (
	smallBlock = 4
	never      = math.MaxInt64 // cost of what is no pair
)

// unite sets m to all bins of a and b in order, one where they share a centre, and returns
// how many there are.
func (m *merged) unite(a, b *Histogram) int {
	ac, an := a.arrays()
	bc, bn := b.arrays()
	i, j, k := 0, 0, 0
	for ; i < len(ac) && j < len(bc); k++ {
		switch x, y := ac[i], bc[j]; {
		case x < y:
			m.centres[k], m.counts[k] = x, an[i]
			i++
		case y < x:
			m.centres[k], m.counts[k] = y, bn[j]
			j++
		default:
			n := math.Abs(an[i]) + math.Abs(bn[j])
			if an[i] < 0 || bn[j] < 0 {
				n = -n
			}
			m.centres[k], m.counts[k] = x, n
			i++
			j++
		}
	}
	copy(m.centres[k:], ac[i:])
	copy(m.counts[k:], an[i:])
	k += len(ac) - i
	copy(m.centres[k:], bc[j:])
	copy(m.counts[k:], bn[j:])
	return k + len(bc) - j
}

// reduce joins the cheapest of n neighbours until limit bins are left, and returns limit. As
// joining makes no other pair cheaper, a block keeps its least cost until it loses that pair.
func (m *merged) reduce(join Join, n, limit int) int {
	blocks := (n-1)>>m.block + 1
	m.costs, m.least = m.costs[:blocks<<m.block], m.least[:blocks]
	for i := range n {
		m.next[i], m.prev[i] = int32(i+1), int32(i-1)
		m.price(join, i, n)
	}
	for i := n; i < len(m.costs); i++ {
		m.costs[i] = never
	}
	for b := range m.least {
		m.renew(b)
	}
	for left := n; left > limit; left-- {
		cost := lowest(m.least)
		b := slices.Index(m.least, cost)
		at := b<<m.block + slices.Index(m.costs[b<<m.block:], cost)
		gone, prev := int(m.next[at]), int(m.prev[at])
		next := int(m.next[gone])

		n0, n1 := math.Abs(m.counts[at]), math.Abs(m.counts[gone])
		m.centres[at] = centre(m.centres[at], n0, m.centres[gone], n1)
		m.counts[at] = -(n0 + n1)
		m.next[at] = int32(next)
		if next < n {
			m.prev[next] = int32(at)
		}

		m.price(join, at, n)
		m.renew(b)
		cost, m.costs[gone] = m.costs[gone], never
		m.lost(gone, cost)
		if prev >= 0 {
			cost = m.costs[prev]
			m.price(join, prev, n)
			m.lost(prev, cost)
		}
	}

	k := 0
	for i := 0; i < n; i = int(m.next[i]) {
		m.centres[k], m.counts[k] = m.centres[i], m.counts[i]
		k++
	}
	return k
}

// price works out what it costs to join bin i with the next one, of n.
func (m *merged) price(join Join, i, n int) {
	next := int(m.next[i])
	if next >= n {
		m.costs[i] = never
		return
	}
	cost := join.cost(m.centres[i], m.centres[next], math.Abs(m.counts[i])+math.Abs(m.counts[next]))
	m.costs[i] = int64(math.Float64bits(cost))
}

// renew looks up the least cost of a block.
func (m *merged) renew(b int) { m.least[b] = lowest(m.costs[b<<m.block : (b+1)<<m.block]) }

// lost renews the block of bin i, which had a certain cost, if that was the least.
func (m *merged) lost(i int, cost int64) {
	if b := i >> m.block; cost == m.least[b] {
		m.renew(b)
	}
}

// lowest returns the least of some costs, in four chains that do not wait for each other.
func lowest(costs []int64) int64 {
	a, b, c, d := int64(never), int64(never), int64(never), int64(never)
	for ; len(costs) >= 4; costs = costs[4:] {
		a, b, c, d = min(a, costs[0]), min(b, costs[1]), min(c, costs[2]), min(d, costs[3])
	}
	for _, cost := range costs {
		a = min(a, cost)
	}
	return min(a, b, c, d)
}

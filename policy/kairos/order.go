package kairos

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"example.com/augur/policy"
)

// An order knows which node gets the next task: one with the most free places, N + Q less
// the tasks that it has. For nodes of equal N these have the fewest tasks.
type order interface {
	// set tells how many free places a node has, and the measure that breaks ties. A node that
	// is full or has left has no free places.
	set(s *spot, free int32, measure float64)
	// next returns the node that gets the next task, and false if all are full.
	next() (id policy.NodeID, ok bool)
	// any reports whether a node has a free place.
	any() bool
}

func newOrder(c CentralConfig) order {
	if c.Tie == AtRandom {
		return &drawn{rng: rand.New(c.Src)}
	}
	return new(ranked)
}

// A spot is a node as an order sees it; drawn has it at sets[free][i], nowhere if free is 0.
type spot struct {
	id   policy.NodeID
	free int32
	i    uint32
}

// ranked breaks ties by the lesser measure, then by the lesser ID. It is a tournament of the
// nodes, a complete binary tree in an array,
//
//	matches[i] = the lesser of matches[2i] and matches[2i+1],
//
// with node id at len(matches)/2 + id. A node with a new rank plays one match on each level, until
// who wins is the same as before, so that set takes O(log n) time for IDs up to n, and mostly
// little. No branch depends on who wins: an assignment takes a third of its time with a heap.
//
// The paper's sets S_0, S_1 and so on are all in the one tree: that a node which gets a task
// moves on to the next set is a worse rank.
type ranked struct{ matches []rank }

// A rank is less for a node that goes first. From its highest bit on it has 22 bits that fall as
// places grow, the 64 of the measure, which are in its order since it is not negative, and the ID.
type rank struct{ high, low uint64 }

// absent is the rank of a node without a free place.
var absent = rank{math.MaxUint64, math.MaxUint64}

func rankOf(id policy.NodeID, free int32, measure float64) rank {
	if free == 0 {
		return absent
	}
	m := math.Float64bits(measure + 0) // -0 is 0
	return rank{uint64(MaxCores+MaxQueue-free)<<42 | m>>22, m<<42 | uint64(id)}
}

func (o *ranked) set(s *spot, free int32, measure float64) {
	if int(s.id) >= len(o.matches)/2 {
		o.grow(int(s.id) + 1)
	}
	r := rankOf(s.id, free, measure)
	i := uint(len(o.matches)/2) + uint(s.id)
	for o.matches[i] = r; i > 1; o.matches[i] = r {
		r = lesser(r, o.matches[i^1])
		if i /= 2; o.matches[i] == r {
			break
		}
	}
}

// lesser returns the lesser of two ranks, without a branch.
func lesser(a, b rank) rank {
	_, less := bits.Sub64(b.low, a.low, 0)
	_, less = bits.Sub64(b.high, a.high, less)
	a.high ^= (a.high ^ b.high) & -less // b if less is 1
	a.low ^= (a.low ^ b.low) & -less
	return a
}

// grow makes room for n nodes.
func (o *ranked) grow(n int) {
	before := o.matches[len(o.matches)/2:]
	leaves := 1 << bits.Len(uint(n-1))
	o.matches = slices.Repeat([]rank{absent}, 2*leaves)
	copy(o.matches[leaves:], before)
	for i := leaves - 1; i > 0; i-- {
		o.matches[i] = lesser(o.matches[2*i], o.matches[2*i+1])
	}
}

func (o *ranked) next() (id policy.NodeID, ok bool) {
	if !o.any() {
		return 0, false
	}
	return policy.NodeID(o.matches[1].low & policy.MaxID), true
}

func (o *ranked) any() bool { return len(o.matches) > 0 && o.matches[1] != absent }

// drawn breaks ties at random. It takes constant time, amortized: next looks past as many
// sets as nodes have had places taken in since.
type drawn struct {
	rng  *rand.Rand
	sets [][]*spot // by free places; sets[0] is not used
	most int       // no set beyond this one has a node
}

func (o *drawn) set(s *spot, free int32, _ float64) {
	if s.free == free {
		return
	}
	if s.free > 0 {
		set := o.sets[s.free]
		last := len(set) - 1
		set[s.i] = set[last]
		set[s.i].i = s.i
		set[last] = nil
		o.sets[s.free] = set[:last]
	}
	if free > 0 {
		if n := int(free) + 1; n > len(o.sets) {
			o.sets = append(o.sets, make([][]*spot, n-len(o.sets))...)
		}
		s.i = uint32(len(o.sets[free]))
		o.sets[free] = append(o.sets[free], s)
		o.most = max(o.most, int(free))
	}
	s.free = free
}

func (o *drawn) any() bool {
	for o.most > 0 && len(o.sets[o.most]) == 0 {
		o.most--
	}
	return o.most > 0
}

func (o *drawn) next() (policy.NodeID, bool) {
	if !o.any() {
		return 0, false
	}
	set := o.sets[o.most]
	return set[o.rng.Uint32N(uint32(len(set)))].id, true
}

package kairos

import (
	"cmp"
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// An order chooses the node for the next task: one with the most free places, which for nodes of equal N have the fewest
// tasks; among these one with the least measure; and then any. Most ties are between nodes of measure 0, which have at
// most one task. These are kept in the paper's sets S_i, by free places, and each is equally likely. The others are in
// one heap, and draw a number whenever their rank changes, by which further ties are broken.
//
// A change takes O(log n) time for n nodes, and next amortized constant time.
type order struct {
	rng  *rand.Rand
	heap *queue.Heap[*spot]
	sets [][]*spot // of measure 0, by free places; sets[0] is not used
	most int       // no set beyond this one has a node
}

// A spot is a node as an order sees it. Nodes without free places are in no set and not in the heap.
type spot struct {
	id      policy.NodeID
	free    int32
	measure float64

	index  int          // in its set
	handle queue.Handle // in the heap
	lot    uint64
}

// newOrder returns an order that draws from src. Nil means a source with a fixed seed.
func newOrder(src rand.Source) order {
	if src == nil {
		src = rand.NewPCG(1, 1)
	}
	return order{rng: rand.New(src), heap: queue.NewHeap(func(a, b *spot) int {
		return cmp.Or(cmp.Compare(b.free, a.free), cmp.Compare(a.measure, b.measure), cmp.Compare(a.lot, b.lot))
	})}
}

// set tells how many free places a node has, and the measure that breaks ties. A node that has left has no free places.
func (o *order) set(s *spot, free int32, measure float64) {
	if s.free == free && s.measure == measure {
		return
	}
	if s.measure == 0 {
		o.leave(s)
	} else if measure == 0 || free == 0 {
		o.heap.Remove(s.handle)
	}
	if s.measure != 0 && (measure != 0 || s.free > 0) || measure != 0 && free > 0 {
		s.lot = o.rng.Uint64()
	}
	s.free, s.measure = free, measure
	switch {
	case measure == 0:
		o.enter(s)
	case free > 0 && !o.heap.Fix(s.handle):
		s.handle = o.heap.Push(s)
	}
}

// leave takes a node of measure 0 out of its set.
func (o *order) leave(s *spot) {
	if s.free == 0 {
		return
	}
	set := o.sets[s.free]
	last := len(set) - 1
	set[s.index] = set[last]
	set[s.index].index = s.index
	set[last] = nil
	o.sets[s.free] = set[:last]
}

// enter puts a node of measure 0 into its set.
func (o *order) enter(s *spot) {
	if s.free == 0 {
		return
	}
	if n := int(s.free) + 1; n > len(o.sets) {
		o.sets = append(o.sets, make([][]*spot, n-len(o.sets))...)
	}
	s.index = len(o.sets[s.free])
	o.sets[s.free] = append(o.sets[s.free], s)
	o.most = max(o.most, int(s.free))
}

// any reports whether a node has a free place.
func (o *order) any() bool {
	for o.most > 0 && len(o.sets[o.most]) == 0 {
		o.most--
	}
	return o.most > 0 || o.heap.Len() > 0
}

// next returns the node that gets the next task, and false if all are full.
func (o *order) next() (id policy.NodeID, ok bool) {
	if !o.any() {
		return 0, false
	}
	if s, ok := o.heap.Peek(); ok && int(s.free) > o.most {
		return s.id, true
	}
	set := o.sets[o.most]
	return set[o.rng.Uint32N(uint32(len(set)))].id, true
}

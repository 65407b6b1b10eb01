package kairos

import (
	"cmp"
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/queue"
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
	return newRanked()
}

// A spot is a node as an order sees it.
type spot struct {
	id      policy.NodeID
	free    int32
	measure float64      // of ranked
	handle  queue.Handle // of ranked
	i       uint32       // of drawn, which has the node at sets[free][i], nowhere if free is 0
}

// ranked breaks ties by the lesser measure, then by the lesser ID. The paper's sets S_0, S_1 and so on are all in the one
// heap: that a node which gets a task moves on to the next set is a later rank.
type ranked struct{ nodes *queue.Heap[*spot] }

func newRanked() *ranked {
	return &ranked{queue.NewHeap(func(a, b *spot) int {
		switch {
		case a.free != b.free:
			return cmp.Compare(b.free, a.free)
		case a.measure != b.measure:
			return cmp.Compare(a.measure, b.measure)
		}
		return cmp.Compare(a.id, b.id)
	})}
}

func (o *ranked) set(s *spot, free int32, measure float64) {
	if s.free == free && s.measure == measure {
		return
	}
	s.free, s.measure = free, measure
	switch {
	case free == 0:
		o.nodes.Remove(s.handle)
	case !o.nodes.Fix(s.handle):
		s.handle = o.nodes.Push(s)
	}
}

func (o *ranked) next() (id policy.NodeID, ok bool) {
	s, ok := o.nodes.Peek()
	if !ok {
		return 0, false
	}
	return s.id, true
}

func (o *ranked) any() bool { return o.nodes.Len() > 0 }

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

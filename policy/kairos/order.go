package kairos

import (
	"cmp"
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// An order chooses the node for the next task: one with the most free places, N + Q minus its tasks. For nodes of
// equal N these have the fewest tasks.
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
	rng := rand.New(c.Src)
	if c.Src == nil {
		rng = rand.New(rand.NewPCG(1, 1))
	}
	if c.Tie == AtRandom {
		return &drawn{rng: rng}
	}
	return &mixed{zero: drawn{rng: rng}, rest: newRanked(rng)}
}

// A spot is a node as an order sees it.
type spot struct {
	id      policy.NodeID
	free    int32
	measure float64      // of ranked and mixed
	handle  queue.Handle // of ranked
	lot     uint64       // of ranked
	i       uint32       // of drawn, which has the node at sets[free][i], nowhere if free is 0
	offer   offer        // of aged
}

// An offer says that a node without an idle core would suspend a task for a new one.
type offer struct {
	open bool
	zero policy.Time // when the credit of that one is 0
}

// ranked breaks ties by the lesser measure, then by a random number that a node draws whenever its rank changes. One
// heap holds the paper's sets S_0, S_1 and so on: a node that moves on to the next set gets a later rank.
type ranked struct {
	rng   *rand.Rand
	nodes *queue.Heap[*spot]
}

func newRanked(rng *rand.Rand) *ranked {
	return &ranked{rng, queue.NewHeap(func(a, b *spot) int {
		switch {
		case a.free != b.free:
			return cmp.Compare(b.free, a.free)
		case a.measure != b.measure:
			return cmp.Compare(a.measure, b.measure)
		}
		return cmp.Compare(a.lot, b.lot)
	})}
}

func (o *ranked) set(s *spot, free int32, measure float64) {
	if s.free == free && s.measure == measure {
		return
	}
	s.free, s.measure, s.lot = free, measure, o.rng.Uint64()
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

// aged orders the nodes of an adaptive centre: those with idle cores first, most of them first, then those that make
// an offer, the greatest credit first, then the lesser ID.
type aged struct{ ranked }

func newAged() *aged { return &aged{ranked{nodes: queue.NewHeap(byAge)}} }

func byAge(a, b *spot) int {
	switch {
	case a.free != b.free:
		return cmp.Compare(b.free, a.free)
	case a.free == 0 && a.offer.zero != b.offer.zero:
		return cmp.Compare(a.offer.zero, b.offer.zero)
	}
	return cmp.Compare(a.id, b.id)
}

// set tells how many idle cores a node has. The spot has its offer already.
func (o *aged) set(s *spot, idle int32, _ float64) {
	s.free = idle
	switch {
	case idle == 0 && !s.offer.open:
		o.nodes.Remove(s.handle)
	case !o.nodes.Fix(s.handle):
		s.handle = o.nodes.Push(s)
	}
}

// mixed breaks ties by the lesser measure, and further ties at random. Most ties are between nodes of measure 0,
// which have at most one task: each is equally likely.
type mixed struct {
	zero drawn   // the nodes whose measure is 0
	rest *ranked // the others
}

func (o *mixed) set(s *spot, free int32, measure float64) {
	was, is := s.measure == 0, measure == 0
	if was != is {
		o.of(was).set(s, 0, s.measure)
		s.measure = measure
	}
	o.of(is).set(s, free, measure)
}

func (o *mixed) of(zero bool) order {
	if zero {
		return &o.zero
	}
	return o.rest
}

func (o *mixed) any() bool { return o.zero.any() || o.rest.any() }

func (o *mixed) next() (policy.NodeID, bool) {
	s, ok := o.rest.nodes.Peek()
	if o.zero.any() && (!ok || o.zero.most >= int(s.free)) {
		return o.zero.next()
	}
	return o.rest.next()
}

// drawn breaks ties at random. It takes amortized constant time: next skips at most as many sets as places were taken
// since.
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

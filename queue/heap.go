package queue

import "iter"

// A Heap is a priority queue with handles. Its elements are the players of a tournament, a
// complete binary tree in an array:
//
//	winners[i] = the one of winners[2i] and winners[2i+1] that goes before the other
//
// with the players at the end of it, so winners[1] is a least element. An element stays at
// its place while others come and go: nothing is moved but the names of winners, and the
// matches of an element are found without a search. Elements that compare equal leave in no
// promised order; a compare function that ends in an ID makes the order total, and a run
// repeatable.
//
// Push, Pop, Remove and Fix take O(log n) time and at most ⌈log₂ n⌉ calls of
// compare, where n is the largest number of elements so far; Push and Fix take two
// to three calls on average if keys are random. Only Push allocates, when there are more
// elements than ever. The zero Heap is not usable; make one with [NewHeap].
//
// A heap keeps the memory for n elements: some 16 to 24 bytes for each, besides the element. To give
// it back, push what [Heap.All] yields to a new heap; the handles are then new ones.
//
// A field by which compare orders may change while its element is in the heap only if
// [Heap.Fix] follows before any other call.
//
// # Source
//
// D. E. Knuth, The Art of Computer Programming, volume 3, section 5.2.3 (tree selection).
type Heap[T any] struct {
	compare func(a, b T) int
	players table[T]
	winners []uint32 // place of a player plus one, 0 if there is none; a power of two, or empty
}

// A Handle names one element of one queue, from when it is added until it leaves. A handle
// whose element has left is stale, and never names another element. (After 2^31 reuses of
// its place it could.) The zero Handle names nothing. Handles are comparable, and one means
// nothing to another queue.
type Handle struct{ slot, gen uint32 }

// NewHeap returns an empty heap with the order of compare, which is negative when a
// goes before b, positive when b goes before a (as [cmp.Compare]) and must be a strict
// weak order: no NaN among the keys.
func NewHeap[T any](compare func(a, b T) int) *Heap[T] {
	return &Heap[T]{compare: compare}
}

// Len returns the number of elements.
func (h *Heap[T]) Len() int { return h.players.n }

// Push adds x and returns its handle.
func (h *Heap[T]) Push(x T) Handle {
	handle := h.players.add(x)
	if len(h.players.places) > len(h.winners)/2 {
		h.grow()
	}
	h.replay(handle.slot)
	return handle
}

// Peek returns a least element, and false if the heap is empty.
func (h *Heap[T]) Peek() (x T, ok bool) {
	if h.players.n == 0 {
		return x, false
	}
	return *h.players.at(h.winners[1] - 1), true
}

// Pop takes out a least element and returns it, and false if the heap is empty.
func (h *Heap[T]) Pop() (x T, ok bool) {
	if h.players.n == 0 {
		return x, false
	}
	return h.take(h.winners[1] - 1), true
}

// Get returns the element that handle names, and false if the handle is stale.
func (h *Heap[T]) Get(handle Handle) (x T, ok bool) {
	p := h.players.get(handle)
	if p == nil {
		return x, false
	}
	return *p, true
}

// Remove takes out the element that handle names and returns it. A stale handle changes
// nothing, and the result is false.
func (h *Heap[T]) Remove(handle Handle) (x T, ok bool) {
	if h.players.get(handle) == nil {
		return x, false
	}
	return h.take(handle.slot), true
}

// Fix restores the order after the element that handle names has changed its key. A
// stale handle changes nothing, and the result is false.
func (h *Heap[T]) Fix(handle Handle) bool {
	if h.players.get(handle) == nil {
		return false
	}
	h.replay(handle.slot)
	return true
}

// All yields the elements in no particular order. The heap must not change meanwhile.
func (h *Heap[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range h.players.places {
			if p := &h.players.places[i]; p.there() && !yield(p.e) {
				return
			}
		}
	}
}

// take removes a player, who is there.
func (h *Heap[T]) take(player uint32) T {
	p := &h.players.places[player]
	x := p.e
	h.players.remove(Handle{player, p.gen})
	h.replay(player)
	return x
}

// replay plays the matches of a player who has come, gone or changed, up to the root, or to
// one that the player neither wins nor had won.
func (h *Heap[T]) replay(player uint32) {
	places, winners := h.players.places, h.winners
	i := uint(len(winners)/2) + uint(player)
	first := &places[player] // of those below match i
	name := player + 1
	if !first.there() {
		name = 0
	}
	winners[i] = name
	for i > 1 {
		if other := winners[i^1]; other != 0 {
			if o := &places[other-1]; name == 0 || h.compare(o.e, first.e) < 0 {
				name, first = other, o
			}
		}
		i /= 2
		if winners[i] == name && name != player+1 {
			return
		}
		winners[i] = name
	}
}

// grow makes twice the room for players. The tournament so far is the left half of the larger one, of
// which only the final is left to play.
func (h *Heap[T]) grow() {
	before := h.winners
	h.winners = make([]uint32, max(4, 2*len(before)))
	for round := len(before) / 2; round > 0; round /= 2 { // where it begins, the first one at the end
		copy(h.winners[2*round:], before[round:2*round])
	}
}

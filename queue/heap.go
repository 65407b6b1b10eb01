package queue

import (
	"iter"
	"slices"
)

// A Heap is a priority queue with handles. It is a tournament tree: a complete binary tree in an
// array, whose leaves are the elements,
//
//	winners[i] = the lesser of winners[2i] and winners[2i+1]
//
// so winners[1] is a least element. An element keeps its leaf while others come and go; only the
// indices of winners move. Elements that compare equal are popped in no particular order. Let
// compare end in an ID to make the order total and runs repeatable.
//
// Push, Pop, Remove and Fix take O(log n) time and at most ⌈log₂ n⌉ calls of compare, where n is the
// largest number of elements so far. With random keys, Push and Fix take two to three calls on
// average. Only Push allocates, when there are more elements than ever before. The zero Heap is not
// usable; make one with [NewHeap].
//
// A heap keeps the memory of n elements: 16 to 24 bytes for each, besides the element.
//
// If you change fields by which compare orders while their elements are in the heap, call
// [Heap.Fix] for each before any other method.
//
// # Source
//
// D. E. Knuth, The Art of Computer Programming, volume 3, section 5.2.3 (tree selection).
type Heap[T any] struct {
	compare func(a, b T) int
	players table[T]
	winners []uint32 // place of a player plus one, 0 if there is none; its length is a power of two, or 0
}

// A Handle identifies one element of one queue until the element is removed. From then on the
// handle is stale and does not identify another element, unless its place is reused 2^31 times.
// The zero Handle identifies nothing. Handles are comparable. Do not use a handle with another queue.
type Handle struct{ slot, gen uint32 }

// NewHeap returns an empty heap ordered by compare. Like [cmp.Compare], compare returns a negative
// number if a comes before b, and a positive one if b comes before a. It must be a strict weak
// order, so keys must not be NaN.
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

// Pop removes a least element and returns it, and false if the heap is empty.
func (h *Heap[T]) Pop() (x T, ok bool) {
	if h.players.n == 0 {
		return x, false
	}
	return h.take(h.winners[1] - 1), true
}

// Get returns the element of a handle, and false if the handle is stale.
func (h *Heap[T]) Get(handle Handle) (x T, ok bool) {
	p := h.players.get(handle)
	if p == nil {
		return x, false
	}
	return *p, true
}

// Remove removes the element of a handle and returns it. If the handle is stale, it changes nothing
// and returns false.
func (h *Heap[T]) Remove(handle Handle) (x T, ok bool) {
	if h.players.get(handle) == nil {
		return x, false
	}
	return h.take(handle.slot), true
}

// Fix restores the order after the key of an element has changed. If the handle is stale, it changes
// nothing and returns false.
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

// copy takes over the elements of another heap, and their handles.
func (h *Heap[T]) copy(o *Heap[T]) { h.players, h.winners = o.players.clone(), slices.Clone(o.winners) }

// take removes a player, who is there.
func (h *Heap[T]) take(player uint32) T {
	p := &h.players.places[player]
	x := p.e
	h.players.remove(Handle{player, p.gen})
	h.replay(player)
	return x
}

// replay replays the matches of a player that was added, removed or changed, from its leaf up to
// the root. It stops early at a match that the player neither wins nor had won.
func (h *Heap[T]) replay(player uint32) {
	places, winners := h.players.places, h.winners
	i := uint(len(winners)/2) + uint(player)
	first := &places[player] // winner of the matches below i
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

// grow doubles the number of leaves. The tournament so far becomes the left half of the larger one.
func (h *Heap[T]) grow() {
	before := h.winners
	h.winners = make([]uint32, max(4, 2*len(before)))
	for round := len(before) / 2; round > 0; round /= 2 { // where it begins, the first one at the end
		copy(h.winners[2*round:], before[round:2*round])
	}
}

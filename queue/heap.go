package queue

import "iter"

// A Heap is a priority queue with handles, a complete 4-ary tree in an array:
//
//	!(compare(heap[j], heap[i]) < 0)  for j = 4i+1 .. 4i+4
//
// so heap[0] is a least element. Elements that compare equal leave in no promised
// order; a compare function that ends in an ID makes the order total, and a run
// repeatable. Push, Pop, Remove and Fix take O(log n) calls of compare. The zero Heap
// is not usable; make one with [NewHeap].
//
// A field by which compare orders may change while its element is in the heap only if
// [Heap.Fix] or [Heap.Update] follows before any other call.
type Heap[T any] struct {
	compare func(a, b T) int
	heap    []entry[T]
	slots   []slot // by Handle.slot
	free    uint32 // first free slot plus one; a free slot's pos is the next one
}

type entry[T any] struct {
	x    T
	slot uint32
}

type slot struct {
	pos uint32 // index in heap
	gen uint32 // odd while the slot is in use
}

// A Handle names one element of one heap, from its Push until it leaves. A handle whose
// element has left is stale, and never names another element. (After 2^31 reuses of
// its place it could.) The zero Handle names nothing.
type Handle struct{ slot, gen uint32 }

// NewHeap returns an empty heap with the order of compare, which is negative when a
// goes before b, positive when b goes before a (as [cmp.Compare]) and must be a strict
// weak order: no NaN among the keys.
func NewHeap[T any](compare func(a, b T) int) *Heap[T] {
	return &Heap[T]{compare: compare}
}

// Len returns the number of elements.
func (h *Heap[T]) Len() int { return len(h.heap) }

// Grow makes room for n more elements. Like [slices.Grow], it panics if n is negative.
func (h *Heap[T]) Grow(n int) {
	h.heap = append(h.heap, make([]entry[T], n)...)[:len(h.heap)]
	h.slots = append(h.slots, make([]slot, n)...)[:len(h.slots)]
}

// Push adds x and returns its handle.
func (h *Heap[T]) Push(x T) Handle {
	var s uint32
	if h.free != 0 {
		s = h.free - 1
		h.free = h.slots[s].pos
	} else {
		s = uint32(len(h.slots))
		h.slots = append(h.slots, slot{})
	}
	h.slots[s].gen++
	h.heap = append(h.heap, entry[T]{})
	h.up(len(h.heap)-1, entry[T]{x, s})
	return Handle{s, h.slots[s].gen}
}

// Peek returns a least element, and false if the heap is empty.
func (h *Heap[T]) Peek() (x T, ok bool) {
	if len(h.heap) == 0 {
		return x, false
	}
	return h.heap[0].x, true
}

// Pop takes out a least element and returns it, and false if the heap is empty.
func (h *Heap[T]) Pop() (x T, ok bool) {
	if len(h.heap) == 0 {
		return x, false
	}
	return h.take(0), true
}

// Get returns the element that handle names, and false if the handle is stale.
func (h *Heap[T]) Get(handle Handle) (x T, ok bool) {
	i, ok := h.index(handle)
	if !ok {
		return x, false
	}
	return h.heap[i].x, true
}

// Remove takes out the element that handle names and returns it. A stale handle changes
// nothing, and the result is false.
func (h *Heap[T]) Remove(handle Handle) (x T, ok bool) {
	i, ok := h.index(handle)
	if !ok {
		return x, false
	}
	return h.take(i), true
}

// Update puts x in the place of the element that handle names; the handle names x from
// then on. A stale handle changes nothing, and the result is false.
func (h *Heap[T]) Update(handle Handle, x T) bool {
	i, ok := h.index(handle)
	if ok {
		h.place(i, entry[T]{x, handle.slot})
	}
	return ok
}

// Fix restores the order after the element that handle names has changed its key. A
// stale handle changes nothing, and the result is false.
func (h *Heap[T]) Fix(handle Handle) bool {
	i, ok := h.index(handle)
	if ok {
		h.place(i, h.heap[i])
	}
	return ok
}

// All yields the elements in no particular order. The heap must not change meanwhile.
func (h *Heap[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range h.heap {
			if !yield(h.heap[i].x) {
				return
			}
		}
	}
}

func (h *Heap[T]) index(handle Handle) (int, bool) {
	if uint(handle.slot) >= uint(len(h.slots)) || handle.gen&1 == 0 || h.slots[handle.slot].gen != handle.gen {
		return 0, false
	}
	return int(h.slots[handle.slot].pos), true
}

// take removes heap[i] and fills the gap with the last entry.
func (h *Heap[T]) take(i int) T {
	e := h.heap[i]
	h.slots[e.slot] = slot{pos: h.free, gen: h.slots[e.slot].gen + 1}
	h.free = e.slot + 1

	n := len(h.heap) - 1
	last := h.heap[n]
	h.heap[n] = entry[T]{} // let go of what it points to
	h.heap = h.heap[:n]
	if i < n {
		h.up(h.sink(i), last)
	}
	return e.x
}

// place puts e into the hole at i, moving it up or down to where it belongs.
func (h *Heap[T]) place(i int, e entry[T]) {
	if i > 0 && h.compare(e.x, h.heap[(i-1)/4].x) < 0 {
		h.up(i, e)
	} else {
		h.down(i, e)
	}
}

// up moves the hole at i towards the root until e fits into it.
func (h *Heap[T]) up(i int, e entry[T]) {
	heap, slots := h.heap, h.slots
	for i > 0 {
		parent := (i - 1) / 4
		if h.compare(e.x, heap[parent].x) >= 0 {
			break
		}
		heap[i] = heap[parent]
		slots[heap[i].slot].pos = uint32(i)
		i = parent
	}
	heap[i] = e
	slots[e.slot].pos = uint32(i)
}

// down moves the hole at i towards the leaves until e fits into it.
func (h *Heap[T]) down(i int, e entry[T]) {
	heap, slots := h.heap, h.slots
	for 4*i+1 < len(heap) {
		least := h.least(i)
		if h.compare(heap[least].x, e.x) >= 0 {
			break
		}
		heap[i] = heap[least]
		slots[heap[i].slot].pos = uint32(i)
		i = least
	}
	heap[i] = e
	slots[e.slot].pos = uint32(i)
}

// sink moves the hole at i all the way to a leaf, whose index it returns. What comes
// from the end of the heap belongs near the leaves, so that sink and then up ask
// compare less often than down, which asks once more at each level.
//
// Source: I. Wegener, "BOTTOM-UP-HEAPSORT, a new variant of HEAPSORT beating, on an
// average, QUICKSORT (if n is not very small)", Theoretical Computer Science 118(1), 1993.
func (h *Heap[T]) sink(i int) int {
	heap, slots := h.heap, h.slots
	for 4*i+1 < len(heap) {
		least := h.least(i)
		heap[i] = heap[least]
		slots[heap[i].slot].pos = uint32(i)
		i = least
	}
	return i
}

// least returns the index of a least child of heap[i], which has children. Nearly all
// have four; written out, these make Pop up to a tenth faster than the loop does.
func (h *Heap[T]) least(i int) int {
	heap, compare := h.heap, h.compare
	first, least := 4*i+1, 0
	if first+4 > len(heap) {
		for j := first + 1; j < len(heap); j++ {
			if compare(heap[j].x, heap[first+least].x) < 0 {
				least = j - first
			}
		}
		return first + least
	}
	four := (*[4]entry[T])(heap[first:])
	if compare(four[1].x, four[0].x) < 0 {
		least = 1
	}
	if compare(four[2].x, four[least].x) < 0 {
		least = 2
	}
	if compare(four[3].x, four[least].x) < 0 {
		least = 3
	}
	return first + least
}

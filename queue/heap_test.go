package queue

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"
)

// An item is an element whose key changes while it is in a heap. The id tells items
// with equal keys apart.
type item struct {
	key, id int

	// for a trial
	gone bool // has left the heap
	seen int  // the last check that saw it in the heap
}

func (x *item) String() string { return fmt.Sprintf("%d/%d", x.key, x.id) }

func byKey(a, b *item) int { return cmp.Compare(a.key, b.key) }

func byKeyAndID(a, b *item) int {
	if c := byKey(a, b); c != 0 {
		return c
	}
	return cmp.Compare(a.id, b.id)
}

// An element plays one match on each level.
func TestCallsOfCompare(t *testing.T) {
	const (
		n    = 10_000
		most = 14 // 2^13 < n <= 2^14
	)
	calls := 0
	h := NewHeap(func(a, b *item) int {
		calls++
		return byKey(a, b)
	})
	rng := rand.New(rand.NewPCG(1, 2))
	items, handles := make([]*item, n), make([]Handle, n)
	check := func(call string) {
		if calls > most {
			t.Errorf("%s: got %d calls of compare, want at most %d", call, calls, most)
		}
		calls = 0
	}
	for i := range n {
		items[i] = &item{key: -i, id: i} // each becomes the least
		handles[i] = h.Push(items[i])
		check("Push")
	}
	for i := range n {
		items[i].key = rng.IntN(n)
		h.Fix(handles[i])
		check("Fix")
	}
	for i := 0; i < n; i += 2 {
		h.Remove(handles[i])
		check("Remove")
	}
	for h.Len() > 0 {
		h.Pop()
		check("Pop")
	}
}

func TestHeapAllocatesNothing(t *testing.T) {
	const n = 1000
	rng := rand.New(rand.NewPCG(1, 2))
	h := NewHeap(byKeyAndID)
	items, handles := make([]*item, n), make([]Handle, n)
	for i := range n {
		items[i] = &item{key: rng.IntN(n), id: i}
		handles[i] = h.Push(items[i])
	}
	sum := 0
	allocs := testing.AllocsPerRun(100, func() {
		for range n {
			x, _ := h.Pop()
			x.key += rng.IntN(n)
			handles[x.id] = h.Push(x)

			i := rng.IntN(n)
			items[i].key += rng.IntN(n) - n/2
			h.Fix(handles[i])
			x, _ = h.Remove(handles[i])
			handles[i] = h.Push(x)
		}
		for x := range h.All() {
			sum += x.id
		}
	})
	if allocs != 0 {
		t.Errorf("got %v allocations, want 0", allocs)
	}
	if want := 101 * n * (n - 1) / 2; sum != want {
		t.Errorf("sum of ids over all rounds: got %d, want %d", sum, want)
	}
}

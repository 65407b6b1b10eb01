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
	return cmp.Or(byKey(a, b), cmp.Compare(a.id, b.id))
}

// An element is compared at most once on each level.
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

const benchSpread = 1 << 30 // the keys of a heap are within this of its least

// The least element is taken out and comes back behind a random part of the others, and a random one gets a random key.
func BenchmarkHeap(b *testing.B) {
	for n := 100; n <= 1_000_000; n *= 100 {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			rng := rand.New(rand.NewPCG(uint64(n), 1))
			h := NewHeap(byKeyAndID)
			items, handles := make([]*item, n), make([]Handle, n)
			for i := range items {
				items[i] = &item{key: rng.IntN(benchSpread), id: i}
				handles[i] = h.Push(items[i])
			}
			for b.Loop() {
				x, _ := h.Pop()
				x.key += rng.IntN(benchSpread)
				handles[x.id] = h.Push(x)
				i := rng.IntN(n)
				items[i].key = rng.IntN(benchSpread)
				if !h.Fix(handles[i]) {
					b.Fatal("got a stale handle, want a good one")
				}
			}
		})
	}
}

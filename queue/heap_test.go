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

func callsOfCompare(t *testing.T) {
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

// A benchJob knows how to find itself again.
type benchJob struct {
	remaining uint64
	id        int
	handle    Handle
}

func compareJobs(a, b *benchJob) int {
	return cmp.Or(cmp.Compare(a.remaining, b.remaining), cmp.Compare(a.id, b.id))
}

const benchSpread = 1 << 40 // the keys of a heap are within this of its least

func benchJobs(n int) ([]*benchJob, *rand.Rand) {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	jobs := make([]*benchJob, n)
	for i := range jobs {
		jobs[i] = &benchJob{remaining: rng.Uint64N(benchSpread), id: i}
	}
	return jobs, rng
}

func benchSizes(b *testing.B, run func(b *testing.B, n int)) {
	for n := 100; n <= 1_000_000; n *= 10 {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			run(b, n)
		})
	}
}

// The least job is taken out and comes back behind a random part of the others.
func BenchmarkHeapPopPush(b *testing.B) {
	benchSizes(b, func(b *testing.B, n int) {
		jobs, rng := benchJobs(n)
		h := NewHeap(compareJobs)
		for _, j := range jobs {
			j.handle = h.Push(j)
		}
		for b.Loop() {
			j, _ := h.Pop()
			j.remaining += rng.Uint64N(benchSpread)
			j.handle = h.Push(j)
		}
		if h.Len() != n {
			b.Errorf("got %d jobs, want %d", h.Len(), n)
		}
	})
}

// A random job gets a random key.
func BenchmarkHeapFix(b *testing.B) {
	benchSizes(b, func(b *testing.B, n int) {
		jobs, rng := benchJobs(n)
		h := NewHeap(compareJobs)
		for _, j := range jobs {
			j.handle = h.Push(j)
		}
		for b.Loop() {
			j := jobs[rng.IntN(n)]
			j.remaining = rng.Uint64N(benchSpread)
			if !h.Fix(j.handle) {
				b.Fatal("got a stale handle, want a good one")
			}
		}
	})
}

package queue

import (
	"cmp"
	"container/heap"
	"fmt"
	"math/rand/v2"
	"testing"
)

// Heap and container/heap do the same work here on the same elements, so that one run
// shows their ratio. Each does it with values, and with pointers, by which container/heap
// avoids an allocation for each push and each pop.

type benchKey struct {
	remaining uint64
	id        uint32
}

// A benchJob knows how to find itself again in either heap.
type benchJob struct {
	benchKey
	index  int32 // in a container/heap
	handle Handle
}

func compareKeys(a, b benchKey) int {
	if c := cmp.Compare(a.remaining, b.remaining); c != 0 {
		return c
	}
	return cmp.Compare(a.id, b.id)
}

func compareJobs(a, b *benchJob) int {
	if c := cmp.Compare(a.remaining, b.remaining); c != 0 {
		return c
	}
	return cmp.Compare(a.id, b.id)
}

const benchSpread = 1 << 40 // the keys of a heap are within this of its least

func benchJobs(n int) ([]*benchJob, *rand.Rand) {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	jobs := make([]*benchJob, n)
	for i := range jobs {
		jobs[i] = &benchJob{benchKey: benchKey{rng.Uint64N(benchSpread), uint32(i)}}
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
	b.Run("elem=value", func(b *testing.B) {
		benchSizes(b, func(b *testing.B, n int) {
			jobs, rng := benchJobs(n)
			h := NewHeap(compareKeys)
			for _, j := range jobs {
				h.Push(j.benchKey)
			}
			for b.Loop() {
				j, _ := h.Pop()
				j.remaining += rng.Uint64N(benchSpread)
				h.Push(j)
			}
			if h.Len() != n {
				b.Errorf("got %d jobs, want %d", h.Len(), n)
			}
		})
	})
	b.Run("elem=pointer", func(b *testing.B) {
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
	})
}

func BenchmarkContainerHeapPopPush(b *testing.B) {
	b.Run("elem=value", func(b *testing.B) {
		benchSizes(b, func(b *testing.B, n int) {
			jobs, rng := benchJobs(n)
			h := new(containerValues)
			for _, j := range jobs {
				heap.Push(h, j.benchKey)
			}
			for b.Loop() {
				j := heap.Pop(h).(benchKey)
				j.remaining += rng.Uint64N(benchSpread)
				heap.Push(h, j)
			}
			if h.Len() != n {
				b.Errorf("got %d jobs, want %d", h.Len(), n)
			}
		})
	})
	b.Run("elem=pointer", func(b *testing.B) {
		benchSizes(b, func(b *testing.B, n int) {
			jobs, rng := benchJobs(n)
			h := new(containerPointers)
			for _, j := range jobs {
				heap.Push(h, j)
			}
			for b.Loop() {
				j := heap.Pop(h).(*benchJob)
				j.remaining += rng.Uint64N(benchSpread)
				heap.Push(h, j)
			}
			if h.Len() != n {
				b.Errorf("got %d jobs, want %d", h.Len(), n)
			}
		})
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

func BenchmarkContainerHeapFix(b *testing.B) {
	benchSizes(b, func(b *testing.B, n int) {
		jobs, rng := benchJobs(n)
		h := new(containerPointers)
		for _, j := range jobs {
			heap.Push(h, j)
		}
		for b.Loop() {
			j := jobs[rng.IntN(n)]
			j.remaining = rng.Uint64N(benchSpread)
			heap.Fix(h, int(j.index))
		}
	})
}

type containerValues []benchKey

func (h containerValues) Len() int      { return len(h) }
func (h containerValues) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *containerValues) Push(x any)   { *h = append(*h, x.(benchKey)) }

func (h containerValues) Less(i, j int) bool {
	if h[i].remaining != h[j].remaining {
		return h[i].remaining < h[j].remaining
	}
	return h[i].id < h[j].id
}

func (h *containerValues) Pop() any {
	n := len(*h) - 1
	x := (*h)[n]
	*h = (*h)[:n]
	return x
}

// containerPointers keeps each job's index, which Fix needs, as the example of a
// priority queue in container/heap does.
type containerPointers []*benchJob

func (h containerPointers) Len() int { return len(h) }

func (h containerPointers) Less(i, j int) bool {
	if h[i].remaining != h[j].remaining {
		return h[i].remaining < h[j].remaining
	}
	return h[i].id < h[j].id
}

func (h containerPointers) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = int32(i), int32(j)
}

func (h *containerPointers) Push(x any) {
	j := x.(*benchJob)
	j.index = int32(len(*h))
	*h = append(*h, j)
}

func (h *containerPointers) Pop() any {
	n := len(*h) - 1
	j := (*h)[n]
	(*h)[n] = nil
	*h = (*h)[:n]
	return j
}

package queue

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"testing"
)

// A benchJob knows how to find itself again in a queue.
type benchJob struct {
	remaining uint64
	id        uint32
	handle    Handle
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
		jobs[i] = &benchJob{remaining: rng.Uint64N(benchSpread), id: uint32(i)}
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

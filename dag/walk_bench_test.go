package dag

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// jobEdges are jobs in the order of their submission, each of which reads from about four of the
// last so many, as a day's jobs read from the week before.
func jobEdges(n, last int) []Edge {
	rng := rand.New(rand.NewPCG(uint64(n), 2))
	edges := make([]Edge, 0, 4*n)
	for to := 1; to < n; to++ {
		for range 4 {
			edges = append(edges, Edge{uint32(to - 1 - rng.IntN(min(to, last))), uint32(to)})
		}
	}
	return edges
}

// All rows of graphs of growing size, by the greatest number of hops; 0 is any.
func BenchmarkHops(b *testing.B) {
	for _, n := range []int{100, 300, 1000} {
		g, err := New(n, jobEdges(n, n/5))
		if err != nil {
			b.Fatal(err)
		}
		for _, hops := range []int{1, 2, 4, 16, 0} {
			b.Run(fmt.Sprintf("nodes=%d/hops=%d", n, hops), func(b *testing.B) {
				w, err := NewWalker(g, Walk[float64]{Algebra: SumProduct[float64](), Weight: Shares(g), Hops: hops})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				pairs := 0
				for b.Loop() {
					pairs = 0
					for v := range uint32(n) {
						nodes, _ := w.From(v)
						pairs += len(nodes)
					}
				}
				b.ReportMetric(float64(pairs), "pairs")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(pairs), "ns/pair")
			})
		}
	}
}

// Jobs of seven days, each with what follows within two, one source after the other.
func BenchmarkWalker(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		const window = 2000
		g, err := New(n, jobEdges(n, 1000))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("nodes=%d", n), func(b *testing.B) {
			w, err := NewWalker(g, Walk[float64]{
				Algebra: SumProduct[float64](), Weight: Shares(g),
				Keep: func(source, v uint32) bool { return v-source <= window },
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			source, pairs := uint32(0), 0
			for b.Loop() {
				nodes, _ := w.From(source)
				pairs += len(nodes)
				source = (source + 7919) % uint32(n)
			}
			b.ReportMetric(float64(pairs)/float64(b.N), "found/op")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(pairs), "ns/found")
		})
	}
}

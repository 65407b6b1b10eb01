package value

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/dag"
)

// inWindow is a walker of package dag that finds what counts for a job.
func inWindow(t testing.TB, g *dag.Graph, submitted, completed []int64, width time.Duration) *dag.Walker[float64] {
	t.Helper()
	w, err := dag.NewWalker(g, dag.Walk[float64]{
		Algebra: dag.SumProduct[float64](),
		Weight:  dag.Shares(g),
		Keep:    func(source, node uint32) bool { return submitted[node]-completed[source] <= int64(width) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The general framework of section 4.4, with the functions of section 4.5.2, gives what the passes of
// this package give.
func TestAggregateEqualsClosure(t *testing.T) {
	pairs := 0
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 16))
		g, submitted, completed := randomLog(rng)
		own := randomOwn(rng, g.Len())
		all, err := dag.NewWalker(g, dag.Walk[float64]{Algebra: dag.SumProduct[float64](), Weight: dag.Shares(g)})
		if err != nil {
			t.Fatal(err)
		}
		agg, err := Aggregate(nil, g, own)
		if err != nil {
			t.Fatal(err)
		}
		const width = 30
		walker := inWindow(t, g, submitted, completed, width)
		w, err := NewWindowed(g, submitted, completed, Window{Width: width, End: math.MaxInt64 / 2}, own)
		if err != nil {
			t.Fatal(err)
		}
		sum := func(j uint32, nodes []uint32, weights []float64) float64 {
			sum := own[j]
			for i, d := range nodes {
				sum += weights[i] * own[d]
			}
			pairs += len(nodes)
			return sum
		}
		for j := range uint32(g.Len()) {
			nodes, weights := all.From(j)
			if want := sum(j, nodes, weights); math.Abs(agg[j]-want) > 1e-13*want {
				t.Fatalf("seed %d: job %d: got %v, want %v", seed, j, agg[j], want)
			}
			nodes, weights = walker.From(j)
			got, ok := w.Aggregate(nil, j)
			if want := sum(j, nodes, weights); !ok || math.Abs(got[0].Sum-want) > 1e-13*want {
				t.Fatalf("seed %d: job %d in its window: got %v, want %v", seed, j, got, want)
			}
		}
	}
	if pairs < 10_000 {
		t.Errorf("got %d pairs, want 10,000", pairs)
	}
}

// The same question to Windowed and to a walker of package dag.
func BenchmarkWalker(b *testing.B) {
	const n, days = 40_000, 90
	g, submitted, completed := benchLog(n, days)
	own := benchOwn(n)
	w, err := NewWindowed(g, submitted, completed, Window{End: math.MaxInt64}, own)
	if err != nil {
		b.Fatal(err)
	}
	walker := inWindow(b, g, submitted, completed, week)
	jobs := rand.New(rand.NewPCG(1, 17)).Perm(n)[:1000]
	b.Run(fmt.Sprintf("windowed/jobs=%d", n), func(b *testing.B) {
		b.ReportAllocs()
		var dst []Credit
		for b.Loop() {
			for _, j := range jobs {
				dst, _ = w.Aggregate(dst[:0], uint32(j))
			}
		}
	})
	b.Run(fmt.Sprintf("dag/jobs=%d", n), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, j := range jobs {
				nodes, weights := walker.From(uint32(j))
				sum := own[j]
				for i, d := range nodes {
					sum += weights[i] * own[d]
				}
			}
		}
	})
}

package value

import (
	"testing"

	"example.com/augur/dag"
)

// Of 10,000 jobs each reads the two that were submitted ten and a hundred before it. All jobs in one pass, by Aggregate and by
// the same functions as Paths, and the dependents of one job.
func BenchmarkPaths(b *testing.B) {
	const n = 10_000
	var edges []dag.Edge
	own := make([]float64, n)
	for j := range uint32(n) {
		own[j] = float64(j % 7)
		for _, back := range []uint32{10, 100} {
			if j >= back {
				edges = append(edges, dag.Edge{From: j - back, To: j})
			}
		}
	}
	g, err := dag.New(n, edges)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("aggregate", func(b *testing.B) {
		var agg []float64
		for b.Loop() {
			if agg, err = Aggregate(agg[:0], g, own); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("fold", func(b *testing.B) {
		var fold []float64
		for b.Loop() {
			if fold, err = Shares().Fold(fold[:0], g, own); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("dependents", func(b *testing.B) {
		for b.Loop() {
			for range Shares().Dependents(g, n-1000, nil) {
			}
		}
	})
}

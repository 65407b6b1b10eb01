package plan

import (
	"testing"
)

// BenchmarkSearch is the time that a number of iterations takes, which are the same in each run.
func BenchmarkSearch(b *testing.B) {
	for _, s := range shapes {
		b.Run(s.name, func(b *testing.B) {
			p := instance(s.shape, 1)
			b.ReportAllocs()
			for b.Loop() {
				s, err := Search{}.Solve(b.Context(), p, SolveConfig{Iterations: 5000, Seed: 1})
				if err != nil || !(s.Objective > 0) {
					b.Fatal(err, s.Objective)
				}
			}
		})
	}
}

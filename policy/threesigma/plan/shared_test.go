package plan

import (
	"fmt"
	"sync"
	"testing"
)

// Solvers keep nothing between calls: goroutines share them, and a problem, and find the same as one alone. The race
// detector looks on.
func TestSolversAtOnce(t *testing.T) {
	for name, solver := range map[string]Solver{"search": Search{}, "exact": Exact{}, "greedy": Greedy{}} {
		for seed := range uint64(10) {
			p := small(seed, 10, 77)
			c := SolveConfig{Seed: seed, Iterations: 200}
			want, err := solver.Solve(t.Context(), p, c)
			if err != nil {
				t.Fatal(err)
			}
			var solving sync.WaitGroup
			for range 4 {
				solving.Go(func() {
					got, err := solver.Solve(t.Context(), p, c)
					if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
						t.Errorf("%s, seed %d: %v and error %v, want %v", name, seed, got, err, want)
					}
				})
			}
			solving.Wait()
		}
	}
}

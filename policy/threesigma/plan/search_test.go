package plan

import (
	"fmt"
	"testing"
)

// More is found than by the greedy solver, and a start or prices that are good are not lost.
func TestSearchStarts(t *testing.T) {
	for _, sets := range []bool{false, true} {
		p := plain(2, 60, sets)
		greedy, err := Greedy{}.Solve(t.Context(), p, SolveConfig{})
		if err != nil {
			t.Fatal(err)
		}
		cold, err := Search{}.Solve(t.Context(), p, SolveConfig{Iterations: 2000})
		if err != nil || judge(p, cold) != nil {
			t.Fatalf("sets %v: %v, %v", sets, err, judge(p, cold))
		}
		if cold.Objective <= greedy.Objective {
			t.Errorf("sets %v: %v, and Greedy has %v", sets, cold.Objective, greedy.Objective)
		}
		for _, n := range []int{1, 20} {
			with := SolveConfig{Iterations: n, Start: cold.Choice, Warm: cold.State}
			warm, err := Search{}.Solve(t.Context(), p, with)
			if err != nil || judge(p, warm) != nil || warm.Objective < cold.Objective || warm.Bound > cold.Bound*(1+1e-12) {
				t.Errorf("sets %v, %d iterations from %v to %v: %v to %v, %v", sets, n, cold.Objective, cold.Bound, warm.Objective, warm.Bound, err)
			}
			without, err := Search{}.Solve(t.Context(), p, SolveConfig{Iterations: n})
			if err != nil || without.Bound < warm.Bound || without.Objective > warm.Objective {
				t.Errorf("sets %v, %d iterations: %v to %v without a start, with one %v to %v", sets, n, without.Objective, without.Bound, warm.Objective, warm.Bound)
			}
		}
	}
}

// BenchmarkSearch is the time that a number of iterations takes, which are the same in each run.
func BenchmarkSearch(b *testing.B) {
	for _, jobs := range []int{20, 100, 400} {
		for _, sets := range []bool{false, true} {
			b.Run(fmt.Sprintf("jobs=%d/sets=%v", jobs, sets), func(b *testing.B) {
				p := plain(1, jobs, sets)
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
}

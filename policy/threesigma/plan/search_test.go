package plan

import (
	"fmt"
	"math"
	"slices"
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

// After each change the table of use, the value and the choice are of one plan, that fits; and one
// taken back leaves the plan that was.
func TestMovesKeepTheirTable(t *testing.T) {
	for seed := range 4 {
		p := plain(uint64(seed), 20+40*seed, seed == 3)
		f := flatten(p)
		m := newMoves(f, uint64(seed))
		m.begin(slices.Repeat([]int{None}, len(p.Jobs)))
		back, kept := 0, 0
		for n := range 1500 {
			before, best := slices.Clone(m.choice), m.bestValue
			threshold := 0.01 * float64(n%3) * best
			m.step(threshold)
			use := make([]float64, len(f.limit))
			value := 0.0
			for j, o := range m.choice {
				if o == none {
					continue
				}
				opt := &f.opts[o]
				if int(opt.job) != j {
					t.Fatalf("seed %d, change %d: job %d has an option of job %d", seed, n, j, opt.job)
				}
				opt.put(use)
				value += opt.utility
			}
			for i, u := range use {
				if u > f.limit[i] || math.Abs(u-m.use[i]) > 1e-9*f.limit[i] {
					t.Fatalf("seed %d, change %d: %v is used at %d of %v, and the table has %v", seed, n, u, i, f.limit[i], m.use[i])
				}
			}
			if math.Abs(value-m.value) > 1e-9*value || m.bestValue < best || m.bestValue < value*(1-1e-9) {
				t.Fatalf("seed %d, change %d: value %v, want %v; best %v, before %v", seed, n, m.value, value, m.bestValue, best)
			}
			if value < best-threshold-1e-9*best && !slices.Equal(before, m.choice) && value < sum(f, before)-1e-9*best {
				t.Fatalf("seed %d, change %d: from %v to %v is kept, best %v, threshold %v", seed, n, sum(f, before), value, best, threshold)
			}
			if len(m.undo) > 0 && slices.Equal(before, m.choice) {
				back++
			} else if len(m.undo) > 0 {
				kept++
			}
		}
		if back < 100 || kept < 100 {
			t.Errorf("seed %d: %d changes taken back, %d kept", seed, back, kept)
		}
	}
}

func sum(f *flat, choice []int32) (value float64) {
	for _, o := range choice {
		if o != none {
			value += f.opts[o].utility
		}
	}
	return value
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

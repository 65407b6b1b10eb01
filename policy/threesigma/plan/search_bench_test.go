package plan

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"
)

// BenchmarkQuality says how good plans are after a while: the share by which the objective is below
// the best of all that are known (best-%) and below the bound of the same run (gap-%). The best is
// what any of the runs of the problem found up to then, and one of AUGUR_PLAN_BEST seconds with
// another seed, if that is set: what is better still is not known, and shares are the smaller for
// it. With AUGUR_PLAN_CBC seconds there is a row for cbc after that while too, which begins with
// nothing; its gap is to its own bound. Times are those of the wall: a machine that does much else
// gives less.
func BenchmarkQuality(b *testing.B) {
	long, other := setting(b, "AUGUR_PLAN_BEST"), setting(b, "AUGUR_PLAN_CBC")
	for _, s := range shapes {
		for seed := range uint64(2) {
			p := instance(s.shape, seed)
			best := 0.0
			solve := func(b *testing.B, solver Solver, seconds float64, seed uint64) Solution {
				ctx, cancel := context.WithTimeout(b.Context(), time.Duration(seconds*float64(time.Second)))
				defer cancel()
				s, err := solver.Solve(ctx, p, SolveConfig{Seed: seed})
				if err != nil {
					b.Fatal(err)
				}
				best = max(best, s.Objective)
				return s
			}
			if long > 0 {
				solve(b, Search{}, long, 99)
			}
			if other > 0 {
				name := fmt.Sprintf("%s/seed=%d/cbc=%v", s.name, seed, other)
				b.Run(name, func(b *testing.B) {
					cbc := cbcOrSkip(b)
					cbc.Grace = time.Second
					var s Solution
					for b.Loop() {
						s = solve(b, cbc, other, 0)
					}
					if err := judge(p, s); err != nil {
						b.Fatal(err)
					}
					solve(b, Search{}, 5, 1) // or it would be its own best
					b.ReportMetric(100*(1-s.Objective/best), "best-%")
					b.ReportMetric(100*s.gap(), "gap-%")
				})
			}
			solutions := map[float64]Solution{}
			times := []float64{5, 1, 0.1}
			for _, seconds := range times {
				b.Run(fmt.Sprintf("%s/seed=%d/seconds=%v", s.name, seed, seconds), func(b *testing.B) {
					for b.Loop() {
						solutions[seconds] = solve(b, Search{}, seconds, 1)
					}
					s := solutions[seconds]
					if err := judge(p, s); err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(100*(1-s.Objective/best), "best-%")
					b.ReportMetric(100*s.gap(), "gap-%")
				})
			}
		}
	}
}

// setting returns the number in a variable of the environment, 0 if it is not set.
func setting(b *testing.B, name string) float64 {
	s := os.Getenv(name)
	if s == "" {
		return 0
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	return x
}

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

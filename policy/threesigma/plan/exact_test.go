package plan

import (
	"fmt"
	"math"
	"testing"
)

// brute is what all solvers are held to, so it is held to Value, of all choices.
func TestBruteForce(t *testing.T) {
	const n = 30
	for seed := range uint64(n) {
		p := small(seed, n, 17)
		choice, best := make([]int, len(p.Jobs)), 0.0
		var try func(j int)
		try = func(j int) {
			if j == len(choice) {
				if v, err := p.Value(choice); err == nil {
					best = max(best, v)
				}
				return
			}
			for o := None; o < len(p.Jobs[j].Options); o++ {
				choice[j] = o
				try(j + 1)
			}
		}
		try(0)
		if got := milp(p); got != best {
			t.Fatalf("seed %d: %v, want %v", seed, got, best)
		}
	}
}

// judge returns what is wrong with a solution, whatever its quality.
func judge(p *Problem, s Solution) error {
	v, err := p.Value(s.Choice)
	switch {
	case err != nil:
		return err
	case v != s.Objective:
		return fmt.Errorf("objective %v, and the choice is worth %v", s.Objective, v)
	case !(s.Bound >= s.Objective):
		return fmt.Errorf("bound %v below objective %v", s.Bound, s.Objective)
	case s.Proved && s.gap() > 1e-9:
		return fmt.Errorf("proved, and the gap is %v", s.gap())
	}
	for j, o := range s.Choice {
		if o != None && !(p.Jobs[j].Options[o].Utility > 0) {
			return fmt.Errorf("job %d has option %d, of no utility", j, o)
		}
	}
	return nil
}

func TestExactAgainstBruteForce(t *testing.T) {
	n := uint64(600)
	if testing.Short() {
		n = 60
	}
	contested, better := 0, 0
	for seed := range n {
		p := small(seed, n, 3)
		want := milp(p)
		s, err := Exact{}.Solve(t.Context(), p, SolveConfig{})
		if err == nil {
			err = judge(p, s)
		}
		if err != nil || math.Abs(s.Objective-want) > 1e-9 || !s.Proved {
			t.Fatalf("seed %d: %v, proved %v, error %v, want %v", seed, s.Objective, s.Proved, err, want)
		}
		g, err := Greedy{}.Solve(t.Context(), p, SolveConfig{})
		if err == nil {
			err = judge(p, g)
		}
		if err != nil || g.Objective > want+1e-9 || g.Bound < want-1e-9 {
			t.Fatalf("seed %d: Greedy has %v, bound %v, error %v, and %v is the most", seed, g.Objective, g.Bound, err, want)
		}
		if g.Bound > want+1e-9 {
			contested++
		}
		if g.Objective < want-1e-9 {
			better++
		}
	}
	t.Logf("of %d problems %d are contested, and Greedy misses the most in %d", n, contested, better)
	// A few problems say nothing of the rest.
	if !testing.Short() && (contested < int(n)/4 || better == 0) {
		t.Errorf("%d of %d contested, Greedy misses %d: the problems are too easy", contested, n, better)
	}
}

// However soon it is stopped, the answer is one, the bound holds, more iterations do no harm, and
// the same number gives the same.
func TestExactStopped(t *testing.T) {
	open := 0
	const n = 60
	for seed := range uint64(n) {
		p := small(seed, n, 4)
		want := milp(p)
		last := 0.0
		for n := 1; n < 400; n = n*3/2 + 1 {
			s, err := Exact{}.Solve(t.Context(), p, SolveConfig{Iterations: n})
			if err == nil {
				err = judge(p, s)
			}
			if err != nil || s.Bound < want-1e-9 || s.Objective < last || s.Proved && s.Objective < want-1e-9 {
				t.Fatalf("seed %d, %d iterations: %+v, error %v, before %v, the most is %v", seed, n, s, err, last, want)
			}
			again, _ := Exact{}.Solve(t.Context(), p, SolveConfig{Iterations: n})
			if fmt.Sprint(again) != fmt.Sprint(s) {
				t.Fatalf("seed %d, %d iterations: %v, then %v", seed, n, s, again)
			}
			if last = s.Objective; !s.Proved {
				open++
			}
			start, err := Exact{}.Solve(t.Context(), p, SolveConfig{Iterations: 1, Start: s.Choice})
			if err != nil || start.Objective < s.Objective || judge(p, start) != nil {
				t.Fatalf("seed %d: from %v it went to %v, %v", seed, s.Objective, start.Objective, err)
			}
		}
	}
	if open < 60 {
		t.Errorf("only %d searches were stopped before their end", open)
	}
}

// gap returns how much better a choice could be at most, as a share of the Bound: 0 if both are 0, and 1
// if no bound is known.
func (s *Solution) gap() float64 {
	switch {
	case s.Bound <= s.Objective:
		return 0
	case s.Bound > 0 && s.Objective >= 0 && !math.IsInf(s.Bound, 1):
		return (s.Bound - s.Objective) / s.Bound
	}
	return 1
}

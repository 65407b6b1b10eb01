package plan

import (
	"fmt"
	"math"
	"testing"
)

// milp is what all solvers are held to, so it is held to Value, of all choices.
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

func solversAgainstBruteForce(t *testing.T) {
	const n = 900
	contested, better := 0, 0
	for seed := range uint64(n) {
		p := small(seed, n, 8)
		want := milp(p)
		greedy, err := Greedy{}.Solve(t.Context(), p, SolveConfig{})
		if err != nil {
			t.Fatal(err)
		}
		if greedy.Bound > want+1e-9 {
			contested++
		}
		if greedy.Objective < want-1e-9 {
			better++
		}
		for name, solver := range solvers {
			const near = 1e-9
			s, err := solver.Solve(t.Context(), p, SolveConfig{Seed: seed})
			if err == nil {
				err = judge(p, s)
			}
			if err != nil || s.Objective > want+near || s.Bound < want-near || name != "Greedy" && (!s.Proved || s.Objective < want-near) {
				t.Fatalf("%s, seed %d: %v, bound %v, proved %v, error %v, want %v", name, seed, s.Objective, s.Bound, s.Proved, err, want)
			}
		}
	}
	if contested < n/4 || better == 0 {
		t.Errorf("%d of %d contested, Greedy misses %d: the problems are too easy", contested, n, better)
	}
}

// However soon a search is stopped, the answer is one, the bound holds, the same number gives the same, and a start is
// not lost.
func stopped(t *testing.T) {
	const problems = 75
	open, late, misses := 0, 0, 0
	for seed := range uint64(problems) {
		p := small(seed, problems, 9)
		want := milp(p)
		for n := 1; n < 500; n = n*3/2 + 1 {
			config := SolveConfig{Iterations: n, Seed: seed}
			s, err := Search{}.Solve(t.Context(), p, config)
			if err == nil {
				err = judge(p, s)
			}
			if err != nil || s.Bound < want-1e-9 || s.Objective > want+1e-9 || s.Proved && s.Objective < want-1e-9 {
				t.Fatalf("seed %d, %d iterations: %+v, error %v, the most is %v", seed, n, s, err, want)
			}
			again, _ := Search{}.Solve(t.Context(), p, config)
			if fmt.Sprint(again) != fmt.Sprint(s) {
				t.Fatalf("seed %d, %d iterations: %v, then %v", seed, n, s, again)
			}
			start, err := Search{}.Solve(t.Context(), p, SolveConfig{Iterations: 1, Start: s.Choice})
			if err != nil || start.Objective < s.Objective || judge(p, start) != nil {
				t.Fatalf("seed %d: from %v it went to %v, %v", seed, s.Objective, start.Objective, err)
			}
			if !s.Proved {
				open++
			}
			if n > 300 {
				late++
				if s.Objective < want-1e-8 {
					misses++
				}
			}
		}
	}
	if open < 60 || misses*30 > late {
		t.Errorf("%d searches were stopped before their end, and %d of %d miss the most, want at least 60 and at most a thirtieth", open, misses, late)
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

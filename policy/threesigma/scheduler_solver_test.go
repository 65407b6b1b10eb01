package threesigma_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/threesigma/plan"
)

// liar is a solver whose answers are not.
type liar struct{ choice int }

func (l liar) Solve(_ context.Context, p *plan.Problem, _ plan.SolveConfig) (plan.Solution, error) {
	if l.choice == 99 {
		return plan.Solution{}, errors.New("no idea")
	}
	return plan.Solution{Choice: slices.Repeat([]int{l.choice}, len(p.Jobs)), Objective: 1}, nil
}

func solverIsChecked(t *testing.T) {
	for choice, want := range map[int]string{7000: "choice 7000 of job 0", 99: "no idea", 0: "too many"} {
		var first error
		look := func(s *threesigma.Scheduler, _ float64) {
			if first == nil {
				first = s.Last().Err
			}
		}
		r := run(t, threesigma.Config{Solver: liar{choice}}, []int{1}, look, gang(1, 0, 1, 10, 0), gang(2, 0, 1, 10, 0))
		if first == nil || !strings.Contains(first.Error(), want) {
			t.Errorf("choice %d: error %v", choice, first)
		}
		if !r.job(1).Done() || !r.job(2).Done() {
			t.Errorf("choice %d: jobs %v and %v", choice, r.job(1).Outcome, r.job(2).Outcome)
		}
	}
}

// idler is a solver that says in its first cycles that nothing should start.
type idler struct {
	cycles int
	proved bool
}

func (d *idler) Solve(ctx context.Context, p *plan.Problem, c plan.SolveConfig) (plan.Solution, error) {
	if d.cycles--; d.cycles >= 0 {
		return plan.Solution{Choice: slices.Repeat([]int{-1}, len(p.Jobs)), Proved: d.proved}, nil
	}
	return plan.Greedy{}.Solve(ctx, p, c)
}

// A solver that proves that nothing should start is believed. One that had no time keeps nobody waiting.
func TestIdleSolver(t *testing.T) {
	for _, proved := range []bool{false, true} {
		r := run(t, threesigma.Config{Solver: &idler{3, proved}}, []int{1}, nil, gang(1, 0, 1, 10, 0))
		if starts := r.starts[1]; len(starts) != 1 || starts[0] >= 20 != proved {
			t.Errorf("proved %t: the job starts at %v s", proved, starts)
		}
	}
}

// heir is a solver that takes note of what is left to it.
type heir struct{ warm []any }

func (h *heir) Solve(ctx context.Context, p *plan.Problem, c plan.SolveConfig) (plan.Solution, error) {
	h.warm = append(h.warm, c.Warm)
	solution, err := plan.Greedy{}.Solve(ctx, p, c)
	solution.State = plan.Prices{{5, 6, 7}}
	return solution, err
}

// A solver begins with the prices of the last cycle, moved by the time since.
func TestWarmSolver(t *testing.T) {
	h := &heir{}
	run(t, threesigma.Config{Solver: h, Window: threesigma.Window{Slots: 3, Width: 10}}, []int{1}, nil, gang(1, 0, 1, 25, 0), gang(2, 0, 1, 10, 0))
	if want := []any{nil, plan.Prices{{6, 7, 0}}}; len(h.warm) < 2 || !reflect.DeepEqual(h.warm[:2], want) {
		t.Errorf("left to it was %v, want %v", h.warm, want)
	}
}

// hole is a distribution without values beyond 50 s.
type hole struct{ forecast.Known }

func (h hole) CDF(x float64) float64 {
	if x > 50 && x < 1000 {
		return math.NaN()
	}
	return h.Known.CDF(x)
}

// A distribution that fails is one of which nothing is known, and does not keep others waiting.
func TestBrokenDistribution(t *testing.T) {
	b := &book{of: map[policy.JobID]central.Distribution{1: hole{2000}, 2: forecast.Known(10)}}
	var first error
	look := func(s *threesigma.Scheduler, _ float64) {
		if first == nil {
			first = s.Last().Err
		}
	}
	r := run(t, threesigma.Config{Forecast: b}, []int{1}, look, gang(1, 0, 1, 100, 0), gang(2, 0, 1, 10, 500))
	if first == nil || !strings.Contains(first.Error(), "job 1") || !r.job(1).Done() || !r.job(2).MetDeadline() {
		t.Errorf("error %v; jobs %v and %v", first, r.job(1).Outcome, r.job(2).Outcome)
	}
}

// The context of the configuration ends the solver, once for each cycle.
func TestContext(t *testing.T) {
	calls, cancelled := 0, 0
	c := threesigma.Config{Context: func() (context.Context, context.CancelFunc) {
		calls++
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		return ctx, func() { cancelled++ }
	}}
	r := run(t, c, []int{1}, nil, gang(1, 0, 1, 10, 0), gang(2, 0, 1, 10, 0))
	if n := int(r.scheduler.Last().N); calls != n || cancelled != n || !r.job(1).Done() || !r.job(2).Done() {
		t.Errorf("%d calls, %d cancelled in %d cycles", calls, cancelled, n)
	}
}

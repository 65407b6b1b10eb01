package plan

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"
)

// solvers are those whose edges are tested. Each must pass all of it.
var solvers = map[string]Solver{"Greedy": Greedy{}, "Search": Search{}}

func TestEdges(t *testing.T) {
	one := func(place Place, o Option, profile ...float64) Job {
		return Job{Profiles: [][]float64{profile}, Places: []Place{place}, Options: []Option{o}}
	}
	for _, c := range []struct {
		name string
		p    *Problem
		want float64
	}{
		{"nothing", &Problem{}, 0},
		{"no jobs", &Problem{Capacity: [][]float64{{1, 2}}}, 0},
		{"no pools, jobs without options", &Problem{Jobs: make([]Job, 3)}, 0},
		{"no slots", &Problem{Capacity: [][]float64{{}, {}}, Jobs: make([]Job, 1)}, 0},
		{"capacity 0", &Problem{Capacity: [][]float64{{0, 0}}, Jobs: []Job{one(at(1, 0), Option{Utility: 1}, 1)}}, 0},
		{"capacity 0, no nodes wanted", &Problem{Capacity: [][]float64{{0, 0}}, Jobs: []Job{one(at(0, 0), Option{Utility: 1}, 1)}}, 1},
		{"capacity 0, a place without shares", &Problem{Capacity: [][]float64{{0, 0}}, Jobs: []Job{one(nil, Option{Utility: 1}, 1)}}, 1},
		{"no pools, a place without shares", &Problem{Jobs: []Job{{Places: []Place{nil}}}}, 0},
		{"one share does not fit", &Problem{Capacity: [][]float64{{3}, {2}, {3}}, Jobs: []Job{one(at(3, 0, 1, 2), Option{Utility: 1}, 1)}}, 0},
		{"all shares fit", &Problem{Capacity: [][]float64{{3}, {0}, {3}}, Jobs: []Job{
			one(Place{{0, 3}, {1, 0}, {2, 2}}, Option{Utility: 2}, 1), one(at(2, 2), Option{Utility: 1}, 1), one(at(1, 2), Option{Utility: 1}, 1),
		}}, 3},
		{"capacity 0, over at once", &Problem{Capacity: [][]float64{{0, 0}}, Jobs: []Job{one(at(5, 0), Option{Utility: 1})}}, 1},
		{"fits nowhere", &Problem{Capacity: [][]float64{{3, 3}}, Jobs: []Job{
			one(at(4, 0), Option{Utility: 9}, 1), one(at(3, 0), Option{Utility: 1}, 1),
		}}, 1},
		{"no utility", &Problem{Capacity: [][]float64{{3}}, Jobs: []Job{one(at(1, 0), Option{Utility: 0}, 1), one(nil, Option{Utility: -1}, 1)}}, 0},
		{"beyond the last slot", &Problem{Capacity: [][]float64{{3, 3}}, Jobs: []Job{one(at(3, 0), Option{Utility: 2, Start: 1}, 1, 1, 1, 1)}}, 2},
		{"huge", &Problem{Capacity: [][]float64{{MaxNodes}}, Jobs: []Job{
			one(at(MaxNodes, 0), Option{Utility: 1}, 1), one(at(MaxNodes, 0), Option{Utility: 2}, 1),
		}}, 2},
		{"hardly anything beside the most", &Problem{Capacity: [][]float64{{MaxNodes, MaxNodes, MaxNodes}, {MaxNodes, MaxNodes, MaxNodes}}, Jobs: []Job{
			one(Place{{0, math.SmallestNonzeroFloat64}, {1, MaxNodes}}, Option{Utility: 2}, 1, 1),
			one(Place{{0, math.SmallestNonzeroFloat64}, {1, MaxNodes}}, Option{Utility: 2}, 1), one(at(MaxNodes, 0), Option{Utility: 3}, 1),
		}}, 5},
		{"the greatest utilities", &Problem{Capacity: [][]float64{{2}}, Jobs: []Job{
			one(at(1, 0), Option{Utility: MaxUtility / 4}, 1), one(at(1, 0), Option{Utility: MaxUtility}, 1),
			one(at(1, 0), Option{Utility: 1}, 1), one(at(1, 0), Option{Utility: MaxUtility / 2}, 1),
		}}, 1.5 * MaxUtility},
	} {
		for name, solver := range solvers {
			s, err := solver.Solve(t.Context(), c.p, SolveConfig{})
			if err == nil {
				err = judge(c.p, s)
			}
			if err != nil || s.Objective != c.want {
				t.Errorf("%s, %s: %v, %v, want %v", name, c.name, s.Objective, err, c.want)
			}
		}
	}
}

func refusesProblems(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		want string
		harm func(p *Problem)
	}{
		{"utility NaN", func(p *Problem) { p.Jobs[1].Options[0].Utility = nan }},
		{"utility +Inf", func(p *Problem) { p.Jobs[1].Options[0].Utility = inf }},
		{"utility -Inf", func(p *Problem) { p.Jobs[1].Options[0].Utility = -inf }},
		{"place 2", func(p *Problem) { p.Jobs[0].Options[1].Place = 2 }},
		{"place -1", func(p *Problem) { p.Jobs[0].Options[1].Place = -1 }},
		{"starts in slot 1", func(p *Problem) { p.Jobs[1].Options[1].Start = 1 }},
		{"starts in slot -1", func(p *Problem) { p.Jobs[1].Options[1].Start = -1 }},
		{"profile 1", func(p *Problem) { p.Jobs[1].Options[1].Profile = 1 }},
		{"profile -1", func(p *Problem) { p.Jobs[1].Options[1].Profile = -1 }},
		{"profile 0 is NaN", func(p *Problem) { p.Jobs[1].Profiles[0][0] = nan }},
		{"profile 0 is 1.5", func(p *Problem) { p.Jobs[1].Profiles[0][0] = 1.5 }},
		{"profile 0 is -1", func(p *Problem) { p.Jobs[1].Profiles[0][0] = -1 }},
		{"profile 0 is 0.75", func(p *Problem) { p.Jobs[1].Profiles[0] = []float64{0.5, 0.75} }},
		{"place 0", func(p *Problem) { p.Jobs[0].Places[0][0].Nodes = nan }},
		{"place 0", func(p *Problem) { p.Jobs[0].Places[0][0].Nodes = inf }},
		{"place 0", func(p *Problem) { p.Jobs[0].Places[0][0].Nodes = -1 }},
		{"place 0", func(p *Problem) { p.Jobs[0].Places[0][0].Pool = 1 }},
		{"place 0", func(p *Problem) { p.Jobs[0].Places[0][0].Pool = -1 }},
		{"place 0", func(p *Problem) { p.Jobs[0].Places[0] = at(1, 0, 0) }},
		{"place 0", func(p *Problem) { p.Capacity = append(p.Capacity, p.Capacity[0]); p.Jobs[0].Places[0] = at(1, 1, 0) }},
		{"NaN nodes in slot 0", func(p *Problem) { p.Capacity[0][0] = nan }},
		{"+Inf nodes in slot 0", func(p *Problem) { p.Capacity[0][0] = inf }},
		{"-1 nodes in slot 0", func(p *Problem) { p.Capacity[0][0] = -1 }},
		{"pool 1 has 2 slots", func(p *Problem) { p.Capacity = append(p.Capacity, []float64{1, 1}) }},
	} {
		for name, solver := range solvers {
			p := pair()
			c.harm(p)
			s, err := solver.Solve(t.Context(), p, SolveConfig{})
			if err == nil || !strings.Contains(err.Error(), c.want) || s.Choice != nil {
				t.Errorf("%s: %v, %v, want %q", name, s, err, c.want)
			}
		}
	}
	for name, solver := range solvers {
		if _, err := solver.Solve(t.Context(), pair(), SolveConfig{Iterations: -1}); err == nil || !strings.Contains(err.Error(), "-1 Iterations") {
			t.Errorf("%s: -1 Iterations: %v, want an error that names them", name, err)
		}
	}
}

// A ctx that has ended, or ends soon: the answer fits, is worth what is said, is no worse than the start, and no
// plan that is known is above its bound.
func TestCancelled(t *testing.T) {
	p := plain(2, 200, true)
	good, err := Search{}.Solve(t.Context(), p, SolveConfig{Iterations: 30})
	if err != nil || good.Objective <= 0 {
		t.Fatal(good.Objective, err)
	}
	for name, solver := range solvers {
		for _, after := range []time.Duration{0, time.Millisecond, 10 * time.Millisecond} {
			ctx, cancel := context.WithTimeout(t.Context(), after)
			began := time.Now()
			got, err := solver.Solve(ctx, p, SolveConfig{Start: good.Choice})
			took := time.Since(began)
			cancel()
			if err != nil || judge(p, got) != nil || got.Objective < good.Objective || took > after+5*time.Second {
				t.Errorf("%s after %v: %v, %v, bound %v, and a plan has %v; it took %v", name, after, err, judge(p, got), got.Bound, good.Objective, took)
			}
		}
	}
}

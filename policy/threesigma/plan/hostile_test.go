package plan

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/augur/internal/hostile"
)

// twoJobs have an option that fits and one that does not, at places of two pools.
func twoJobs() *Problem {
	return &Problem{Capacity: [][]float64{{4, 4}, {2, 3}}, Jobs: []Job{
		{Profiles: [][]float64{{0.5, 0}}, Places: []Place{{{0, 3}}}, Options: []Option{{Utility: 5}}},
		{Profiles: [][]float64{{0.5, 0}, {0.25}}, Places: []Place{{{0, 3}}}, Options: []Option{{Utility: 3}, {Utility: 2, Start: 1, Profile: 1}}},
	}}
}

func TestHostileNumbers(t *testing.T) {
	first := hostile.Only(hostile.Refuses, 0)
	problem := hostile.Arg{Name: "p", Value: twoJobs(), Rules: hostile.Rules{
		"Capacity[][]": hostile.Between(0, MaxNodes), "Jobs[].Profiles[][]": hostile.Between(0, 0.5),
		"Jobs[].Places[][].Pool": first, "Jobs[].Places[][].Nodes": hostile.Between(0, MaxNodes),
		"Jobs[].Options[].Utility": hostile.Between(-MaxUtility, MaxUtility), "Jobs[].Options[].Place": first,
		"Jobs[].Options[].Start": first, "Jobs[].Options[].Profile": first,
	}}
	config := hostile.Arg{Name: "o", Value: SolveConfig{Iterations: 100, Start: []int{0, None}, Seed: 1}, Rules: hostile.Rules{
		"Iterations": hostile.NotNegative, "Start[]": hostile.Any, "Seed": hostile.Any, // what is no option is left out
	}}
	cases := []hostile.Case{
		{Name: "nothing", Args: []any{&Problem{}, SolveConfig{}}, Want: hostile.Takes},
		{Name: "a start of many more jobs", Args: []any{twoJobs(), SolveConfig{Start: make([]int, 1000)}}, Want: hostile.Takes},
		{Name: "prices of another problem", Args: []any{twoJobs(), SolveConfig{Warm: Prices{{1}}}}, Want: hostile.Takes},
		{Name: "prices that are none", Args: []any{twoJobs(), SolveConfig{Warm: Prices{{math.NaN(), -1}, {math.Inf(1), math.MaxFloat64}}}}, Want: hostile.Takes},
		{Name: "the greatest utilities", Args: []any{&Problem{Capacity: [][]float64{{9}}, Jobs: []Job{
			{Profiles: [][]float64{{1}}, Places: []Place{at(1, 0)}, Options: []Option{{Utility: MaxUtility}}},
			{Profiles: [][]float64{{1}}, Places: []Place{at(1, 0)}, Options: []Option{{Utility: MaxUtility}, {Utility: 1}}},
		}}, SolveConfig{Iterations: 1000}}, Want: hostile.Takes},
	}
	var asked *Problem
	by := func(s Solver) func() (any, func() string) {
		return func() (any, func() string) {
			return func(p *Problem, o SolveConfig) (Solution, error) {
				asked = p
				before := hostile.Dump(p)
				solution, err := s.Solve(t.Context(), p, o)
				if hostile.Dump(p) != before {
					err = fmt.Errorf("the problem was %s, and has become %s", before, hostile.Dump(p))
				}
				return solution, err
			}, nil
		}
	}
	sane := func(results []any) error { return judge(asked, results[0].(Solution)) }
	args := []hostile.Arg{problem, config}
	hostile.Test(t,
		hostile.Call{Name: "Greedy.Solve", New: by(Greedy{}), Args: args, Cases: cases, Sane: sane},
		hostile.Call{Name: "Exact.Solve", New: by(Exact{}), Args: args, Cases: cases, Sane: sane},
		hostile.Call{Name: "Search.Solve", New: by(Search{}), Args: args, Cases: cases, Sane: sane},
		hostile.Call{Name: "Problem.Validate", New: func() (any, func() string) { return (*Problem).Validate, nil }, Args: args[:1]},
		hostile.Call{
			Name: "Problem.Value", New: func() (any, func() string) { return (*Problem).Value, nil },
			Args: []hostile.Arg{
				{Name: "p", Value: twoJobs(), Rules: problem.Rules},
				{Name: "choice", Value: []int{None, None}, Rules: hostile.Rules{"[]": hostile.Only(hostile.Refuses, -1, 0)}},
			},
			Cases: []hostile.Case{
				{Name: "no choices", Args: []any{twoJobs(), nil}, Want: hostile.Refuses},
				{Name: "a choice too many", Args: []any{twoJobs(), []int{0, 0, None}}, Want: hostile.Refuses},
				{Name: "nothing of nothing", Args: []any{&Problem{}, nil}, Want: hostile.Gives(0.0, nil)},
			},
		},
		hostile.Call{Name: "Problem.WriteMPS", New: func() (any, func() string) {
			var b bytes.Buffer
			return func(p *Problem) error { return p.WriteMPS(&b) }, b.String
		}, Args: args[:1]},
		hostile.Call{
			Name: "Place.Validate", New: func() (any, func() string) { return Place.Validate, nil },
			Args: []hostile.Arg{
				{Name: "place", Value: Place{{0, 3}}, Rules: hostile.Rules{"[].Pool": first, "[].Nodes": hostile.Between(0, MaxNodes)}},
				{Name: "pools", Value: 1, Rules: hostile.Rules{"": hostile.AtLeast(1)}},
			},
			Cases: []hostile.Case{
				{Name: "nothing, of no pools", Args: []any{nil, 0}, Want: hostile.Takes},
				{Name: "a pool twice", Args: []any{Place{{1, 1}, {1, 1}}, 3}, Want: hostile.Refuses},
				{Name: "unsorted", Args: []any{Place{{2, 1}, {1, 1}}, 3}, Want: hostile.Refuses},
			},
		},
		hostile.Call{Name: "Prices.Shift", New: func() (any, func() string) { return Prices.Shift, nil }, Args: []hostile.Arg{
			{Name: "p", Value: Prices{{1, 2, 3}, {4}, nil}, Rules: hostile.Rules{"[][]": hostile.Any}},
			{Name: "slots", Value: 1, Rules: hostile.Rules{"": hostile.Where(func(x float64) bool { return x == 0 || x == -1 },
				hostile.Gives(Prices{{0, 0, 0}, {0}, {}}))}},
		}},
	)
}

// cbc gets the same problem each time: what is wrong with one, the others find.
func TestHostileNumbersForCBC(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(t.TempDir(), fakePrefix+"answer")
	if err := os.Symlink(self, path); err != nil {
		t.Skip(err)
	}
	hostile.Test(t, hostile.Call{
		Name: "CBC.Solve", New: func() (any, func() string) {
			return func(grace time.Duration, o SolveConfig) (Solution, error) {
				return CBC{Path: path, Grace: grace}.Solve(t.Context(), pair(), o)
			}, nil
		},
		Args: []hostile.Arg{
			{Name: "Grace", Value: time.Second, Rules: hostile.Rules{"": hostile.Any}},
			{Name: "o", Value: SolveConfig{Iterations: 100, Start: []int{0, None}, Seed: 1}, Rules: hostile.Rules{
				"Iterations": hostile.NotNegative, "Start[]": hostile.Any, "Seed": hostile.Any,
			}},
		},
		Sane: func(results []any) error { return judge(pair(), results[0].(Solution)) },
	})
}

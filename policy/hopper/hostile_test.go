package hopper_test

import (
	"fmt"
	"math"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/policy/hopper"
)

// The limits of the numbers of a Demand, and of slots.
var (
	upTo15  = hostile.Between(0, 1e15)
	amount  = hostile.Where(func(x float64) bool { return x == 0 || x >= 1e-100 && x <= 1e15 }, hostile.Refuses)
	demands = hostile.Rules{
		"[].Tasks": amount, "[].Weight": amount, "[].Downstream": upTo15, "[].Floor": hostile.Between(0, 90),
		"[].Tail": hostile.Where(func(x float64) bool { return x > 1 && x <= 1e100 }, hostile.Refuses),
	}
	anyFloors = hostile.Rules{
		"[].Tasks": amount, "[].Weight": amount, "[].Downstream": upTo15, "[].Floor": hostile.Any, "[].Tail": demands["[].Tail"],
	}
)

func twoDemands() []hopper.Demand {
	return []hopper.Demand{
		{Tasks: 40, Tail: 1.5, Weight: 1, Downstream: 5, Floor: 10},
		{Tasks: 60.5, Tail: 2.5, Weight: 3, Floor: 0},
	}
}

// sharesAreSane says whether shares are as many as jobs, and numbers.
func sharesAreSane(results []any) error {
	shares := results[0].([]float64)
	for _, x := range shares {
		if !(x >= 0 && x <= 1e15*(1+1e-9)) {
			return fmt.Errorf("shares are %v", shares)
		}
	}
	return nil
}

func TestHostileNumbersOfShares(t *testing.T) {
	is := func(f any) func() (any, func() string) {
		return func() (any, func() string) { return f, nil }
	}
	nan := math.NaN()
	known := hostile.Where(func(x float64) bool { return x >= 0 }, hostile.Gives(nan))
	tail := hostile.Where(func(x float64) bool { return x > 1 }, hostile.Gives(nan))
	large := func(x float64) bool { return x == math.MaxFloat64 }
	finite := func(results []any) error {
		if x := results[0].(float64); !(x >= 0 && x <= math.MaxFloat64) && !math.IsNaN(x) {
			return fmt.Errorf("it is %v", x)
		}
		return nil
	}
	slots := hostile.Arg{Name: "slots", Value: 100.0, Rules: hostile.Rules{"": upTo15}}
	unsorted := []hopper.Demand{{Tasks: 3, Tail: 3, Weight: 1}, {Tasks: 0, Tail: 2}, {Tasks: 1, Tail: 2, Weight: 1}, {Tasks: 1, Tail: 2, Weight: 1}}
	hostile.Test(t,
		hostile.Call{
			Name: "Allocate", New: is(hopper.Allocate), Args: []hostile.Arg{
				{Name: "shares", Value: []float64(nil)},
				{Name: "slots", Value: 100.0, Rules: hostile.Rules{"": upTo15.Or(func(x float64) bool { return x < 10 }, hostile.Refuses)}},
				{Name: "jobs", Value: twoDemands(), Rules: demands},
			},
			Cases: []hostile.Case{
				{Name: "no jobs", Args: []any{nil, 100.0, nil}, Want: hostile.Gives([]float64(nil))},
				{Name: "no jobs, and shares of others", Args: []any{[]float64{1}, 100.0, nil}, Want: hostile.Gives([]float64{1})},
				{Name: "unsorted, one twice", Args: []any{nil, 100.0, unsorted}, Want: hostile.Takes},
				{Name: "zero demand", Args: []any{nil, 100.0, make([]hopper.Demand, 2)}, Want: hostile.Refuses},
			},
			Sane: sharesAreSane,
		},
		hostile.Call{
			Name: "EpsilonFair", New: is(hopper.EpsilonFair), Args: []hostile.Arg{
				{Name: "shares", Value: []float64(nil)}, slots,
				{Name: "epsilon", Value: 0.1, Rules: hostile.Rules{"": hostile.Between(0, 1)}},
				{Name: "jobs", Value: twoDemands(), Rules: anyFloors},
			},
			Cases: []hostile.Case{
				{Name: "no jobs", Args: []any{nil, 100.0, 0.1, nil}, Want: hostile.Gives([]float64(nil))},
				{Name: "unsorted, one twice", Args: []any{nil, 100.0, 0.1, unsorted}, Want: hostile.Takes},
			},
			Sane: sharesAreSane,
		},
		hostile.Call{Name: "Rate", New: is(hopper.Rate), Sane: finite, Args: []hostile.Arg{
			{Name: "slots", Value: 12.0, Rules: hostile.Rules{"": known.Or(large, hostile.Gives(12.0))}},
			{Name: "tasks", Value: 4.0, Rules: hostile.Rules{"": known.Or(large, hostile.Gives(13.5))}},
			{Name: "tail", Value: 1.5, Rules: hostile.Rules{"": tail.Or(large, hostile.Gives(4.0))}},
		}},
		hostile.Call{Name: "VirtualSize", New: is(hopper.VirtualSize), Args: []hostile.Arg{
			{Name: "tasks", Value: 4.0, Rules: hostile.Rules{"": known}},
			{Name: "tail", Value: 1.5, Rules: hostile.Rules{"": tail}},
			{Name: "weight", Value: 2.0, Rules: hostile.Rules{"": known}},
		}},
	)
}

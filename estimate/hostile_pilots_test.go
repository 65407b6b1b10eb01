package estimate_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/estimate"
	"example.com/augur/internal/hostile"
)

func TestHostilePilots(t *testing.T) {
	const most = 1 << 28
	src := hostile.Arg{Name: "src", Value: rand.NewPCG(1, 2)}
	hostile.Test(t,
		hostile.Call{Name: "PilotCount", New: hostile.Func(estimate.PilotCount), Args: []hostile.Arg{
			hostile.Number("tasks", 100, hostile.AtLeast(1)),
			hostile.Number("ratio", 0.03, hostile.Where(func(r float64) bool { return r > 0 && r <= 1 }, hostile.Refuses)),
		}, Cases: []hostile.Case{
			{Name: "all of as many as can be", Args: []any{math.MaxInt, 1.0}, Want: hostile.Gives(math.MaxInt, nil)},
			{Name: "half of them", Args: []any{1 << 30, 0.5}, Want: hostile.Gives(1<<29, nil)},
			{Name: "nearly none", Args: []any{math.MaxInt, 5e-324}, Want: hostile.Gives(1, nil)},
		}},
		hostile.Call{Name: "Pilots", New: hostile.Func(estimate.Pilots), Args: []hostile.Arg{
			{Name: "dst", Value: []int(nil)},
			hostile.Number("tasks", 100, hostile.Between(3, most)),
			hostile.Number("number of pilots", 3, hostile.Between(0, 100)), src,
		}, Cases: []hostile.Case{
			{Name: "no source", Args: []any{nil, 100, 3, nil}, Want: hostile.Refuses},
			{Name: "all of too many", Args: []any{nil, math.MaxInt, math.MaxInt, rand.NewPCG(1, 2)}, Want: hostile.Refuses},
			{Name: "none of none", Args: []any{nil, 0, 0, rand.NewPCG(1, 2)}, Want: hostile.Takes},
		}, Sane: func(results []any) error {
			if got := results[0].([]int); !slices.IsSorted(got) || len(got) > 0 && got[0] < 0 {
				return errors.New("it is not in order")
			}
			return nil
		}},
	)
}

package estimate_test

import (
	"fmt"
	"iter"
	"math"
	"testing"

	"example.com/augur/estimate"
	"example.com/augur/internal/hostile"
)

// bins pairs values with weights.
func bins(values, weights []float64) iter.Seq2[float64, float64] {
	return func(yield func(x, w float64) bool) {
		for i := range values {
			if !yield(values[i], weights[i]) {
				return
			}
		}
	}
}

func TestHostileBins(t *testing.T) {
	crps := func(values, weights []float64, actual float64) (float64, error) {
		return estimate.CRPS(bins(values, weights), actual)
	}
	power := func(values, weights []float64, p float64) (float64, error) {
		return estimate.PowerMean(bins(values, weights), p)
	}
	weight := hostile.Arg{Name: "weight", Value: []float64{2, 1, 2}, Rules: hostile.Rules{"[]": hostile.NotNegative}}
	value := hostile.Arg{Name: "value", Value: []float64{4, 4, 4}, Rules: hostile.Rules{"[]": hostile.NotNegative}}
	one, none, largest := []float64{4}, []float64{}, math.MaxFloat64
	ends, equal := []float64{-largest, largest}, []float64{1, 1}
	hostile.Test(t,
		hostile.Call{Name: "CRPS", New: hostile.Func(crps), Sane: between(0, largest), Args: []hostile.Arg{
			{Name: "value", Value: one, Rules: hostile.Rules{"[]": hostile.Finite}}, // order is below
			{Name: "weight", Value: one, Rules: hostile.Rules{"[]": hostile.Positive}},
			hostile.Number("actual value", 4.0, hostile.Finite),
		}, Cases: []hostile.Case{
			{Name: "unsorted", Args: []any{[]float64{3, 5, 4}, []float64{1, 1, 1}, 4.0}, Want: hostile.Refuses},
			{Name: "duplicate", Args: []any{[]float64{3, 3}, equal, 3.0}, Want: hostile.Gives(0.0, nil)},
			{Name: "none", Args: []any{none, none, 4.0}, Want: hostile.Refuses},
			{Name: "no weight", Args: []any{ends, []float64{0, 0}, 4.0}, Want: hostile.Refuses},
			{Name: "negative weight", Args: []any{ends, []float64{2, -1}, 4.0}, Want: hostile.Refuses},
			{Name: "weights too large", Args: []any{ends, []float64{largest, largest}, 4.0}, Want: hostile.Refuses},
			{Name: "the ends", Args: []any{ends, equal, 0.0}, Want: hostile.Gives(largest/2, nil)},
			{Name: "one at the far end", Args: []any{ends, []float64{1, 0}, largest}, Want: hostile.Gives(largest, nil)},
			{Name: "none at the far end", Args: []any{ends, []float64{1, 0}, -largest}, Want: hostile.Gives(0.0, nil)},
			{Name: "most at the far end", Args: []any{ends, []float64{1e300, 1e-300}, -1.0}, Want: hostile.Takes},
		}},
		hostile.Call{Name: "PowerMean", New: hostile.Func(power), Sane: between(0, largest), Args: []hostile.Arg{
			value, weight,
			hostile.Number("power", 2.0, hostile.Rule(hostile.Any).Or(math.IsNaN, hostile.Refuses)),
		}, Cases: powers()},
	)
}

// powers are cases of all sizes of power, each with all sizes of values.
func powers() (cases []hostile.Case) {
	for _, p := range []float64{math.Inf(1), math.Inf(-1), -1e18, -2, -1, -1e-300, 0, 1e-300, 0.5, 1, 2, 1e18, math.MaxFloat64} {
		for _, values := range [][]float64{{0, 1, 2}, {5e-324, 1, math.MaxFloat64}, {math.MaxFloat64, math.MaxFloat64, math.MaxFloat64}, {0, 0, 0}} {
			for _, weights := range [][]float64{{1, 1, 1}, {5e-324, 1, 5e-324}, {1e300, 1e-300, 1}, {0, 0, 1}} {
				cases = append(cases, hostile.Case{Name: fmt.Sprint(p, values, weights), Args: []any{values, weights, p}, Want: hostile.Takes})
			}
		}
	}
	return append(cases, hostile.Case{Name: "none", Args: []any{[]float64{}, []float64{}, 1.0}, Want: hostile.Refuses})
}

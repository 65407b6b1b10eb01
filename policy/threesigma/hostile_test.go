package threesigma_test

import (
	"fmt"
	"math"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
)

func is(f any) func() (any, func() string) { return func() (any, func() string) { return f, nil } }

var (
	isNaN  = hostile.Gives(math.NaN())
	notNaN = hostile.Rule(hostile.Any).Or(math.IsNaN, isNaN)
)

// between says whether a result is a number, from least to most, or NaN where that is allowed.
func between(least, most float64, nan bool) func(results []any) error {
	return func(results []any) error {
		if x := results[0].(float64); !(x >= least && x <= most) && !(nan && math.IsNaN(x)) {
			return fmt.Errorf("it is %v, want %v to %v", x, least, most)
		}
		return nil
	}
}

func TestHostileNumbersOfUtility(t *testing.T) {
	u := must2(t, threesigma.NewStep, 10.0, 5.0)
	points := []threesigma.Point{{Time: 0, Value: 3}, {Time: 10, Value: -1}, {Time: 10, Value: 2}, {Time: 20, Value: 0}}
	curve, err := threesigma.NewUtility(points...)
	if err != nil {
		t.Fatal(err)
	}
	// sane asks a utility what it is worth at any time, and expected to be.
	sane := func(results []any) error {
		u := results[0].(threesigma.Utility)
		for _, at := range []float64{-math.MaxFloat64, -1, 0, math.SmallestNonzeroFloat64, 10, 15, 20, math.MaxFloat64, math.Inf(1)} {
			if x := u.At(at); !(math.Abs(x) <= math.MaxFloat64) {
				return fmt.Errorf("at %v it is %v", at, x)
			}
		}
		for _, start := range []float64{-1, 0, 10, 1e18} {
			for _, runtime := range []float64{0, math.SmallestNonzeroFloat64, 5, 1e18} {
				if x := u.Expected(forecast.Known(runtime), start); !(math.Abs(x) <= math.MaxFloat64) {
					return fmt.Errorf("with a start at %v, and a runtime of %v, it is %v", start, runtime, x)
				}
			}
		}
		return nil
	}
	hostile.Test(t,
		hostile.Call{Name: "NewStep", New: is(threesigma.NewStep), Sane: sane, Args: []hostile.Arg{
			{Name: "value", Value: 10.0, Rules: hostile.Rules{"": hostile.NotNegative}},
			{Name: "deadline", Value: 5.0, Rules: hostile.Rules{"": hostile.Finite}},
		}},
		hostile.Call{
			Name: "NewUtility", New: is(threesigma.NewUtility), Sane: sane,
			Args: []hostile.Arg{{Name: "points", Value: []threesigma.Point{{Time: 10, Value: 4}}, Rules: hostile.Rules{"[].Time": hostile.Finite, "[].Value": hostile.Finite}}},
			Cases: []hostile.Case{
				{Name: "no points", Args: []any{nil}, Want: hostile.Takes},
				{Name: "unsorted", Args: []any{[]threesigma.Point{{Time: 2}, {Time: 1}}}, Want: hostile.Refuses},
				{Name: "a jump", Args: []any{points}, Want: hostile.Takes},
				{Name: "three of one time", Args: []any{make([]threesigma.Point, 3)}, Want: hostile.Refuses},
				{Name: "too far apart", Args: []any{[]threesigma.Point{{Time: -math.MaxFloat64}, {Time: math.MaxFloat64}}}, Want: hostile.Refuses},
				{Name: "too deep", Args: []any{[]threesigma.Point{{Value: math.MaxFloat64}, {Time: 1, Value: -math.MaxFloat64}}}, Want: hostile.Refuses},
				{Name: "steep", Args: []any{[]threesigma.Point{{Value: 1}, {Time: math.SmallestNonzeroFloat64}}}, Want: hostile.Takes},
				{Name: "steep as can be", Args: []any{[]threesigma.Point{{Value: math.MaxFloat64}, {Time: math.SmallestNonzeroFloat64}}}, Want: hostile.Takes},
				{Name: "deep", Args: []any{[]threesigma.Point{{Value: math.MaxFloat64}, {Time: 0.5}}}, Want: hostile.Takes},
				{Name: "long", Args: []any{[]threesigma.Point{{Time: -1e300, Value: 1}, {Time: 1e300}}}, Want: hostile.Takes},
			},
		},
		hostile.Call{Name: "Utility.At", New: is(u.At), Sane: between(0, 10, true), Args: []hostile.Arg{{Name: "time", Value: 3.0, Rules: hostile.Rules{"": notNaN}}}},
		hostile.Call{Name: "Utility.At", New: is(curve.At), Sane: between(-1, 3, true), Args: []hostile.Arg{{Name: "time", Value: 3.0, Rules: hostile.Rules{"": notNaN}}}},
		hostile.Call{
			Name: "Utility.Expected", New: is(curve.Expected), Sane: between(-1, 3, true),
			Args: []hostile.Arg{
				{Name: "d", Value: threesigma.Distribution(forecast.Known(4)), Rules: hostile.Rules{"": notNaN}},
				{Name: "start", Value: 3.0, Rules: hostile.Rules{"": hostile.Where(func(float64) bool { return true }, isNaN).
					Or(func(x float64) bool { return x <= -1e18 && !math.IsInf(x, -1) }, hostile.Gives(3.0))}},
			},
		},
		hostile.Call{
			Name: "Overestimate.Utility", New: is(threesigma.Overestimate.Utility), Sane: sane,
			Args: []hostile.Arg{
				{Name: "o", Value: threesigma.Overestimate{Handling: threesigma.Always, Threshold: 0.5, Tail: 3}, Rules: hostile.Rules{
					"Handling": hostile.Only(hostile.Refuses, 0, 1, 2), "Threshold": hostile.Between(0, 1), "Tail": hostile.NotNegative,
				}},
				{Name: "slo", Value: policy.SLO{Deadline: 10e9, Utility: 3}, Rules: hostile.Rules{
					"Deadline": hostile.Any, "Utility": hostile.NotNegative.Or(func(x float64) bool { return x == 0 }, hostile.Takes),
				}},
				{Name: "submitted", Value: policy.Time(1e9), Rules: hostile.Rules{"": hostile.Any}},
				{Name: "d", Value: threesigma.Distribution(forecast.Known(4)), Rules: hostile.Rules{"": hostile.Any}},
			},
		},
	)
}

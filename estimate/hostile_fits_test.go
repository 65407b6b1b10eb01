package estimate_test

import (
	"cmp"
	"fmt"
	"math"
	"testing"

	"example.com/augur/estimate"
	"example.com/augur/internal/hostile"
)

func TestHostileConformal(t *testing.T) {
	var c *estimate.Conformal
	of := func(config estimate.ConformalConfig, method func(*estimate.Conformal) any) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			if c, err = estimate.NewConformal(config); err != nil {
				t.Fatal(err)
			}
			for _, y := range []float64{3, 5, 4} {
				if err := c.Add(3, 4, y); err != nil {
					t.Fatal(err)
				}
			}
			return method(c), func() string { return hostile.Dump(c) }
		}
	}
	sane := func([]any) error {
		for _, in := range [][2]float64{{3, 4}, {0, math.Inf(1)}, {math.MaxFloat64, math.MaxFloat64}, {0, 0}} {
			from, to, err := c.Interval(in[0], in[1])
			if err := cmp.Or(err, within("from", from, 0, to), within("to", to, from, math.Inf(1)), c.Add(3, 4, 3)); err != nil {
				return fmt.Errorf("interval of %v: %w", in, err)
			}
		}
		return nil
	}
	interval := func(results []any) error {
		from, to := results[0].(float64), results[1].(float64)
		return cmp.Or(within("from", from, 0, to), within("to", to, from, math.Inf(1)))
	}
	// The low end may be -Inf, the high end +Inf; if Relative the low end is at least 0.
	lowest := func(x float64) bool { return math.IsInf(x, -1) }
	highest := func(x float64) bool { return math.IsInf(x, 1) }
	low := hostile.Number("low", 3.0, hostile.Where(func(x float64) bool { return x <= 4 }, hostile.Refuses).Or(lowest, hostile.Takes))
	relativeLow := hostile.Number("low", 3.0, hostile.Between(0, 4))
	high := hostile.Number("high", 4.0, hostile.AtLeast(3).Or(highest, hostile.Takes))
	actual := hostile.Number("actual", 5.0, hostile.NotNegative)
	term := estimate.ConformalConfig{Coverage: 0.5, Window: 3, Rate: 0.5}
	factor := estimate.ConformalConfig{Coverage: 0.5, Window: 3, Relative: true}
	hostile.Test(t,
		hostile.Call{Name: "NewConformal", New: hostile.Func(estimate.NewConformal), Args: []hostile.Arg{
			{Name: "c", Value: term, Rules: hostile.Rules{
				"Coverage": opened.Or(func(x float64) bool { return x == 0 }, hostile.Takes),
				"Window":   hostile.Between(0, 100_000),
				"Rate":     hostile.Where(func(x float64) bool { return x >= 0 && x < 1 }, hostile.Refuses),
			}},
		}, Sane: func(results []any) error { c = results[0].(*estimate.Conformal); return sane(nil) }},
		hostile.Call{Name: "Conformal.Add", New: of(term, func(c *estimate.Conformal) any { return c.Add }), Args: []hostile.Arg{low, high, actual}, Sane: sane,
			Cases: []hostile.Case{{Name: "everything", Args: []any{math.Inf(-1), math.Inf(1), math.MaxFloat64}, Want: hostile.Takes},
				{Name: "as wrong as can be", Args: []any{-math.MaxFloat64, -math.MaxFloat64, math.MaxFloat64}, Want: hostile.Takes}}},
		hostile.Call{Name: "Conformal.Add", New: of(factor, func(c *estimate.Conformal) any { return c.Add }), Args: []hostile.Arg{relativeLow, high, actual}, Sane: sane,
			Cases: []hostile.Case{{Name: "as wrong as can be", Args: []any{5e-324, 5e-324, math.MaxFloat64}, Want: hostile.Takes},
				{Name: "all 0", Args: []any{0.0, 0.0, 0.0}, Want: hostile.Takes}}},
		hostile.Call{Name: "Conformal.Interval", New: of(term, func(c *estimate.Conformal) any { return c.Interval }), Args: []hostile.Arg{low, high}, Sane: interval},
		hostile.Call{Name: "Conformal.Interval", New: of(factor, func(c *estimate.Conformal) any { return c.Interval }), Args: []hostile.Arg{relativeLow, high}, Sane: interval},
	)
}

type distribution struct{ quantile func(p float64) float64 }

func (d distribution) Quantile(p float64) float64 { return d.quantile(p) }

func TestHostileFits(t *testing.T) {
	finished := hostile.Arg{Name: "finished", Value: []float64{3, 5, 9, 15}, Rules: hostile.Rules{"[]": hostile.Positive}}
	running := hostile.Arg{Name: "running", Value: []float64{4, 12}, Rules: hostile.Rules{"[]": hostile.NotNegative}}
	none := []float64{}
	fitted := func(results []any) error {
		l := results[0].(estimate.LogNormal)
		return cmp.Or(within("Mu", l.Mu, -math.MaxFloat64, math.MaxFloat64), within("Sigma", l.Sigma, 5e-324, math.MaxFloat64),
			within("CDF", l.CDF(5), 0, 1), within("median", l.Quantile(0.5), 0, math.MaxFloat64), within("mean", l.Mean(), 0, math.Inf(1)))
	}
	hostile.Test(t,
		hostile.Call{Name: "FitLogNormal", New: hostile.Func(estimate.FitLogNormal), Args: []hostile.Arg{finished, running}, Sane: fitted, Cases: []hostile.Case{
			{Name: "none finished", Args: []any{none, []float64{4}}, Want: hostile.Refuses},
			{Name: "none", Args: []any{nil, nil}, Want: hostile.Refuses},
			{Name: "equal", Args: []any{[]float64{4, 4}, []float64{3, 4}}, Want: hostile.Refuses},
			{Name: "one finished", Args: []any{[]float64{4}, none}, Want: hostile.Refuses},
			{Name: "one finished, a longer one runs", Args: []any{[]float64{4}, []float64{5}}, Want: hostile.Takes},
			{Name: "all sizes", Args: []any{[]float64{5e-324, math.MaxFloat64}, []float64{math.MaxFloat64, 5e-324, 0}}, Want: hostile.Takes},
		}},
		hostile.Call{Name: "Hill", New: hostile.Func(estimate.Hill), Sane: between(5e-324, math.MaxFloat64), Args: []hostile.Arg{finished,
			{Name: "running", Value: []float64{4, 12}, Rules: hostile.Rules{"[]": hostile.NotNegative}},
			hostile.Number("k", 3, hostile.Between(1, 5)),
		}, Cases: []hostile.Case{
			{Name: "none", Args: []any{nil, nil, 1}, Want: hostile.Refuses},
			{Name: "equal", Args: []any{[]float64{4, 4, 4}, none, 2}, Want: hostile.Refuses},
			{Name: "next is 0", Args: []any{[]float64{4, 5}, []float64{0}, 2}, Want: hostile.Refuses},
			{Name: "all the longest run", Args: []any{[]float64{1, 2}, []float64{8, 9}, 2}, Want: hostile.Refuses},
			{Name: "all sizes", Args: []any{[]float64{5e-324, math.MaxFloat64}, none, 1}, Want: hostile.Takes},
		}},
		hostile.Call{Name: "MeanOfLargest", New: hostile.Func(estimate.MeanOfLargest), Sane: between(5, 500), Args: []hostile.Arg{
			{Name: "d", Value: distribution{estimate.LogNormal{Mu: 2, Sigma: 0.5}.Quantile}},
			hostile.Number("number of values", 3, hostile.AtLeast(1)),
		}, Cases: []hostile.Case{{Name: "of nothing", Args: []any{nil, 3}, Want: hostile.Refuses}}},
	)
}

func TestHostileLogNormal(t *testing.T) {
	l := estimate.LogNormal{Mu: 1, Sigma: 0.5}
	x := []hostile.Arg{hostile.Number("x", 4.0, unlessNaN)}
	hostile.Test(t,
		hostile.Call{Name: "LogNormal.CDF", New: hostile.Func(l.CDF), Args: x, Sane: between(0, 1), Cases: []hostile.Case{
			{Name: "nothing is below 0", Args: []any{-1.0}, Want: hostile.Gives(0.0)},
		}},
		hostile.Call{Name: "LogNormal.Survival", New: hostile.Func(l.Survival), Args: x, Sane: between(0, 1), Cases: []hostile.Case{
			{Name: "all is above 0", Args: []any{-1.0}, Want: hostile.Gives(1.0)},
		}},
		hostile.Call{Name: "LogNormal.Quantile", New: hostile.Func(l.Quantile), Sane: between(0, math.Inf(1)),
			Args: []hostile.Arg{hostile.Number("p", 0.5, share)}},
	)
}

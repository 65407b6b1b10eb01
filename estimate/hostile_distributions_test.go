package estimate_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/augur/estimate"
	"example.com/augur/internal/hostile"
)

func TestHostileSample(t *testing.T) {
	var s *estimate.Sample
	of := func(method func(s *estimate.Sample) any) func() (any, func() string) {
		return fresh(t, &s, estimate.Sample{}, (*estimate.Sample).Add, method)
	}
	x, p := hostile.Number("x", 4.5, unlessNaN), hostile.Number("p", 0.5, share)
	inf := math.Inf(1)
	value := hostile.Number("value", 7.0, hostile.Between(0, 1e144))
	hostile.Test(t,
		hostile.Call{Name: "Sample.Add", New: of(func(s *estimate.Sample) any { return s.Add }), Args: []hostile.Arg{value},
			Sane: func([]any) error {
				sum, off := s.Total(3)
				return cmp.Or(within("mean", s.Mean(), 0, 1e144), within("median", s.Median(), 3, 5), within("total", sum, 0, 3e144),
					within("deviation", off, 0, 3e144), within("trimmed mean", s.TrimmedMean(0.25), 3, 5), within("CDF", s.CDF(1e144), 1, 1))
			}},
		hostile.Call{Name: "Sample.CDF", New: of(func(s *estimate.Sample) any { return s.CDF }), Args: []hostile.Arg{x}, Sane: between(0, 1)},
		hostile.Call{Name: "Sample.Survival", New: of(func(s *estimate.Sample) any { return s.Survival }), Args: []hostile.Arg{x}, Sane: between(0, 1)},
		hostile.Call{Name: "Sample.Quantile", New: of(func(s *estimate.Sample) any { return s.Quantile }), Args: []hostile.Arg{p}, Sane: between(3, 5)},
		hostile.Call{Name: "Sample.SurvivalIntegral", New: of(func(s *estimate.Sample) any { return s.SurvivalIntegral }), Sane: between(-inf, inf),
			Args: []hostile.Arg{hostile.Number("a", 3.5, unlessNaN), hostile.Number("b", 4.5, unlessNaN)}, Cases: []hostile.Case{
				{Name: "all", Args: []any{0.0, inf}, Want: hostile.Gives(4.0)},
				{Name: "all, backwards", Args: []any{inf, 0.0}, Want: hostile.Gives(-4.0)},
				{Name: "everywhere", Args: []any{-inf, inf}, Want: hostile.Gives(inf)},
				{Name: "beyond", Args: []any{inf, inf}, Want: hostile.Gives(0.0)},
				{Name: "before", Args: []any{-inf, -inf}, Want: hostile.Gives(0.0)},
				{Name: "far below", Args: []any{-math.MaxFloat64, 0.0}, Want: hostile.Gives(math.MaxFloat64)},
			}},
		hostile.Call{Name: "Sample.TrimmedMean", New: of(func(s *estimate.Sample) any { return s.TrimmedMean }), Sane: between(3, 5), Args: []hostile.Arg{
			hostile.Number("share", 0.25, hostile.Where(func(x float64) bool { return x >= 0 && x < 0.5 }, hostile.Gives(nan))),
		}},
		hostile.Call{Name: "Sample.Total", New: of(func(s *estimate.Sample) any { return s.Total }), Args: []hostile.Arg{
			hostile.Number("n", 7, hostile.Where(func(n float64) bool { return n >= 0 }, hostile.Gives(nan, nan))),
		}, Sane: func(results []any) error {
			return cmp.Or(between(0, 1e20)(results), within("deviation", results[1].(float64), 0, 1e20))
		}},
		hostile.Call{Name: "Sample.Bootstrap", New: of(func(s *estimate.Sample) any { return s.Bootstrap }), Args: []hostile.Arg{
			hostile.Number("confidence", 0.9, opened), {Name: "src", Value: rand.NewPCG(1, 2)},
		}, Sane: func(results []any) error {
			return cmp.Or(between(3, 5)(results), within("high", results[1].(float64), results[0].(float64), 5))
		}, Cases: []hostile.Case{{Name: "no source", Args: []any{0.9, nil}, Want: hostile.Refuses}}},
	)
}

// TestNothingSeen asks what has seen nothing.
func TestNothingSeen(t *testing.T) {
	var s estimate.Sample
	sum, off := s.Total(2)
	for name, got := range map[string]float64{
		"CDF": s.CDF(1), "Survival": s.Survival(1), "Quantile": s.Quantile(0.5), "SurvivalIntegral": s.SurvivalIntegral(0, 1),
		"Mean": s.Mean(), "Median": s.Median(), "TrimmedMean": s.TrimmedMean(0), "Total": sum, "deviation": off,
	} {
		if !math.IsNaN(got) {
			t.Errorf("%s of an empty sample is %v, want NaN", name, got)
		}
	}
	if _, _, err := s.Bootstrap(0.9, rand.NewPCG(1, 2)); err == nil {
		t.Error("there is a bootstrap of no values")
	}
	if m := new(estimate.Moments); m.Remove(1) == nil || *m != (estimate.Moments{}) {
		t.Errorf("from no moments a value is taken out: %+v", *m)
	}
}

func TestHostilePosterior(t *testing.T) {
	sane := func(p *estimate.Posterior) error {
		inf := math.Inf(1)
		if !p.OK() {
			return fmt.Errorf("there is no answer: %+v", p)
		}
		if err := cmp.Or(within("mean", p.Mean(), -math.MaxFloat64, math.MaxFloat64), within("deviation", p.StdDev(), 0, math.MaxFloat64),
			within("quantile 0", p.Quantile(0), -inf, inf), within("median", p.Quantile(0.5), -inf, inf), within("quantile 1", p.Quantile(1), -inf, inf)); err != nil {
			return err
		}
		last := 0.0
		for _, x := range []float64{-inf, -math.MaxFloat64, -1, 0, p.Mean(), math.MaxFloat64, inf} {
			c := p.CDF(x)
			if err := within(fmt.Sprintf("CDF(%v)", x), c, 0, 1); err != nil {
				return err
			}
			if x < p.Mean() {
				last = max(last, c)
			} else if c < last {
				return fmt.Errorf("CDF(%v) is %v, and was %v", x, c, last)
			}
		}
		return within("CDF of all", p.CDF(inf), 1, 1)
	}
	var p *estimate.Posterior
	of := func(c estimate.PosteriorConfig, method func(p *estimate.Posterior) any) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			if p, err = estimate.NewPosterior(c); err == nil {
				err = p.Add(5)
			}
			if err != nil {
				t.Fatal(err)
			}
			return method(p), func() string { return hostile.Dump(p) }
		}
	}
	c := estimate.PosteriorConfig{Mean: 4, Between: 1, Within: 2}
	add := []hostile.Arg{hostile.Number("sample", 7.0, hostile.Finite)}
	isInf := func(x float64) bool { return math.IsInf(x, 1) }
	hostile.Test(t,
		hostile.Call{Name: "NewPosterior", New: hostile.Func(estimate.NewPosterior), Args: []hostile.Arg{{Name: "c", Value: c, Rules: hostile.Rules{
			"Mean": hostile.Finite, "Between": hostile.NotNegative.Or(isInf, hostile.Takes), "Within": hostile.NotNegative,
		}}}, Sane: func(results []any) error {
			p := results[0].(*estimate.Posterior)
			if !p.OK() {
				if !math.IsNaN(p.CDF(1)) || !math.IsNaN(p.CDF(math.Inf(1))) {
					return fmt.Errorf("without an answer CDF is %v", p.CDF(1))
				}
			} else if err := sane(p); err != nil {
				return err
			}
			return cmp.Or(p.Add(4), sane(p))
		}, Cases: []hostile.Case{
			{Name: "a mean that is ignored", Args: []any{estimate.PosteriorConfig{Mean: nan, Between: math.Inf(1)}}, Want: hostile.Takes},
			{Name: "as wide as can be", Args: []any{estimate.PosteriorConfig{Mean: -math.MaxFloat64, Between: math.MaxFloat64, Within: math.MaxFloat64}}, Want: hostile.Takes},
		}},
		hostile.Call{Name: "Posterior.Add", New: of(c, func(p *estimate.Posterior) any { return p.Add }), Args: add,
			Sane: func([]any) error { return cmp.Or(sane(p), p.Add(-math.MaxFloat64), sane(p)) }},
		hostile.Call{Name: "Posterior.Add", New: of(estimate.PosteriorConfig{Mean: -math.MaxFloat64, Between: math.MaxFloat64, Within: 5e-324},
			func(p *estimate.Posterior) any { return p.Add }), Args: add, Sane: func([]any) error { return sane(p) }},
		hostile.Call{Name: "Posterior.CDF", New: of(c, func(p *estimate.Posterior) any { return p.CDF }), Sane: between(0, 1),
			Args: []hostile.Arg{hostile.Number("x", 4.0, unlessNaN)}},
		hostile.Call{Name: "Posterior.Quantile", New: of(c, func(p *estimate.Posterior) any { return p.Quantile }), Sane: between(math.Inf(-1), math.Inf(1)),
			Args: []hostile.Arg{hostile.Number("q", 0.5, share)}},
	)
}

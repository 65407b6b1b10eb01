package histogram_test

import (
	"math"
	"testing"

	"example.com/augur/histogram"
	"example.com/augur/internal/hostile"
)

func TestHostileNumbers(t *testing.T) {
	nan := math.NaN()
	within01 := hostile.Where(func(p float64) bool { return p >= 0 && p <= 1 }, hostile.Gives(nan))
	unlessNaN := hostile.Rule(hostile.Any).Or(math.IsNaN, hostile.Gives(nan))
	of := func(method func(h *histogram.Histogram) any) func() (any, func() string) {
		return func() (any, func() string) {
			h, err := histogram.New(histogram.Config{Bins: 4})
			for _, x := range []float64{1, 2, 3, 5, 8} {
				if err == nil {
					err = h.Add(x)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			return method(h), func() string { return hostile.Dump(h) }
		}
	}
	table := func(method func(*histogram.Table) any) func() (any, func() string) {
		return of(func(h *histogram.Histogram) any {
			var table histogram.Table
			table.Fill(h)
			return method(&table)
		})
	}
	x := hostile.Arg{Name: "x", Value: 2.5, Rules: hostile.Rules{"": unlessNaN}}
	p := hostile.Arg{Name: "p", Value: 0.5, Rules: hostile.Rules{"": within01}}
	from, to := x, x
	from.Name, to.Name = "a", "b"
	hostile.Test(t,
		hostile.Call{Name: "New", New: func() (any, func() string) { return histogram.New, nil }, Args: []hostile.Arg{
			{Name: "c", Value: histogram.Config{Bins: 4}, Rules: hostile.Rules{"Bins": hostile.Between(0, 65535), "Join": hostile.Between(0, 1)}},
		}},
		hostile.Call{Name: "Histogram.Add", New: of(func(h *histogram.Histogram) any { return h.Add }), Args: []hostile.Arg{
			{Name: "value", Value: 2.5, Rules: hostile.Rules{"": hostile.Finite}},
		}},
		hostile.Call{Name: "Histogram.AddN", New: of(func(h *histogram.Histogram) any { return h.AddN }), Args: []hostile.Arg{
			{Name: "value", Value: 2.5, Rules: hostile.Rules{"": hostile.Finite}},
			{Name: "weight", Value: 0.5, Rules: hostile.Rules{"": hostile.Positive}},
		}},
		hostile.Call{Name: "Histogram.Scale", New: of(func(h *histogram.Histogram) any { return h.Scale }), Args: []hostile.Arg{
			{Name: "factor", Value: 0.5, Rules: hostile.Rules{"": hostile.Positive.Or(func(f float64) bool { return f == math.MaxFloat64 }, hostile.Refuses)}},
		}},
		hostile.Call{Name: "Histogram.CDF", New: of(func(h *histogram.Histogram) any { return h.CDF }), Args: []hostile.Arg{x}},
		hostile.Call{Name: "Histogram.Survival", New: of(func(h *histogram.Histogram) any { return h.Survival }), Args: []hostile.Arg{x}},
		hostile.Call{Name: "Histogram.Density", New: of(func(h *histogram.Histogram) any { return h.Density }), Args: []hostile.Arg{x}},
		hostile.Call{Name: "Histogram.Quantile", New: of(func(h *histogram.Histogram) any { return h.Quantile }), Args: []hostile.Arg{p}},
		hostile.Call{Name: "Histogram.SurvivalIntegral", New: of(func(h *histogram.Histogram) any { return h.SurvivalIntegral }), Args: []hostile.Arg{from, to}},
		hostile.Call{Name: "Table.CDF", New: table(func(t *histogram.Table) any { return t.CDF }), Args: []hostile.Arg{x}},
		hostile.Call{Name: "Table.Survival", New: table(func(t *histogram.Table) any { return t.Survival }), Args: []hostile.Arg{x}},
		hostile.Call{Name: "Table.Quantile", New: table(func(t *histogram.Table) any { return t.Quantile }), Args: []hostile.Arg{p}},
		hostile.Call{Name: "Table.SurvivalIntegral", New: table(func(t *histogram.Table) any { return t.SurvivalIntegral }), Args: []hostile.Arg{from, to}},
	)
}

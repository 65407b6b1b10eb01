package histogram_test

import (
	"cmp"
	"fmt"
	"math"
	"testing"

	"example.com/augur/histogram"
	"example.com/augur/internal/hostile"
)

func TestHostileNumbers(t *testing.T) {
	nan := math.NaN()
	within01 := hostile.Where(func(p float64) bool { return p >= 0 && p <= 1 }, hostile.Gives(nan))
	unlessNaN := hostile.Rule(hostile.Any).Or(math.IsNaN, hostile.Gives(nan))
	var h *histogram.Histogram
	of := func(method func() any) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			h, err = histogram.New(histogram.Config{Bins: 4})
			for _, x := range []float64{1, 2, 3, 5, 8} {
				if err == nil {
					err = h.Add(x)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			return method(), func() string { return hostile.Dump(h) }
		}
	}
	table := func(method func(*histogram.Table) any) func() (any, func() string) {
		return of(func() any {
			var table histogram.Table
			table.Fill(h)
			return method(&table)
		})
	}
	holds := func([]any) error { return sane(h) }
	x, p := hostile.Number("x", 2.5, unlessNaN), hostile.Number("p", 0.5, within01)
	from, to := hostile.Number("a", 2.5, unlessNaN), hostile.Number("b", 2.5, unlessNaN)
	share := func(results []any) error { return within(results[0].(float64), 0, 1) }
	value := func(results []any) error { return within(results[0].(float64), 1, 8) }
	hostile.Test(t,
		hostile.Call{Name: "New", New: hostile.Func(histogram.New), Args: []hostile.Arg{
			{Name: "c", Value: histogram.Config{Bins: 4}, Rules: hostile.Rules{"Bins": hostile.Between(0, 65535), "Join": hostile.Between(0, 1)}},
		}},
		hostile.Call{Name: "Histogram.Add", New: of(func() any { return h.Add }), Sane: holds, Args: []hostile.Arg{
			hostile.Number("value", 2.5, hostile.Finite),
		}},
		hostile.Call{Name: "Histogram.AddN", New: of(func() any { return h.AddN }), Sane: holds, Args: []hostile.Arg{
			hostile.Number("value", 2.5, hostile.Finite),
			hostile.Number("weight", 0.5, hostile.Positive),
		}},
		hostile.Call{Name: "Histogram.Scale", New: of(func() any { return h.Scale }), Sane: holds, Args: []hostile.Arg{
			hostile.Number("factor", 0.5, hostile.Positive.Or(func(f float64) bool { return f == math.MaxFloat64 }, hostile.Refuses)),
		}},
		hostile.Call{Name: "Histogram.CDF", New: of(func() any { return h.CDF }), Sane: share, Args: []hostile.Arg{x}},
		hostile.Call{Name: "Histogram.Survival", New: of(func() any { return h.Survival }), Sane: share, Args: []hostile.Arg{x}},
		hostile.Call{Name: "Histogram.Density", New: of(func() any { return h.Density }), Sane: share, Args: []hostile.Arg{x}},
		hostile.Call{Name: "Histogram.Quantile", New: of(func() any { return h.Quantile }), Sane: value, Args: []hostile.Arg{p}},
		hostile.Call{Name: "Histogram.SurvivalIntegral", New: of(func() any { return h.SurvivalIntegral }), Args: []hostile.Arg{from, to}, Sane: notNaN},
		hostile.Call{Name: "Table.CDF", New: table(func(t *histogram.Table) any { return t.CDF }), Sane: share, Args: []hostile.Arg{x}},
		hostile.Call{Name: "Table.Survival", New: table(func(t *histogram.Table) any { return t.Survival }), Sane: share, Args: []hostile.Arg{x}},
		hostile.Call{Name: "Table.Quantile", New: table(func(t *histogram.Table) any { return t.Quantile }), Sane: value, Args: []hostile.Arg{p}},
		hostile.Call{Name: "Table.SurvivalIntegral", New: table(func(t *histogram.Table) any { return t.SurvivalIntegral }), Args: []hostile.Arg{from, to}, Sane: notNaN},
	)
}

func TestNoHistogram(t *testing.T) {
	h, table := new(histogram.Histogram), new(histogram.Table)
	for _, x := range []float64{1, 2} {
		if err := h.Add(x); err != nil {
			t.Fatal(err)
		}
	}
	before := hostile.Dump(h)
	if err := h.Merge(nil); err != nil || hostile.Dump(h) != before {
		t.Errorf("merging nil gives %v and %s, want %s", err, hostile.Dump(h), before)
	}
	table.Fill(h)
	table.Fill(nil)
	for _, got := range []float64{table.CDF(1), table.Quantile(0.5), table.Mean(), table.Survival(1), table.SurvivalIntegral(0, 1)} {
		if !math.IsNaN(got) {
			t.Errorf("a table of nil gives %v, want NaN", got)
		}
	}
}

func within(x, least, most float64) error {
	if !(x >= least && x <= most) {
		return fmt.Errorf("it gives %v, want something from %v to %v", x, least, most)
	}
	return nil
}

func notNaN(results []any) error { return within(results[0].(float64), math.Inf(-1), math.Inf(1)) }

// sane says what is wrong with a histogram that holds some values, and takes another.
func sane(h *histogram.Histogram) error {
	for range 2 {
		if h.Count() == 0 {
			return nil
		}
		least, most := h.Min(), h.Max()
		last, share := least, 0.0
		for _, p := range []float64{0, 0.01, 0.25, 0.5, 0.75, 0.99, 1} {
			x := h.Quantile(p)
			if err := cmp.Or(within(x, last, most), within(h.CDF(x), max(p-1e-12, share), 1), within(h.Density(x), 0, math.Inf(1))); err != nil {
				return fmt.Errorf("quantile %v is %v, CDF there %v, density %v: %w", p, x, h.CDF(x), h.Density(x), err)
			}
			last, share = x, h.CDF(x)
		}
		area := h.SurvivalIntegral(0, math.Inf(1))
		if err := cmp.Or(within(h.Mean(), least, most), within(h.Variance(), 0, math.Inf(1)), within(area, 0, max(0, most)),
			within(h.Clone().Count(), h.Count(), h.Count())); err != nil {
			return fmt.Errorf("mean %v, variance %v, area above 0 %v: %w", h.Mean(), h.Variance(), area, err)
		}
		if err := h.Add(4); err != nil && h.Count() < math.MaxFloat64 {
			return err
		}
	}
	return nil
}

package estimate_test

import (
	"cmp"
	"fmt"
	"math"
	"testing"
	"time"

	"example.com/augur/estimate"
	"example.com/augur/internal/hostile"
)

var (
	nan       = math.NaN()
	unlessNaN = hostile.Rule(hostile.Any).Or(math.IsNaN, hostile.Gives(nan))
	// share is the rule for a probability that is asked for.
	share = hostile.Where(func(p float64) bool { return p >= 0 && p <= 1 }, hostile.Gives(nan))
	// opened takes what is above 0 and below 1.
	opened = hostile.Where(func(x float64) bool { return x > 0 && x < 1 }, hostile.Refuses)
	moment = hostile.Between(-1e144, 1e144)
)

// within refuses NaN too.
func within(what string, x, least, most float64) error {
	if !(x >= least && x <= most) {
		return fmt.Errorf("%s is %v, want something from %v to %v", what, x, least, most)
	}
	return nil
}

// between checks the first result.
func between(least, most float64) func([]any) error {
	return func(results []any) error { return within("it", results[0].(float64), least, most) }
}

// fresh makes the New of a method of a value that is made anew, with some numbers in it.
func fresh[T any](t *testing.T, at **T, initial T, fill func(v *T, x float64) error, method func(v *T) any) func() (any, func() string) {
	return func() (any, func() string) {
		v := initial
		*at = &v
		for _, x := range []float64{3, 5, 4} {
			if err := fill(*at, x); err != nil {
				t.Fatal(err)
			}
		}
		return method(*at), func() string { return hostile.Dump(*at) }
	}
}

func TestHostileMoments(t *testing.T) {
	var m *estimate.Moments
	moments := func(method func(m *estimate.Moments) any) func() (any, func() string) {
		return fresh(t, &m, estimate.Moments{}, (*estimate.Moments).Add, method)
	}
	var w *estimate.Window
	window := func(method func(*estimate.Window) any) func() (any, func() string) {
		return func() (any, func() string) {
			var err error
			if w, err = estimate.NewWindow(time.Second); err == nil {
				err = cmp.Or(w.Add(-2*time.Second, 9), w.Add(0, 3), w.Add(0, 4))
			}
			if err != nil {
				t.Fatal(err)
			}
			return method(w), func() string { return hostile.Dump(w) }
		}
	}
	sane := func(m estimate.Moments) error {
		mean, some := m.Mean()
		variance, _ := m.Variance()
		_, two := m.SampleVariance()
		cov, _ := m.CoV()
		if some != (m.N() > 0) || two != (m.N() > 1) {
			return fmt.Errorf("%d values have a mean: %v, a sample variance: %v", m.N(), some, two)
		}
		return cmp.Or(within("mean", mean, -1e144, 1e144), within("variance", variance, 0, 1e288), within("CoV", cov, 0, math.Inf(1)))
	}
	later := hostile.AtLeast(0)
	hostile.Test(t,
		hostile.Call{Name: "Moments.Add", New: moments(func(m *estimate.Moments) any { return m.Add }), Args: []hostile.Arg{
			hostile.Number("value", 7.0, moment),
		}, Sane: func([]any) error { return cmp.Or(sane(*m), m.Add(1), sane(*m)) }},
		hostile.Call{Name: "Moments.Remove", New: moments(func(m *estimate.Moments) any { return m.Remove }), Args: []hostile.Arg{
			hostile.Number("value", 5.0, moment), // it cannot see that it does not hold the value
		}, Sane: func([]any) error {
			for _, x := range []float64{1, 2} {
				if err := m.Remove(x); err != nil {
					return err
				}
			}
			if *m != (estimate.Moments{}) {
				return fmt.Errorf("without values it is %+v", *m)
			}
			return nil
		}},
		hostile.Call{Name: "NewWindow", New: hostile.Func(estimate.NewWindow), Args: []hostile.Arg{
			hostile.Number("span", time.Second, hostile.Positive),
		}},
		hostile.Call{Name: "Window.Add", New: window(func(w *estimate.Window) any { return w.Add }), Args: []hostile.Arg{
			hostile.Number("instant", time.Second, later),
			hostile.Number("value", 7.0, moment),
		}, Sane: func([]any) error {
			return cmp.Or(sane(w.Moments()), w.Add(math.MaxInt64, 1), sane(w.Moments()))
		}},
		hostile.Call{Name: "Window.Advance", New: window(func(w *estimate.Window) any { return w.Advance }), Args: []hostile.Arg{
			hostile.Number("instant", time.Second, later),
		}, Sane: func([]any) error { return sane(w.Moments()) }},
		hostile.Call{Name: "SpaceCoV", New: moments(func(m *estimate.Moments) any {
			return func(ratio float64) (float64, bool) { return estimate.SpaceCoV(*m, ratio) }
		}), Args: []hostile.Arg{
			hostile.Number("ratio", 0.03, hostile.Where(func(r float64) bool { return r > 0 && r <= 1 }, hostile.Gives(0.0, false))),
		}, Sane: between(0, math.MaxFloat64)},
	)
}

// The first instant of a window may be any, and what is as far from it as can be is forgotten.
func TestWindowOfAllTime(t *testing.T) {
	w, err := estimate.NewWindow(math.MaxInt64)
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range []time.Duration{math.MinInt64, -1, 0, math.MaxInt64} {
		if err := w.Add(at, 1); err != nil {
			t.Fatal(err)
		}
		m := w.Moments()
		if got, want := m.N(), []int64{1, 2, 2, 2}[i]; got != want {
			t.Errorf("at %d it holds %d values, want %d", at, got, want)
		}
	}
}

func TestHostilePoints(t *testing.T) {
	var rolling *estimate.Rolling
	var recent *estimate.Recent
	var nmae *estimate.NMAE
	var hits *estimate.Within
	answer := func(value func() (float64, bool), add func(x float64) error, most float64) func([]any) error {
		return func([]any) error {
			for _, x := range []float64{math.MaxFloat64, math.MaxFloat64, 1} {
				got, ok := value()
				if err := cmp.Or(within("the answer", got, 0, most), add(x)); err != nil || !ok {
					return fmt.Errorf("%v, %v: %w", got, ok, err)
				}
			}
			return nil
		}
	}
	value := hostile.Number("value", 7.0, hostile.NotNegative)
	pair := []hostile.Arg{hostile.Number("estimate", 7.0, hostile.NotNegative), hostile.Number("actual", 7.0, hostile.NotNegative)}
	hostile.Test(t,
		hostile.Call{Name: "Rolling.Add", New: fresh(t, &rolling, estimate.Rolling{}, (*estimate.Rolling).Add,
			func(r *estimate.Rolling) any { return r.Add }), Args: []hostile.Arg{value},
			Sane: answer(func() (float64, bool) { return rolling.Value() }, func(x float64) error { return rolling.Add(x) }, math.MaxFloat64)},
		hostile.Call{Name: "NewRecent", New: hostile.Func(estimate.NewRecent), Args: []hostile.Arg{
			hostile.Number("limit", 3, hostile.Between(0, 255)),
		}},
		hostile.Call{Name: "Recent.Add", New: fresh(t, &recent, estimate.Recent{}, (*estimate.Recent).Add,
			func(r *estimate.Recent) any { return r.Add }), Args: []hostile.Arg{value}, Sane: func([]any) error {
			add := func(x float64) error { return recent.Add(x) }
			return cmp.Or(answer(func() (float64, bool) { return recent.Mean() }, add, math.MaxFloat64)(nil),
				answer(func() (float64, bool) { return recent.Median() }, add, math.MaxFloat64)(nil))
		}},
		hostile.Call{Name: "NMAE.Add", New: fresh(t, &nmae, estimate.NMAE{}, func(s *estimate.NMAE, x float64) error { return s.Add(x, 1) },
			func(s *estimate.NMAE) any { return s.Add }), Args: pair,
			Sane: answer(func() (float64, bool) { return nmae.Value() }, func(x float64) error { return nmae.Add(x, 0) }, math.Inf(1))},
		hostile.Call{Name: "Within.Add", New: fresh(t, &hits, estimate.Within{}, func(s *estimate.Within, x float64) error { return s.Add(x, 1) },
			func(s *estimate.Within) any { return s.Add }), Args: pair,
			Sane: answer(func() (float64, bool) { return hits.Value() }, func(x float64) error { return hits.Add(x, 0) }, 1)},
	)
}

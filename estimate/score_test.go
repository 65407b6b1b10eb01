package estimate

import (
	"math"
	"testing"
)

func TestScores(t *testing.T) {
	inf := math.Inf(1)
	for _, test := range []struct {
		name               string
		pairs              [][2]float64 // estimate, actual
		nmae, mape, within float64
	}{
		{"exact", [][2]float64{{1, 1}, {5, 5}}, 0, 0, 1},
		{"both ways", [][2]float64{{2, 1}, {1, 3}}, 0.75, (1 + 2.0/3) / 2, 0.5},
		{"factor of two itself", [][2]float64{{2, 1}, {1, 2}, {2.001, 1}}, 3.001 / 4, (1 + 0.5 + 1.001) / 3, 2.0 / 3},
		{"all zero", [][2]float64{{0, 0}, {0, 0}}, 0, 0, 1},
		{"something for nothing", [][2]float64{{1, 0}}, inf, inf, 0},
		{"nothing for something", [][2]float64{{0, 4}}, 1, 1, 0},
		{"one zero", [][2]float64{{1, 0}, {1, 1}}, 1, inf, 0.5},
		{"largest", [][2]float64{{0, math.MaxFloat64}, {0, math.MaxFloat64}}, 1, 1, 0},
	} {
		var nmae NMAE
		var mape MAPE
		var within Within
		check := func(name string, want float64, value func() (float64, bool)) {
			t.Helper()
			if got, ok := value(); !ok || !near(got, want, 1e-12) {
				t.Errorf("%s: %s = %v, %v, want %v", test.name, name, got, ok, want)
			}
		}
		for _, value := range []func() (float64, bool){nmae.Value, mape.Value, within.Value} {
			if got, ok := value(); ok || got != 0 {
				t.Errorf("%s: score of nothing = %v, %v, want 0, false", test.name, got, ok)
			}
		}
		for _, p := range test.pairs {
			for _, add := range []func(a, b float64) error{nmae.Add, mape.Add, within.Add} {
				if err := add(p[0], p[1]); err != nil {
					t.Fatal(err)
				}
				for _, x := range refused {
					if add(x, 1) == nil || add(1, x) == nil {
						t.Errorf("%v is taken", x)
					}
				}
			}
		}
		check("NMAE", test.nmae, nmae.Value)
		check("MAPE", test.mape, mape.Value)
		check("within", test.within, within.Value)
	}
}

func TestNewWithin(t *testing.T) {
	for _, factor := range []float64{0.5, -1, math.NaN(), math.Inf(1)} {
		if _, err := NewWithin(factor); err == nil {
			t.Errorf("NewWithin(%v) gives no error", factor)
		}
	}
	w, err := NewWithin(1.5)
	if err != nil {
		t.Fatal(err)
	}
	w.Add(15, 10)
	w.Add(10, 15)
	w.Add(16, 10)
	w.Add(20, 10)
	if got, _ := w.Value(); got != 0.5 {
		t.Errorf("share within 1.5 = %v, want 0.5", got)
	}
}

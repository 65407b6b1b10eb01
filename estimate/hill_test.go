package estimate

import (
	"math"
	"testing"
)

func hillByHand(t *testing.T) {
	e := math.E
	for _, test := range []struct {
		name              string
		finished, running []float64
		k                 int
		want              float64
	}{
		{"by hand", []float64{1, 2, 4, 8}, nil, 2, 2 / (3 * math.Ln2)},
		{"all but the least is the fit", []float64{1, e, e * e, e * e * e}, nil, 3, 0.5},
		{"one of two still runs", []float64{1, 1, e * e}, []float64{e}, 2, 1.0 / 3},
		{"running ones below", []float64{1, e, e}, []float64{0, 0.5}, 2, 1},
		{"of equal ones the running is longer", []float64{1, e, e * e}, []float64{e}, 2, 1},
	} {
		if got, err := Hill(test.finished, test.running, test.k); err != nil || !near(got, test.want, 1e-14) {
			t.Errorf("%s: %v, %v, want %v", test.name, got, err, test.want)
		}
	}
}

func TestHillRefuses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		name              string
		finished, running []float64
	}{
		{"none", nil, nil},
		{"none finished", nil, []float64{1, 2}},
		{"all equal", []float64{2, 2}, nil},
		{"all equal and none runs longer", []float64{2, 2}, []float64{2, 1}},
		{"zero", []float64{0, 1}, nil},
		{"negative", []float64{1, -1}, nil},
		{"NaN", []float64{1, nan}, nil},
		{"infinite", []float64{1, inf}, nil},
		{"negative so far", []float64{1, 2}, []float64{-1}},
		{"NaN so far", []float64{1, 2}, []float64{nan}},
		{"infinite so far", []float64{1, 2}, []float64{inf}},
	} {
		if _, err := Hill(test.finished, test.running, 1); err == nil {
			t.Errorf("%s: no error", test.name)
		}
	}
	for _, k := range []int{-1, 0, 3} {
		if _, err := Hill([]float64{1, 2}, []float64{3}, k); err == nil {
			t.Errorf("Hill takes k = %d of 3", k)
		}
	}
	if _, err := Hill([]float64{1}, []float64{3}, 1); err == nil {
		t.Errorf("Hill of running tasks only gives no error")
	}
	if _, err := Hill([]float64{1}, []float64{0}, 1); err == nil {
		t.Errorf("Hill above 0 gives no error")
	}
}

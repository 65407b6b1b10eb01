package estimate

import (
	"math"
	"testing"
)

func hillByHand(t *testing.T) {
	e := math.E
	for _, test := range []struct {
		runtimes []float64
		k        int
		want     float64
	}{
		{[]float64{8, 1, 2, 4}, 2, 2 / (3 * math.Ln2)},
		{[]float64{1, e, e * e, e * e * e}, 3, 0.5}, // all but the least
		{[]float64{1, 1e308, 0.5}, 1, 1 / (308 * math.Ln10)},
	} {
		if got, err := Hill(test.runtimes, test.k); err != nil || !near(got, test.want, 1e-14) {
			t.Errorf("%d of %v: %v, %v, want %v", test.k, test.runtimes, got, err, test.want)
		}
	}
}

func TestHillRefuses(t *testing.T) {
	for _, test := range []struct {
		runtimes []float64
		k        int
	}{
		{nil, 1}, {[]float64{2, 2}, 1}, {[]float64{0, 1}, 1}, {[]float64{1, -1}, 1}, {[]float64{1, math.NaN()}, 1},
		{[]float64{1, math.Inf(1)}, 1}, {[]float64{1, 2, 3}, -1}, {[]float64{1, 2, 3}, 0}, {[]float64{1, 2, 3}, 3},
	} {
		if _, err := Hill(test.runtimes, test.k); err == nil {
			t.Errorf("Hill takes %d of %v", test.k, test.runtimes)
		}
	}
}

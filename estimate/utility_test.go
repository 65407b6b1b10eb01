package estimate

import (
	"iter"
	"math"
	"testing"
)

func pairs(values, weights []float64) iter.Seq2[float64, float64] {
	return func(yield func(x, w float64) bool) {
		for i, x := range values {
			if !yield(x, weights[i]) {
				return
			}
		}
	}
}

func TestCertaintyEquivalent(t *testing.T) {
	for _, test := range []struct {
		name            string
		values, weights []float64
		want            float64
	}{
		{"by hand", []float64{1, 2, 4}, []float64{1, 2, 1}, 1 / math.Sqrt((1+0.5+1.0/16)/4)},
		{"a runtime of 0 has utility without bound", []float64{0, 5}, []float64{1, 1}, 0},
		{"a runtime of 0 without weight", []float64{0, 5}, []float64{0, 1}, 5},
		{"extremes", []float64{1e-300, 1e300}, []float64{1, 1}, 1e-300 * math.Sqrt2},
		{"hardly any weight on the least", []float64{1, 3}, []float64{5e-324, 1}, 3},
		{"one value", []float64{0.1}, []float64{3}, 0.1},
	} {
		if got, err := CertaintyEquivalent(pairs(test.values, test.weights)); err != nil || !near(got/test.want, 1, 1e-14) && got != test.want {
			t.Errorf("%s: %v, %v, want %v", test.name, got, err, test.want)
		}
	}
	nan, inf := math.NaN(), math.Inf(1)
	for name, bins := range map[string]iter.Seq2[float64, float64]{
		"none":            pairs(nil, nil),
		"no weight":       pairs([]float64{1, 2}, []float64{0, 0}),
		"NaN value":       pairs([]float64{1, nan}, []float64{1, 1}),
		"negative value":  pairs([]float64{-1}, []float64{1}),
		"NaN weight":      pairs([]float64{1, 2}, []float64{1, nan}),
		"negative weight": pairs([]float64{1, 2}, []float64{2, -1}),
		"infinite sum":    pairs([]float64{1, 2}, []float64{1e308, 1e308}),
		"infinite weight": pairs([]float64{1, 2}, []float64{1, inf}),
	} {
		if _, err := CertaintyEquivalent(bins); err == nil {
			t.Errorf("CertaintyEquivalent of %s gives no error", name)
		}
	}
}

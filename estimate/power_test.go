package estimate

import (
	"iter"
	"maps"
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

func TestPowerMean(t *testing.T) {
	values, weights := []float64{1, 2, 4}, []float64{1, 2, 1}
	for _, test := range []struct{ p, want float64 }{
		{1, 9.0 / 4},
		{2, math.Sqrt(25.0 / 4)},
		{-1, 4 / (1 + 1 + 0.25)},
		{-2, 1 / math.Sqrt((1+0.5+1.0/16)/4)},
		{0, 2},
		{math.Inf(1), 4},
		{math.Inf(-1), 1},
		{1e6, 4},
	} {
		if got, err := PowerMean(pairs(values, weights), test.p); err != nil || !near(got, test.want, 1e-4*math.Abs(test.p)/1e6+1e-14) {
			t.Errorf("power mean %v = %v, %v, want %v", test.p, got, err, test.want)
		}
	}
	for _, test := range []struct {
		name   string
		values []float64
		p      float64
		want   float64
	}{
		{"utility of a runtime of 0 is without bound", []float64{0, 5}, -2, 0},
		{"all zero", []float64{0, 0}, 2, 0},
		{"extremes below", []float64{1e-300, 1e300}, -2, 1e-300 * math.Sqrt2},
		{"extremes above", []float64{1e-300, 1e300}, 2, 1e300 / math.Sqrt2},
		{"little power and zero", []float64{0, 4}, 5e-4, 0},
	} {
		if got, err := PowerMean(pairs(test.values, []float64{1, 1}), test.p); err != nil || !near(got/test.want, 1, 1e-14) && got != test.want {
			t.Errorf("%s: %v, %v, want %v", test.name, got, err, test.want)
		}
	}
}

// The power mean of 1 and 4 is 2 * cosh(p*ln 2)^(1/p), and goes smoothly through p = 0.
func TestPowerMeanNearZero(t *testing.T) {
	const ln2 = math.Ln2
	for _, p := range []float64{-9e-4, -1e-12, -1e-17, 0, 1e-300, 1e-17, 1e-12, 1e-6, 9e-4} {
		want := 2 * math.Exp(p*ln2*ln2/2-p*p*p*ln2*ln2*ln2*ln2/12)
		if got, err := PowerMean(pairs([]float64{1, 4}, []float64{1, 1}), p); err != nil || !near(got, want, 1e-14) {
			t.Errorf("power mean %v = %v, %v, want %v", p, got, err, want)
		}
	}
	// The logarithm of the ratio is 1382, of which a unit in the last place is 2e-13.
	if got, err := PowerMean(pairs([]float64{1e-300, 1e300}, []float64{1, 1}), 0); err != nil || !near(got, 1, 2e-13) {
		t.Errorf("geometric mean of extremes = %v, %v, want 1", got, err)
	}
}

func TestWeightedValuesRefused(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, bins := range map[string]iter.Seq2[float64, float64]{
		"none":            maps.All(map[float64]float64{}),
		"no weight":       pairs([]float64{1, 2}, []float64{0, 0}),
		"NaN value":       pairs([]float64{1, nan}, []float64{1, 1}),
		"infinite value":  pairs([]float64{1, inf}, []float64{1, 1}),
		"NaN weight":      pairs([]float64{1, 2}, []float64{1, nan}),
		"negative weight": pairs([]float64{1, 2}, []float64{2, -1}),
		"infinite weight": pairs([]float64{1, 2}, []float64{1, inf}),
	} {
		if _, err := CRPS(bins, 1); err == nil {
			t.Errorf("CRPS of %s gives no error", name)
		}
		if _, err := PowerMean(bins, -2); err == nil {
			t.Errorf("PowerMean of %s gives no error", name)
		}
	}
	if _, err := CRPS(pairs([]float64{2, 1}, []float64{1, 1}), 1); err == nil {
		t.Error("CRPS takes values out of order")
	}
	if _, err := CRPS(pairs([]float64{1}, []float64{1}), nan); err == nil {
		t.Error("CRPS takes NaN")
	}
	if _, err := PowerMean(pairs([]float64{1}, []float64{1}), nan); err == nil {
		t.Error("PowerMean takes NaN")
	}
	if _, err := PowerMean(pairs([]float64{-1}, []float64{1}), 2); err == nil {
		t.Error("PowerMean takes a negative value")
	}
}

// Ratios of values may be beyond all numbers, and the mean is not.
func TestPowerMeanOfAllSizes(t *testing.T) {
	// By closed forms: with weights 0.9 and 0.1 the geometric mean of 1e-300 and 1e300 is 10^(0.9*-300 + 0.1*300), and the
	// mean by p is (0.9*1e-300^p + 0.1*1e300^p)^(1/p), of which one term is all but none.
	for _, test := range []struct {
		values, weights []float64
		p, ln           float64
	}{
		{[]float64{1e-300, 1e300}, []float64{9, 1}, 0, -240 * math.Ln10},
		{[]float64{1e-300, 1e300}, []float64{9, 1}, 0.01, 300*math.Ln10 + 100*math.Log(0.1+0.9e-6)},
		{[]float64{1e-300, 1e300}, []float64{1, 9}, -0.01, -300*math.Ln10 - 100*math.Log(0.1+0.9e-6)},
		{[]float64{1e-300, 1e300}, []float64{9, 1}, 1e-4, 1e4 * math.Log(0.9*math.Pow(10, -0.03)+0.1*math.Pow(10, 0.03))},
		{[]float64{1e-300, 1e300}, []float64{1, 9}, -1e-4, -1e4 * math.Log(0.1*math.Pow(10, 0.03)+0.9*math.Pow(10, -0.03))},
		{[]float64{1e-200, 1e200}, []float64{1e200, 1e-200}, 2, 0},
		{[]float64{1e-200, 1e200}, []float64{1e-200, 1e200}, -2, 0},
		{[]float64{1e-200, 1e200}, []float64{999_999, 1}, 0.005, 200*math.Ln10 + 200*math.Log(1e-6+0.999999e-2)},
	} {
		got, err := PowerMean(pairs(test.values, test.weights), test.p)
		if err != nil || !near(math.Log(got), test.ln, 1e-9*(1+math.Abs(test.ln))) {
			t.Errorf("power mean of %v, %v by %v is %v, %v, want e^%v", test.values, test.weights, test.p, got, err, test.ln)
		}
	}
}

package estimate

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func harmonic(n int) (sum float64) {
	for i := 1; i <= n; i++ {
		sum += 1 / float64(i)
	}
	return sum
}

func TestMeanOfLargest(t *testing.T) {
	exponential := distuv.Exponential{Rate: 1}
	for _, test := range []struct {
		name      string
		of        interface{ Quantile(float64) float64 }
		n         int
		want      float64
		tolerance float64 // relative
	}{
		{"exponential", exponential, 1, 1, 1e-9},
		{"exponential", exponential, 10, harmonic(10), 1e-9},
		{"exponential", exponential, 100_000, harmonic(100_000), 1e-8},
		{"uniform", distuv.Uniform{Min: 0, Max: 1}, 9, 0.9, 1e-12},
		{"normal", distuv.UnitNormal, 2, 1 / math.Sqrt(math.Pi), 1e-9},
		{"lognormal", LogNormal{Mu: 1, Sigma: 1}, 1, math.Exp(1.5), 1e-6},
		{"sample", sampleOf(t, 1, 2, 6), 1, 3, 1e-15},
		{"sample", sampleOf(t, 1, 2, 6), 2, (1*1 + 2*3 + 6*5) / 9.0, 1e-15},
	} {
		if got, err := MeanOfLargest(test.of, test.n); err != nil || !near(got/test.want, 1, test.tolerance) {
			t.Errorf("mean of the largest of %d, %s = %v, %v, want %v", test.n, test.name, got, err, test.want)
		}
	}
	// A staircase, without its closed form.
	s := sampleOf(t, 1, 2, 2, 5, 7, 8, 9, 9.5, 20)
	for _, n := range []int{1, 3, 20} {
		exact, _ := MeanOfLargest(s, n)
		if got := integralOfLargest(s.Quantile, float64(n)); !near(got, exact, 0.01*20) {
			t.Errorf("mean of the largest of %d = %v by quadrature, want %v", n, got, exact)
		}
	}
	if _, err := MeanOfLargest(exponential, 0); err == nil {
		t.Error("largest of 0 gives no error")
	}
	if _, err := MeanOfLargest(nil, 1); err == nil {
		t.Error("largest of no distribution gives no error")
	}
	var none Sample
	if got, _ := MeanOfLargest(&none, 2); !math.IsNaN(got) {
		t.Errorf("mean of the largest of an empty sample is %v, want NaN", got)
	}
}

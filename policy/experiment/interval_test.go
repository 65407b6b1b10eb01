package experiment_test

import (
	"math"
	"math/rand/v2"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/policy/experiment"
)

// By R: t.test(c(1, 2, 4))$conf.int and exp(t.test(log(c(0.8, 1, 1.25)))$conf.int).
func TestIntervals(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		name      string
		got, want experiment.Interval
	}{
		{"mean", experiment.MeanInterval([]float64{1, 2, 4}), experiment.Interval{Mean: 7.0 / 3, Low: -1.461250, High: 6.127917}},
		// By hand: with a standard error of s the interval of log(m) is log(m) ± 4.302653 s/m, and that of the logit ±
		// 4.302653 s/(m(1-m)).
		{"times", experiment.MeanWithin([]float64{1, 2, 4}, 0, math.Inf(1)), experiment.Interval{Mean: 7.0 / 3, Low: 0.458885, High: 11.864540}},
		{"shares", experiment.MeanWithin([]float64{0.5, 0.9, 1}, 0, 1), experiment.Interval{Mean: 0.8, Low: 0.061714, High: 0.995906}},
		{"shares of 1", experiment.MeanWithin([]float64{1, 1}, 0, 1), experiment.Interval{Mean: 1, Low: 1, High: 1}},
		{"no shares", experiment.MeanWithin([]float64{1, 1.1}, 0, 1), experiment.Interval{Mean: nan, Low: nan, High: nan}},
		{"one share", experiment.MeanWithin([]float64{0.5}, 0, 1), experiment.Interval{Mean: 0.5, Low: nan, High: nan}},
		{"one share of 0", experiment.MeanWithin([]float64{0}, 0, 1), experiment.Interval{Mean: 0, Low: nan, High: nan}},
		{"no times", experiment.MeanWithin(nil, 0, math.Inf(1)), experiment.Interval{Mean: nan, Low: nan, High: nan}},
		{"ratio", experiment.RatioInterval([]float64{4, 3, 5}, []float64{5, 3, 4}), experiment.Interval{Mean: 1, Low: 0.5744692, High: 1.7407374}},
		{"an exact sum", experiment.MeanInterval([]float64{1, 1e100, 1, -1e100}), experiment.Interval{Mean: 0.5, Low: nan, High: nan}},
		{"one number", experiment.MeanInterval([]float64{3}), experiment.Interval{Mean: 3, Low: nan, High: nan}},
		{"none", experiment.MeanInterval(nil), experiment.Interval{Mean: nan, Low: nan, High: nan}},
		{"no value", experiment.MeanInterval([]float64{1, nan}), experiment.Interval{Mean: nan, Low: nan, High: nan}},
		{"a ratio to 0", experiment.RatioInterval([]float64{1, 2}, []float64{0, 2}), experiment.Interval{Mean: nan, Low: nan, High: nan}},
		{"a ratio of 0", experiment.RatioInterval([]float64{0, 2}, []float64{1, 2}), experiment.Interval{Mean: nan, Low: nan, High: nan}},
		{"far apart", experiment.RatioInterval([]float64{1e300, 1e-300}, []float64{1e-300, 1e300}), experiment.Interval{Mean: 1, Low: 0, High: math.Inf(1)}},
		{"below 0", experiment.RatioInterval([]float64{-1, 2}, []float64{-1, 2}), experiment.Interval{Mean: nan, Low: nan, High: nan}},
		{"no pairs", experiment.RatioInterval([]float64{1, 2}, []float64{1}), experiment.Interval{Mean: nan, Low: nan, High: nan}},
	} {
		if diff := gocmp.Diff(test.want, test.got, cmpopts.EquateApprox(0, 1e-4), cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	for want, i := range map[string]experiment.Interval{
		"1.17 [1.02 1.35]":      {Mean: 1.1704, Low: 1.02, High: 1.3467},
		"2357 [-1490 12220000]": {Mean: 2357.2, Low: -1489.6, High: 1.222e7},
		"1000 [999 NaN]":        {Mean: 999.6, Low: 999.4, High: nan},
	} {
		if got := i.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Equal numbers have no variance, whatever their mean is rounded to.
func TestEqualNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		x, to := make([]float64, 2+rng.IntN(20)), make([]float64, 22)
		a, b := 1000*rng.Float64(), 1000*rng.Float64()
		for i := range x {
			x[i], to[i] = a, b
		}
		ratio, mean := experiment.RatioInterval(x, to[:len(x)]), experiment.MeanWithin(x, 0, 1000)
		if ratio.Low != ratio.Mean || ratio.High != ratio.Mean || mean.Low != a || mean.High != a {
			t.Fatalf("%d times %v of %v: got the ratio %+v and the mean %+v, want no interval", len(x), a, b, ratio, mean)
		}
	}
}

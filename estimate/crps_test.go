package estimate

import (
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
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

func TestPinball(t *testing.T) {
	for _, test := range []struct{ p, quantile, actual, want float64 }{
		{0.5, 10, 14, 2},
		{0.5, 14, 10, 2},
		{0.9, 10, 14, 3.6},
		{0.9, 14, 10, 0.4},
		{0, 10, 14, 0},
		{1, 14, 10, 0},
		{0.3, -2, -2, 0},
	} {
		if got, err := Pinball(test.p, test.quantile, test.actual); err != nil || !near(got, test.want, 1e-15) {
			t.Errorf("Pinball(%v, %v, %v) = %v, %v, want %v", test.p, test.quantile, test.actual, got, err, test.want)
		}
	}
	nan := math.NaN()
	for _, bad := range [][3]float64{{nan, 1, 1}, {-0.1, 1, 1}, {1.1, 1, 1}, {0.5, nan, 1}, {0.5, 1, math.Inf(1)}} {
		if _, err := Pinball(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("Pinball(%v) gives no error", bad)
		}
	}
}

// The true quantile has the least mean loss among all values.
func TestPinballIsLeastAtTheQuantile(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	values := make([]float64, 101)
	for i := range values {
		values[i] = rng.ExpFloat64()
	}
	slices.Sort(values)
	loss := func(p, q float64) (sum float64) {
		for _, x := range values {
			l, _ := Pinball(p, q, x)
			sum += l
		}
		return sum
	}
	for _, p := range []float64{0.1, 0.5, 0.9} {
		quantile := stat.Quantile(p, stat.Empirical, values, nil)
		for _, q := range values {
			if loss(p, q) < loss(p, quantile)-1e-9 {
				t.Errorf("p = %v: loss at %v is less than at the quantile %v", p, q, quantile)
			}
		}
	}
}

// crpsByDefinition integrates (F(x) - [x >= actual])^2 step by step.
func crpsByDefinition(values, weights []float64, actual float64) float64 {
	points := append(slices.Clone(values), actual)
	slices.Sort(points)
	total := 0.0
	for _, w := range weights {
		total += w
	}
	sum := 0.0
	for i, x := range points[:len(points)-1] {
		f := 0.0
		for j, v := range values {
			if v <= x {
				f += weights[j] / total
			}
		}
		if x >= actual {
			f--
		}
		sum += f * f * (points[i+1] - x)
	}
	return sum
}

func TestCRPSAgainstDefinition(t *testing.T) {
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 8))
		n := 1 + rng.IntN(12)
		offset := []float64{0, -50, 1e6}[rng.IntN(3)]
		values, weights := make([]float64, n), make([]float64, n)
		for i := range values {
			values[i] = offset + float64(rng.IntN(40)) // ties
			weights[i] = float64(rng.IntN(5))
		}
		weights[rng.IntN(n)]++
		slices.Sort(values)
		actual := offset + 60*rng.Float64() - 10
		want := crpsByDefinition(values, weights, actual)
		if got, err := CRPS(pairs(values, weights), actual); err != nil || !near(got, want, 1e-8) {
			t.Fatalf("seed %d: CRPS = %v, %v, want %v", seed, got, err, want)
		}
	}
}

// Weights count by their ratios only, however large or small.
func TestCRPSOfScaledWeights(t *testing.T) {
	values := []float64{1, 2, 4, 4, 9}
	for _, actual := range []float64{0, 3, 4, 20} {
		want := crpsByDefinition(values, []float64{1, 3, 2, 0, 1}, actual)
		for _, scale := range []float64{1e-300, 1e-160, 1e160, 1e307} {
			weights := []float64{1 * scale, 3 * scale, 2 * scale, 0, 1 * scale}
			if got, err := CRPS(pairs(values, weights), actual); err != nil || !near(got, want, 1e-14) {
				t.Errorf("CRPS at %v of weights times %v = %v, %v, want %v", actual, scale, got, err, want)
			}
		}
	}
}

func TestCRPSNormal(t *testing.T) {
	for _, test := range []struct{ mu, sigma, actual float64 }{
		{0, 1, 0}, {0, 1, 1.5}, {10, 3, 2}, {-4, 0.5, -4.2}, {100, 20, 400},
	} {
		// By the definition, on many quantiles.
		d := distuv.Normal{Mu: test.mu, Sigma: test.sigma}
		want, err := CRPS(Quantiles(d, 50_000), test.actual)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := CRPSNormal(test.mu, test.sigma, test.actual); err != nil || !near(got, want, 1e-4*test.sigma) {
			t.Errorf("CRPSNormal(%v, %v, %v) = %v, %v, want %v", test.mu, test.sigma, test.actual, got, err, want)
		}
	}
	// A certain prediction has its absolute error.
	if got, _ := CRPSNormal(3, 0, 5); got != 2 {
		t.Errorf("CRPS of a certain prediction = %v, want 2", got)
	}
	if got, _ := CRPSNormal(5, 0, 5); got != 0 {
		t.Errorf("CRPS of a right prediction = %v, want 0", got)
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

// E[1/T^2]^(-1/2) has a closed form for the lognormal distribution: exp(mu - sigma^2).
func TestPowerMeanOfQuantiles(t *testing.T) {
	d := distuv.LogNormal{Mu: 4, Sigma: 0.5}
	got, err := PowerMean(Quantiles(d, 10_000), -2)
	if want := math.Exp(4 - 0.25); err != nil || !near(got/want, 1, 1e-3) {
		t.Errorf("%v, %v, want %v", got, err, want)
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

package histogram

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// cdfError returns the largest distance between the CDF of h and that of the values, which
// are sorted, anywhere, and the mean of the distance over the values.
func cdfError(h *Histogram, values []float64) (largest, mean float64) {
	n := float64(len(values))
	for i := 0; i < len(values); {
		x := values[i]
		j := i
		for j < len(values) && values[j] == x {
			j++
		}
		d := math.Abs(h.CDF(x) - float64(j)/n)
		left := math.Abs(h.CDF(math.Nextafter(x, math.Inf(-1))) - float64(i)/n)
		largest = max(largest, d, left)
		mean += d * float64(j-i) / n
		i = j
	}
	return largest, mean
}

func accuracy(t *testing.T) {
	for name, draw := range map[string]func(rng *rand.Rand, i int) float64{
		"exponential": func(rng *rand.Rand, _ int) float64 { return rng.ExpFloat64() },
		"lognormal":   func(rng *rand.Rand, _ int) float64 { return math.Exp(2 * rng.NormFloat64()) },
		"Pareto":      func(rng *rand.Rand, _ int) float64 { return math.Pow(1-rng.Float64(), -1/1.2) },
		"bimodal":     func(rng *rand.Rand, _ int) float64 { return 100 + 10*rng.NormFloat64() + float64(900*rng.IntN(2)) },
		"normal":      func(rng *rand.Rand, _ int) float64 { return rng.NormFloat64() },
		"sorted":      func(_ *rand.Rand, i int) float64 { return float64(i) },
		"20 values":   func(rng *rand.Rand, _ int) float64 { return float64(10 * (1 + rng.IntN(20))) },
	} {
		rng := rand.New(rand.NewPCG(1, 3))
		values := make([]float64, 40_000)
		for i := range values {
			values[i] = draw(rng, i)
		}
		h := of(t, Config{}, values...)
		slices.Sort(values)
		if largest, mean := cdfError(h, values); largest > 0.02 || mean > 0.001 {
			t.Errorf("%s: largest error %.4f, mean %.5f, want at most 0.02 and 0.001", name, largest, mean)
		}
	}
}

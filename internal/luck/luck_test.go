package luck_test

import (
	"math"
	"testing"

	"example.com/augur/internal/luck"
)

// Neighbouring keys, seeds and subjects give numbers that are uniform and not correlated.
func TestUniform(t *testing.T) {
	const n = 100_000
	for name, draw := range map[string]func(i uint64) float64{
		"seeds":    func(i uint64) float64 { return luck.Uniform(i, 1, 1) },
		"subjects": func(i uint64) float64 { return luck.Uniform(1, i, 1) },
		"keys":     func(i uint64) float64 { return luck.Uniform(1, 1, i) },
		"second":   func(i uint64) float64 { return luck.Uniform(1, 1, 7, i) },
		"high":     func(i uint64) float64 { return luck.Uniform(1, 1, i<<32, 7) },
	} {
		var tenths [10]float64
		product, last := 0.0, draw(n)
		for i := range uint64(n) {
			u := draw(i)
			if !(u >= 0 && u < 1) {
				t.Fatalf("%s: got %v, want 0 to below 1", name, u)
			}
			tenths[int(u*10)]++
			product += (u - 0.5) * (last - 0.5)
			last = u
		}
		square := 0.0
		for _, got := range tenths {
			square += (got - n/10) * (got - n/10) / (n / 10)
		}
		if square > 27.9 { // chi-squared, 9 degrees of freedom, 0.1 %
			t.Errorf("%s: tenths of %v, want %d each: chi-squared is %.1f", name, tenths, n/10, square)
		}
		if r := product * 12 / n; math.Abs(r) > 3.3/math.Sqrt(n) {
			t.Errorf("%s: neighbours have correlation %.4f, want 0", name, r)
		}
	}
}

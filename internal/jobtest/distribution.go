package jobtest

import (
	"math"
	"slices"
	"testing"
)

// WantWithin checks a statistic that is known with the given standard error.
func WantWithin(t *testing.T, what string, got, want, stderr float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 4*stderr) {
		t.Errorf("%s: got %.5g, want %.5g within 4 × %.2g", what, got, want, stderr)
	}
}

// WantDistribution checks that n values are drawn from a distribution: that no share of
// values up to x is further from cdf(x) than
//
//	sqrt(ln(2/p) / 2n), with p = 1/1000
//
// which happens with probability p at most, also if the distribution is discrete.
//
// # Source
//
// P. Massart, "The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality", Annals of
// Probability 18(3), 1990, corollary 1.
func WantDistribution(t *testing.T, what string, values []float64, cdf func(x float64) float64) {
	t.Helper()
	n := float64(len(values))
	bound := math.Sqrt(math.Log(2/1e-3) / (2 * n))
	slices.Sort(values)
	worst, at := 0.0, 0.0
	below := 0.0 // the share below x
	for i, x := range values {
		if i+1 < len(values) && values[i+1] == x {
			continue
		}
		upTo := float64(i+1) / n
		// Left of x the share is below, and the distribution at most that just left of x.
		for _, d := range []float64{math.Abs(upTo - cdf(x)), math.Abs(below - cdf(math.Nextafter(x, math.Inf(-1))))} {
			if !(d <= worst) {
				worst, at = d, x
			}
		}
		below = upTo
	}
	if !(worst <= bound) {
		t.Errorf("%s: got a distance of %.5f at %v, want at most %.5f", what, worst, at, bound)
	}
}

// Moments returns the mean and the standard deviation of a sample.
func Moments(values []float64) (mean, sigma float64) {
	for _, x := range values {
		mean += x / float64(len(values))
	}
	for _, x := range values {
		sigma += (x - mean) * (x - mean) / float64(len(values)-1)
	}
	return mean, math.Sqrt(sigma)
}

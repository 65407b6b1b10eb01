package workload

import (
	"math"
	"math/rand/v2"
)

// strata returns n numbers between 0 and 1 in random order, one from each n-th.
func strata(rng *rand.Rand, n int) []float64 {
	u := make([]float64, n)
	for i := range u {
		// Float64 may be 0, and its sum with i rounds up: neither end is an answer.
		u[i] = min(max((float64(i)+rng.Float64())/float64(n), 1e-12), 1-1e-12)
	}
	rng.Shuffle(n, func(i, j int) { u[i], u[j] = u[j], u[i] })
	return u
}

// quantile returns the u-quantile of the standard normal distribution, 0 < u < 1.
func quantile(u float64) float64 { return math.Sqrt2 * math.Erfinv(2*u-1) }

// lognormal turns standard normal variables into lognormal ones with mean 1 and the given
// coefficient of variation, that of these values and not of their distribution. Of n values
// it is at most 0.99 sqrt(n-1); one of sqrt(n-1) means that all but one are 0.
//
// The values are exp(sigma z) over their mean, and their variation grows with sigma.
func lognormal(z []float64, cov float64) {
	top := math.Inf(-1)
	for _, z := range z {
		top = max(top, z)
	}
	variation := func(sigma float64) float64 {
		sum, squares := 0.0, 0.0
		for _, z := range z {
			x := math.Exp(sigma * (z - top))
			sum += x
			squares += float64(x * x)
		}
		n := float64(len(z))
		return math.Sqrt(max(0, n*squares/(sum*sum)-1))
	}
	sigma := 0.0
	if cov = min(cov, 0.99*math.Sqrt(float64(len(z)-1))); cov > 0 {
		sigma = solve(variation, cov)
	}
	sum := 0.0
	for i := range z {
		z[i] = math.Exp(sigma * (z[i] - top))
		sum += z[i]
	}
	for i := range z {
		z[i] *= float64(len(z)) / sum
	}
}

// solve returns x ≥ 0 for which f, which is 0 at 0 and increases, is near y > 0.
func solve(f func(x float64) float64, y float64) float64 {
	low, high := 0.0, 1.0
	for f(high) < y && high < 1e9 {
		low, high = high, 2*high
	}
	for range 40 {
		mid := (low + high) / 2
		if got := f(mid); math.Abs(got-y) < 1e-6*y {
			return mid
		} else if got < y {
			low = mid
		} else {
			high = mid
		}
	}
	return (low + high) / 2
}

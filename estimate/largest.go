package estimate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// MeanOfLargest returns the expectation of the largest of n independent values of a distribution d, n at
// least 1, such as the time until the last of n tasks that run side by side has finished. Of an
// empirical distribution, such as a [Sample], none is larger than the largest seen; a fitted one goes
// beyond.
//
// The largest is at most x with probability F(x)^n. Its mean is exact for a [Sample]; otherwise it is the
// integral of its quantiles over probability by Gauss and Legendre's rule in pieces that halve towards
// both ends, some 1,000 calls of Quantile. What is beyond the probability 2^-50 of a single value
// counts as if it began there, so the mean of a very heavy tail comes out too small, and is finite even
// if it has none; a staircase comes out within some 1 % of its height. For the same reason more than 2^44 values
// count as 2^44.
func MeanOfLargest(d interface{ Quantile(p float64) float64 }, n int) (float64, error) {
	if d == nil {
		return 0, fmt.Errorf("estimate: largest of %d values of no distribution", n)
	}
	if n < 1 {
		return 0, fmt.Errorf("estimate: number of values is %d, must be ≥ 1", n)
	}
	if s, ok := d.(*Sample); ok {
		return s.meanOfLargest(float64(n)), nil
	}
	return integralOfLargest(d.Quantile, min(float64(n), 0x1p44)), nil
}

func integralOfLargest(quantile func(p float64) float64, n float64) float64 {
	const points, ends = 10, 50
	lower := func(p float64) float64 { return quantile(math.Pow(p, 1/n)) }
	upper := func(t float64) float64 { return quantile(math.Exp(math.Log1p(-t) / n)) }
	sum := 0.0
	for _, from := range []func(float64) float64{lower, upper} {
		end := 0.5
		for k := 1; k < ends && end > n*math.Ldexp(1, -ends); k++ {
			sum += quad.Fixed(from, end/2, end, points, quad.Legendre{}, 0)
			end /= 2
		}
		sum += end * from(end)
	}
	return sum
}

// meanOfLargest is that of values drawn from those of s: the i-th least of m is the largest with
// probability (i/m)^n - ((i-1)/m)^n.
func (s *Sample) meanOfLargest(n float64) float64 {
	if len(s.sorted) == 0 {
		return math.NaN()
	}
	mean, below := 0.0, 0.0
	for i, x := range s.sorted {
		upTo := math.Pow(float64(i+1)/float64(len(s.sorted)), n)
		mean += float64(x * (upTo - below))
		below = upTo
	}
	return mean
}

package estimate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/integrate/quad"
)

// A Largest is the distribution of the largest of n independent values of one distribution,
// such as the time until the last of n tasks that run side by side has finished:
//
//	CDF(x) = F(x)^n
//
// Make one with [LargestOf].
type Largest struct {
	of interface {
		CDF(x float64) float64
		Quantile(p float64) float64
	}
	n float64
}

// LargestOf returns the distribution of the largest of n values of d, n at least 1. Of an empirical
// distribution, such as a [Sample], none is larger than the largest seen; a fitted one goes
// beyond.
func LargestOf(d interface {
	CDF(x float64) float64
	Quantile(p float64) float64
}, n int) (Largest, error) {
	if d == nil {
		return Largest{}, fmt.Errorf("estimate: largest of %d values of no distribution", n)
	}
	if n < 1 {
		return Largest{}, fmt.Errorf("estimate: number of values is %d, must be ≥ 1", n)
	}
	return Largest{d, float64(n)}, nil
}

// CDF returns the probability that all values are at most x.
func (l Largest) CDF(x float64) float64 { return math.Pow(l.of.CDF(x), l.n) }

// Quantile returns the value that all are at most with probability p, and NaN unless p is in
// [0, 1].
func (l Largest) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return l.of.Quantile(math.Pow(p, 1/l.n))
}

// Mean returns the expectation. It is exact for a [Sample] and a [Pareto]; otherwise it is the integral of
// Quantile over probability by Gauss and Legendre's rule in pieces that halve towards both ends, some
// 1,000 calls of Quantile. What is beyond the probability 2^-50 of a single value counts as if it
// began there, so the mean of a very heavy tail comes out too small, and is finite even if it
// has none; a staircase comes out within some 1 % of its height.
func (l Largest) Mean() float64 {
	if exact, ok := l.of.(interface{ meanOfLargest(n float64) float64 }); ok {
		return exact.meanOfLargest(l.n)
	}
	const points, ends = 10, 50
	lower := l.Quantile
	upper := func(t float64) float64 { return l.of.Quantile(math.Exp(math.Log1p(-t) / l.n)) }
	sum := 0.0
	for _, from := range []func(float64) float64{lower, upper} {
		end := 0.5
		for k := 1; k < ends && end > l.n*math.Ldexp(1, -ends); k++ {
			sum += quad.Fixed(from, end/2, end, points, quad.Legendre{}, 0)
			end /= 2
		}
		sum += end * from(end)
	}
	return sum
}

package estimate

import (
	"fmt"
	"iter"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Pinball returns the loss of a quantile that was predicted for probability p in [0, 1]:
//
//	p * (actual - quantile)        if actual >= quantile
//	(1 - p) * (quantile - actual)  otherwise
//
// Its expectation is least for the true quantile. For p = 1/2 it is half the absolute error.
// Values may be negative.
func Pinball(p, quantile, actual float64) (float64, error) {
	if !(p >= 0 && p <= 1) {
		return 0, fmt.Errorf("estimate: probability is %v, must be in [0, 1]", p)
	}
	if err := checkFinite("quantile", quantile); err != nil {
		return 0, err
	}
	if err := checkFinite("actual value", actual); err != nil {
		return 0, err
	}
	if actual >= quantile {
		return p * (actual - quantile), nil
	}
	return (1 - p) * (quantile - actual), nil
}

// CRPS returns the continuous ranked probability score of a predicted distribution, the
// integral of (F(x) - [x >= actual])^2 over all x, for a distribution of weighted values, such
// as the bins of a histogram. For a single value it is the absolute error; smaller is better,
// and its expectation is least for the true distribution. It is in the unit of the values.
//
// Values must be finite and come in increasing order, weights finite and at least 0 and not
// all 0. It takes one pass and does not allocate.
//
// # Source
//
// T. Gneiting and A. E. Raftery, "Strictly proper scoring rules, prediction, and estimation",
// Journal of the American Statistical Association 102(477), 2007, equation 21:
// E|X - y| - E|X - X'|/2.
func CRPS(bins iter.Seq2[float64, float64], actual float64) (float64, error) {
	if err := checkFinite("actual value", actual); err != nil {
		return 0, err
	}
	// All are averages, so that large weights do not overflow.
	var (
		weight float64 // sum of weights
		off    float64 // of |x - actual|
		below  float64 // of last - x
		spread float64 // of |x - x'|, half of it
		last   = math.Inf(-1)
	)
	for x, w := range bins {
		if err := checkBin(x, w); err != nil {
			return 0, err
		}
		if x < last {
			return 0, fmt.Errorf("estimate: value %v comes after %v, must be in increasing order", x, last)
		}
		if weight > 0 {
			below += x - last
		}
		last = x
		if w == 0 {
			continue
		}
		weight += w
		part := w / weight
		rest := 1 - part
		spread = float64(float64(spread*rest)*rest) + float64(float64(part*rest)*below)
		off += float64(part * (math.Abs(x-actual) - off))
		below = float64(below * rest)
	}
	if err := checkWeight(weight); err != nil {
		return 0, err
	}
	return max(0, off-spread), nil
}

// CRPSNormal returns the continuous ranked probability score of a predicted normal
// distribution with mean mu and standard deviation sigma, finite and at least 0. Values may be
// negative.
//
// # Source
//
// Gneiting and Raftery (see [CRPS]), section 4.2.
func CRPSNormal(mu, sigma, actual float64) (float64, error) {
	if err := checkFinite("mean", mu); err != nil {
		return 0, err
	}
	if err := checkValue("standard deviation", sigma); err != nil {
		return 0, err
	}
	if err := checkFinite("actual value", actual); err != nil {
		return 0, err
	}
	z := math.Abs(actual-mu) / sigma
	if !(z < 40) { // or sigma is 0; the density is 0 by now
		return math.Abs(actual-mu) - sigma/math.SqrtPi, nil
	}
	n := distuv.UnitNormal
	return sigma * (z*(2*n.CDF(z)-1) + 2*n.Prob(z) - 1/math.SqrtPi), nil
}

func checkBin(x, w float64) error {
	if err := checkFinite("value", x); err != nil {
		return err
	}
	return checkValue("weight", w)
}

func checkWeight(sum float64) error {
	if !(sum > 0) || math.IsInf(sum, 1) {
		return fmt.Errorf("estimate: weights add up to %v, must be finite and > 0", sum)
	}
	return nil
}

package estimate

import (
	"fmt"
	"iter"
	"math"
)

// CertaintyEquivalent returns the certainty equivalent of weighted values, such as the bins of a histogram, under the
// utility 1/x²: the runtime whose utility equals the expected utility. SLearn uses it to reduce the distribution that
// 3Sigma's predictor returns to a point estimate. The expected utility by which 3Sigma's scheduler chooses is
// Utility.Expected of policy/threesigma.
//
// The result is the power mean with exponent -2,
//
//	E[1/x²]^(-1/2)
//
// It leans to the least values, and is 0 if one of them is 0.
//
// Values must be finite and at least 0, weights finite and at least 0 and not all 0. CertaintyEquivalent iterates over
// bins twice, takes O(n) time, and does not allocate.
//
// # Source
//
// SLearn, section 4.3.
func CertaintyEquivalent(bins iter.Seq2[float64, float64]) (float64, error) {
	weight, least, most := 0.0, math.Inf(1), 0.0
	for x, w := range bins {
		if err := checkValue("value", x); err != nil {
			return 0, err
		}
		if err := checkValue("weight", w); err != nil {
			return 0, err
		}
		weight += w
		if w > 0 {
			least, most = min(least, x), max(most, x)
		}
	}
	if !(weight > 0) || math.IsInf(weight, 1) {
		return 0, fmt.Errorf("estimate: weights add up to %v, must be finite and > 0", weight)
	}
	if least == 0 {
		return 0, nil
	}
	sum := 0.0
	for x, w := range bins {
		if w > 0 {
			sum += w / weight * (least / x) * (least / x) // of ratios, which cannot overflow
		}
	}
	return min(max(least*math.Pow(sum, -0.5), least), most), nil
}

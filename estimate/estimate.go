// Package estimate says what samples tell: of a quantity of which some values are known, such
// as the runtimes of the tasks of a job that have finished, it estimates the next value, the
// mean, the sum, and how sure one may be.
//
// Point estimators stream. [Mean], [Rolling] and [Recent] take values one by one, hold a few
// words of memory and answer at any time; [Moments] also forgets values, for windows that
// slide. [NMAE], [MAPE] and [Within] score estimates against what came true; [Pinball], [CRPS]
// and [CRPSNormal] score quantiles and whole distributions. [Posterior] weighs a prior against
// samples, and [NormalInverseGamma] does so where the variance is unknown too.
//
// [PilotCount] and [Pilots] choose the tasks of a job that are to run first. [Sample] tells
// from those that have finished what the others will take, and [LargestOf] when the last will
// end. [SpaceCoV] and [TimeCoV] say how much tasks tell of their job, and jobs of one another.
//
// [FitPareto], [Hill] and [FitLogNormal] fit long tails, and make use of what tasks that still
// run have run so far. [Conformal] makes intervals of a stated coverage out of any predictions.
//
// What has CDF, Quantile and Mean, such as a [Sample] or a [Pareto], is a distribution of
// runtimes; a [Posterior] is one of the mean runtime.
//
// The package knows nothing of jobs and features; package predict, which does, is built on it.
// Values are runtimes in any one unit, and so at least 0, unless a comment says otherwise. A
// value that is refused leaves the state as it was. Where there is no answer yet the second
// result is false, and what a distribution answers is NaN. Nothing here is safe for concurrent
// use if one of the users changes it.
//
// Results are the same to the last bit on all processors, but for those that take logarithms,
// exponentials or other powers: fits, [PowerMean], [Largest], and CDF, Quantile and the CRPS of
// what is normal, lognormal, Pareto or Student's t.
package estimate

import (
	"fmt"
	"math"
)

// checkValue refuses what no runtime is.
func checkValue(name string, x float64) error {
	if !(x >= 0) || math.IsInf(x, 1) {
		return fmt.Errorf("estimate: %s is %v, must be finite and ≥ 0", name, x)
	}
	return nil
}

// checkFinite refuses NaN and the infinities.
func checkFinite(name string, x float64) error {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return fmt.Errorf("estimate: %s is %v, must be finite", name, x)
	}
	return nil
}

// ratio returns a/b for a, b ≥ 0, where 0/0 is 0 and anything else by 0 is +Inf.
func ratio(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a / b
}

// An optional is a number that may be missing, in the eight bytes of the number: its bits
// plus one, and 0 if it is missing. It holds anything but NaN.
type optional uint64

func some(x float64) optional { return optional(math.Float64bits(x) + 1) }

func (o optional) get() (x float64, ok bool) {
	if o == 0 {
		return 0, false
	}
	return math.Float64frombits(uint64(o) - 1), true
}

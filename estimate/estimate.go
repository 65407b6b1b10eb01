// Package estimate says what samples tell: of a quantity of which some values are known, such
// as the runtimes of the tasks of a job that have finished, it estimates the next value, the
// mean, the sum, and how sure one may be.
//
// Point estimators stream. [Moments], [Rolling] and [Recent] take values one by one, hold a few
// words of memory and answer at any time; Moments also forgets values, and [Window] those that
// are old. [NMAE] and [Within] score estimates against what came true, and [CRPS]
// whole distributions. [Posterior] weighs a prior against samples.
//
// [PilotCount] and [Pilots] choose the tasks of a job that are to run first. [Sample] tells
// from those that have finished what the others will take, and [MeanOfLargest] when the last will
// end. [SpaceCoV] and [TimeCoV] say how much tasks tell of their job, and jobs of one another.
//
// [Hill] and [FitLogNormal] fit long tails, and make use of what tasks that still run have run
// so far. [Conformal] makes intervals of a stated coverage out of any predictions.
//
// What has CDF, Quantile and Mean, such as a [Sample] or what is fitted, is a distribution of
// runtimes; a [Posterior] is one of the mean runtime.
//
// The package knows nothing of jobs and features; package predict, which does, is built on it.
// Values are runtimes in any one unit, and so at least 0, unless a comment says otherwise.
// Errors name what is refused and what is allowed; a value that is refused leaves the state as
// it was. Where there is no answer yet the second result is false, and what a distribution
// answers is NaN. Nothing here is safe for concurrent use while one goroutine changes it. Nothing
// has a form to be saved in either: add the same values in the same order after a restart. What a policy
// has of these package journal brings back.
//
// Results are the same to the last bit on all processors, but for those that take logarithms,
// exponentials or other powers: fits, [PowerMean], [MeanOfLargest], and CDF and Quantile of what
// is normal or lognormal.
//
// # Which to begin with
//
//   - The next value of a stream: [Rolling] or [Recent] follow what changes, the mean of
//     [Moments] is best where nothing does, and [NMAE] tells which was right so far.
//   - The rest of a job of which some tasks have finished: [Sample], with [Sample.Total] for
//     the work and [MeanOfLargest] for the end.
//   - A mean by history and by a few samples: [Posterior].
//   - How long an outlier may take: [FitLogNormal].
//   - How far to trust a predictor of any kind: [Conformal].
//
// What is left of a job of a hundred tasks, for example:
//
//	var tasks estimate.Sample
//	err := tasks.Add(12.5) // one has finished, after 12.5 s; and so on
//	work, off := tasks.Total(100 - tasks.N()) // slot-seconds, and the standard deviation
//
// The comment of each type and function has its formula and its source.
//
// # When not to use it
//
// A few numbers tell nothing of a tail: the quantiles and the largest value of a [Sample]
// never exceed what was seen, and what is fitted is as right as the family that was chosen for
// it. Nor do they tell of a change: the mean of a million values hardly moves when jobs become
// twice as long. For the distribution of a long stream in bounded memory there is package
// histogram; for jobs and their attributes, package predict.
//
// # Cost
//
// Scores, moments and beliefs take constant time a value and some 8 to 56 bytes, and do not
// allocate. [Recent], [Window], [Sample] and [Conformal] keep values, of 8 to 16 bytes each, and
// allocate to hold more of them. Fits take O(n) time, but [Hill] takes O(n log n), and
// [Sample.Bootstrap] takes O(n) a resample; these two and [FitLogNormal] allocate.
//
// # Source
//
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
//     distribution-based cluster scheduling for runtime uncertainty", EuroSys 2018
//     (CMU-PDL-17-107), section 4.1: estimators and scores.
//   - SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning
//     for cluster job scheduling", NSDI 2022 (extended version), sections 4 and 5.1:
//     [Posterior], pilots, [PowerMean] and coefficients of variation.
//
// The rest is from the literature, named at each.
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

// smallestNormal is the least number with all digits.
const smallestNormal = 0x1p-1022

// ln returns the natural logarithm of x. Some processors' math.Log takes what is less than smallestNormal for about
// that, and is off by up to 35.
func ln(x float64) float64 {
	if x > 0 && x < smallestNormal {
		return math.Log(x*0x1p54) - 54*math.Ln2
	}
	return math.Log(x)
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

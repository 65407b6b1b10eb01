// Package estimate says what samples tell: of a quantity of which some values are known, such
// as the runtimes of the tasks of a job that have finished, it estimates the next value, the
// mean, the sum, and how sure one may be.
//
// [Moments] takes values one by one and answers with their mean and variance at any time; [Window] forgets
// those that are old. [NMAE] and [Within] score estimates against what came true. [Posterior] weighs
// a prior against samples.
//
// [PilotCount] and [Pilots] choose the tasks of a job that are to run first, and [Sample] tells from those
// that have finished what the others will take. [SpaceCoV] and [TimeCoV] say how much tasks tell of
// their job, and jobs of one another. [UtilityMean] makes one number of a distribution.
//
// [Hill] fits long tails, and makes use of what tasks that still run have run so far. [Conformal] makes
// intervals of a stated coverage out of any predictions, and [Tracker] corrects bounds when it becomes known only later whether each one held.
//
// What has CDF, Quantile and Mean is a distribution: a [Sample] is one of runtimes, and a [Posterior] or a [Belief] one
// of a mean runtime.
//
// [Stack] makes a calibrated distribution, a [Belief], of what several point estimators say. [Gittins] ranks jobs by
// such distributions.
//
// The package knows nothing of jobs and features; package predict, which does, is built on it.
// Values are runtimes in any one unit, and so at least 0, unless a comment says otherwise.
// Errors name what is refused and what is allowed; a value that is refused leaves the state as
// it was. Where there is no answer yet the second result is false, and what a distribution
// answers is NaN. Nothing here is safe for concurrent use while one goroutine changes it. Nothing
// has a form to be saved in either: add the same values in the same order after a restart. What a policy
// has of these package journal brings back.
//
// # Which to begin with
//
//   - The next value of a stream: the mean of [Moments], where nothing changes; package predict chooses
//     between estimators.
//   - The rest of a job, by its tasks that have finished: [Sample].
//   - A mean by history and by a few samples: [Posterior], or a [Belief] where not even its order of magnitude is known.
//   - How far the estimates of several predictors are off: [Stack].
//   - Which of several jobs to serve first: [Gittins].
//   - How heavy a tail is: [Hill].
//   - How far to trust a predictor of any kind: [Conformal], or [Tracker] where it is known late how the prediction came out.
//
// The comment of each type and function has its formula and its source.
//
// # When not to use it
//
// A few numbers tell nothing of a tail: the quantiles of a [Sample] never exceed what was seen. Nor do they
// tell of a change: the mean of a million values hardly moves when jobs become twice as long. For the
// distribution of a long stream in bounded memory there is package
// histogram; for jobs and their attributes, package predict.
//
// # Cost
//
// Scores, moments and beliefs take constant time a value, and do not allocate. [Window], [Sample] and
// [Conformal] keep values, of 8 to 16 bytes each, and allocate to hold more of them. [Hill] takes
// O(n log n) time, and allocates.
//
// # Source
//
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
//     distribution-based cluster scheduling for runtime uncertainty", EuroSys 2018
//     (CMU-PDL-17-107), section 4.1: scores.
//   - SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning
//     for cluster job scheduling", NSDI 2022 (extended version), sections 4 and 5.1:
//     [Posterior], pilots, [UtilityMean] and coefficients of variation.
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

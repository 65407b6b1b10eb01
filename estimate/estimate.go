// Package estimate estimates from samples. Given some values of a quantity, such as the runtimes of the tasks of a job
// that have finished, it estimates the next value, the mean, the sum and the uncertainty.
//
// The package knows nothing of jobs and features; package predict is built on it and does. Values are runtimes in any
// one unit, and so at least 0, unless a comment says otherwise. Errors name the refused value and what is allowed, and
// leave the state unchanged. If there is no answer yet, the second result is false, or the distribution answers NaN.
// Nothing here is safe for concurrent use while one goroutine changes it. [Moments] and [Stacking] can be saved: to the
// others add the same values in the same order after a restart. Package journal does that for a policy.
//
// # Which to begin with
//
//   - The next value of a stationary stream: the mean of [Moments]. Package predict chooses between estimators.
//   - Which tasks of a job to run first: [PilotCount] and [Pilots].
//   - How good estimates were: [NMAE] and [Within].
//   - A mean, from history and a few samples: [Posterior], or [Belief] if its order of magnitude is unknown.
//   - A calibrated [Belief] from several point estimators: [Stacking].
//   - One number for a distribution: [CertaintyEquivalent].
//   - Which of several jobs to serve first: [Gittins].
//   - How heavy a tail is: [Hill].
//   - How far to trust any predictor: [Tracker], for bounds that hold as often as they claim. Package predict has
//     intervals around its own estimates.
//
// The comment of each type and function has its formula and its source.
//
// # When not to use it
//
// A long history hides a change: the mean of a million values hardly moves when jobs become twice as
// long. Use package histogram for a distribution of runtimes, and package predict for jobs with attributes.
//
// # Cost
//
// Scores, moments and beliefs take constant time a value, and do not allocate. [Hill] takes O(n log n) time, and allocates.
//
// # Source
//
//   - 3Sigma: J. W. Park, A. Tumanov, A. Jiang, M. A. Kozuch and G. R. Ganger, "3Sigma:
//     distribution-based cluster scheduling for runtime uncertainty", technical
//     report CMU-PDL-17-107, 2017, section 4.1: scores.
//   - SLearn: A. Jajoo, Y. C. Hu, X. Lin and N. Deng, "A case for task sampling based learning for cluster job
//     scheduling", NSDI 2022 (extended version), sections 4 and 5.1: [Posterior], pilots and [CertaintyEquivalent].
//
// The rest is from the literature, named at each.
package estimate

import (
	"fmt"
	"math"
)

// checkValue returns an error unless x is a possible runtime.
func checkValue(name string, x float64) error {
	if !(x >= 0) || math.IsInf(x, 1) {
		return fmt.Errorf("estimate: %s is %v, must be finite and ≥ 0", name, x)
	}
	return nil
}

// checkPositive returns an error unless x is above 0 and finite.
func checkPositive(name string, x float64) error {
	if !(x > 0 && x <= math.MaxFloat64) {
		return fmt.Errorf("estimate: %s is %v, must be above 0 and finite", name, x)
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

package estimate

import "math"

// SpaceCoV returns how much the runtimes of a job's tasks tell of its mean runtime when the
// given ratio of them is sampled: the coefficient of variation of the mean of the pilots,
//
//	s1 / (sqrt(ratio*N) * mean)
//
// with the standard deviation s1 of all N tasks. 0/0 is 0 and anything else by 0 is +Inf. It
// returns false for a job of fewer than two tasks, and unless ratio is in (0, 1].
//
// # Source
//
// SLearn, section 4.2 (variation across space), with a ratio of 0.03. The text has s1^2 for
// s1, a slip; its plots leave the square out.
func SpaceCoV(tasks Moments, ratio float64) (cov float64, ok bool) {
	if tasks.N() < 2 || !(ratio > 0 && ratio <= 1) {
		return 0, false
	}
	cov, ok = tasks.CoV()
	return cov / math.Sqrt(ratio*float64(tasks.N())), ok
}

// TimeCoV returns how much the history of a job tells of its mean runtime: the least
// coefficient of variation of the values of a feature, over the job's features. Each element
// is a feature: what jobs that share its value had for mean task runtimes, as from a [Window]
// of the last days. Features with fewer than two values tell nothing; it returns false
// if all are such.
//
// # Source
//
// SLearn, section 4.2 (variation across time), with windows of 3, 7 and 14 days.
func TimeCoV(features ...Moments) (cov float64, ok bool) {
	cov = math.Inf(1)
	for i := range features {
		if features[i].N() >= 2 {
			c, _ := features[i].CoV()
			cov, ok = min(cov, c), true
		}
	}
	if !ok {
		return 0, false
	}
	return cov, true
}

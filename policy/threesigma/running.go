package threesigma

import "math"

// After returns the distribution of the runtime T of a job that has already run for some time, and not
// ended, given T > elapsed:
//
//	1 - F(t | elapsed) = (1 - F(max(t, elapsed))) / (1 - F(elapsed))
//
// with elapsed in seconds, one below 0 counting as 0. It returns false if d has it that no job runs so
// long, where [Increments] help, if d has no values, or if elapsed is not finite. It reads d, and is valid
// until that changes.
//
// # Source
//
// 3Sigma, section 3.2. The maximum is ours: it makes the formula right also for times gone by.
func After(d Distribution, elapsed float64) (Distribution, bool) {
	if elapsed-elapsed != 0 {
		return nil, false
	}
	elapsed = max(elapsed, 0)
	s := survival(d, elapsed)
	if !(s > 0) {
		return nil, false
	}
	return running{d, elapsed, s}, true
}

// running is what After returns.
type running struct {
	of       Distribution
	elapsed  float64
	survival float64 // of elapsed, > 0
}

// CDF returns the probability of at most x, which is 0 up to what has elapsed.
func (r running) CDF(x float64) float64 { return 1 - r.Survival(x) }

// Survival returns the probability of more than x.
func (r running) Survival(x float64) float64 {
	if x <= r.elapsed {
		return 1
	}
	return min(survival(r.of, x)/r.survival, 1)
}

// Quantile returns the least value whose CDF is at least p, up to rounding, and NaN unless p is in
// [0, 1].
func (r running) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return max(r.elapsed, r.of.Quantile(1-float64(r.survival*(1-p))))
}

// SurvivalIntegral returns the integral of Survival from a to b, a ≤ b.
func (r running) SurvivalIntegral(a, b float64) float64 {
	sum := 0.0
	if a < r.elapsed {
		sum = min(b, r.elapsed) - a
		a = r.elapsed
	}
	if a < b {
		sum += min(survivalIntegral(r.of, a, b)/r.survival, b-a)
	}
	return sum
}

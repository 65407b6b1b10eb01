package threesigma

import "math"

// After returns the distribution of the runtime T of a job that has already run for some time without ending, given T
// > elapsed:
//
//	1 - F(t | elapsed) = (1 - F(max(t, elapsed))) / (1 - F(elapsed))
//
// with elapsed in seconds; below 0 it counts as 0. It returns false if no job runs so long by d, in which case
// [Increments] help, if d has no values, or if elapsed is not finite. The result reads d, and is valid until d
// changes.
//
// # Source
//
// 3Sigma, section 3.2. The maximum is ours: it makes the formula right also for times that have passed.
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

// Quantile returns the least value whose CDF is at least p, up to rounding, and NaN unless p is in [0, 1].
func (r running) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return max(r.elapsed, r.of.Quantile(1-r.survival*(1-p)))
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

// appendShares appends to dst the expected remaining consumption of a job: the share of its nodes that it is expected to
// hold when each slot begins,
//
//	share(slot) = P(T > elapsed + at[slot])
//
// where slots begin at seconds from now, the first one at 0. d is the distribution of the runtime T of a job that has run
// for the time elapsed, of [Increments.After], or of one that is to be started. draft.occupy takes it from the capacity, for
// each running job. The share at the beginning is the largest
// within a slot, so a plan never counts on nodes that are not expected to be free. On average it is too much by up to half
// a slot. A job that ends just as a slot begins holds nothing in it.
//
// Shares are from 0 to 1 and never grow. Zeros at the end are left out, so fewer values than slots may be appended. It
// returns an error, and dst as it was, if d has no values.
//
// # Source
//
// 3Sigma, section 3.2: expected resource consumption and, for a running job, remaining resource consumption (RRC).
func appendShares(dst []float64, d Distribution, elapsed float64, at []float64) ([]float64, error) {
	n, last := len(dst), 1.0
	for k, begins := range at {
		share := survival(d, elapsed+begins)
		if math.IsNaN(share) {
			return dst[:n], errNoValues
		}
		if k > 0 { // in the first it runs
			last = min(last, max(share, 0)) // functions that are computed may grow by a rounding, and leave [0, 1]
		}
		if last == 0 {
			break
		}
		dst = append(dst, last)
	}
	return dst, nil
}

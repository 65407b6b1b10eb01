package threesigma

import (
	"fmt"
	"math"
)

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

// maxSlots is the largest number of slots: each takes 8 bytes in every profile.
const maxSlots = 1 << 20

// AppendConsumption appends to dst the expected remaining consumption of a job, and returns it: the share of its
// nodes that the job is expected to hold in each of slots slots of time, at most 2^20,
//
//	share(slot) = P(T > from + slot·width)
//
// The first slot begins when the job has run for the time from, at least 0. For a job that is to be started, from is
// 0 and d the distribution of its runtime T. For a running job, from is the time elapsed and d the result of [After]
// or [Increments.After]. from and the width of a slot, above 0, are in seconds.
//
// A slot has the share at its beginning, which is 1 in the first. This is the largest share within the slot, so a
// plan never counts on nodes that are not expected to be free. On average it is too much by up to half a slot. A job
// that ends just as a slot begins holds nothing in it.
//
// Shares are from 0 to 1 and never grow. Zeros at the end are left out, so fewer than slots values may be appended.
// It takes one call of CDF for each, and does not allocate if dst has room. It returns an error, and dst as it was,
// if from, width or slots is out of range, or if d has no values.
//
// # Source
//
// 3Sigma, section 3.2: expected resource consumption and, for a running job, remaining resource consumption (RRC).
func AppendConsumption(dst []float64, d Distribution, from, width float64, slots int) ([]float64, error) {
	switch {
	case !(from >= 0) || math.IsInf(from, 1):
		return dst, fmt.Errorf("threesigma: consumption from %v s on, want a finite time of at least 0", from)
	case !(width > 0) || math.IsInf(width, 1):
		return dst, fmt.Errorf("threesigma: slots of %v s, want a finite width above 0", width)
	case slots < 0 || slots > maxSlots:
		return dst, fmt.Errorf("threesigma: consumption of %d slots, want 0 to %d", slots, maxSlots)
	}
	return appendShares(dst, d, from, slots, func(slot int) float64 { return from + float64(float64(slot)*width) })
}

// appendShares is AppendConsumption without checks. begins returns how long the job will have run when a slot begins;
// for the first slot that is from.
func appendShares(dst []float64, d Distribution, from float64, slots int, begins func(slot int) float64) ([]float64, error) {
	if slots == 0 {
		return dst, nil
	}
	n, last := len(dst), 1.0
	if math.IsNaN(survival(d, from)) {
		return dst, errNoValues
	}
	dst = append(dst, last)
	for k := 1; k < slots; k++ {
		share := survival(d, begins(k))
		if math.IsNaN(share) {
			return dst[:n], errNoValues
		}
		// Functions that are computed may grow by a rounding, and leave [0, 1].
		last = min(last, max(share, 0))
		if last == 0 {
			break
		}
		dst = append(dst, last)
	}
	return dst, nil
}

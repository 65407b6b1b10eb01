package threesigma

import (
	"errors"
	"fmt"
	"math"

	"example.com/augur/policy/forecast"
)

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

// An Increments says when a running job will end that has run longer than any job before it, so that
// its distribution says nothing any more: one cycle of the scheduler after the longest runtime known; and
// each time that it has not ended by then, 2, 4, 8, ... cycles later than was last said. After k such
// steps the end is at
//
//	longest + (2^k - 1) cycles
//
// so little is lost if it ends soon, and a job that goes on and on is seldom asked about again.
// There is one for each running job, and the zero Increments is for one that has just started. It is 16
// bytes, and not safe for concurrent use.
//
// # Source
//
// 3Sigma, section 4.2, under-estimate handling ("exp-inc"), where that each increment counts from the
// last end said, not from now, is our reading.
type Increments struct {
	end  float64 // runtime that was said last, s
	step float64 // the next increment, s; 0: nothing has been said
}

// endAfter returns the runtime, in seconds, at which the job is now said to end, which is after elapsed, the
// time that it has run. Longest is the longest runtime known, at least 0, and cycle the time between two
// decisions, above 0, all finite and in seconds; cycle counts only when the first end is said. It returns
// false while elapsed is less than longest: then the distribution has its say, and what has
// been said is forgotten, as it must be if the job has been started anew or a longer one has
// become known. Ends that have passed since the last call are passed over as if asked for one by one. The
// error names what is not as said, and i stays as it was.
func (i *Increments) endAfter(longest, elapsed, cycle float64) (end float64, ok bool, err error) {
	if !(longest >= 0) || math.IsInf(longest, 1) {
		return 0, false, fmt.Errorf("threesigma: longest runtime of a job is %v s, want finite, at least 0", longest)
	}
	if err := checkElapsed(elapsed, cycle); err != nil {
		return 0, false, err
	}
	if elapsed < longest {
		*i = Increments{}
		return 0, false, nil
	}
	if i.step == 0 {
		*i = Increments{end: longest, step: cycle}
	}
	for i.end <= elapsed && i.end < math.MaxFloat64 {
		i.end = min(i.end+i.step, math.MaxFloat64)
		i.step = min(2*i.step, math.MaxFloat64)
	}
	return i.end, true, nil
}

// After returns the distribution of the runtime of a job that has run for the time elapsed: as the function
// [After] has it if its distribution d knows of longer runtimes, and otherwise the one runtime at which it
// is now said to end, counted from Quantile(1) of d, the longest known. Of a distribution without
// end, such as a lognormal one, it counts from what had elapsed when no digits were left. Cycle is the time
// between two decisions, in seconds. The error says that elapsed, which is at least 0, or cycle, above 0, is
// not finite or less, or that d has no values; i then stays as it was.
func (i *Increments) After(d Distribution, elapsed, cycle float64) (Distribution, error) {
	if err := checkElapsed(elapsed, cycle); err != nil {
		return nil, err
	}
	if r, ok := After(d, elapsed); ok {
		*i = Increments{}
		return r, nil
	}
	longest := d.Quantile(1)
	if math.IsNaN(longest) {
		return nil, errors.New("threesigma: distribution d has no values, of which something could remain")
	}
	end, _, err := i.endAfter(min(max(longest, 0), elapsed), elapsed, cycle)
	if err != nil {
		return nil, err
	}
	return running{forecast.Known(end), elapsed, 1}, nil
}

func checkElapsed(elapsed, cycle float64) error {
	if !(elapsed >= 0) || math.IsInf(elapsed, 1) {
		return fmt.Errorf("threesigma: time elapsed of a job is %v s, want finite, at least 0", elapsed)
	}
	if !(cycle > 0) || math.IsInf(cycle, 1) {
		return fmt.Errorf("threesigma: cycle is %v s, want finite, above 0", cycle)
	}
	return nil
}

package threesigma

import (
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
)

// A Handling decides which jobs with a deadline get a utility for being late.
type Handling uint8

const (
	// Adaptive: those that by their history can hardly be in time, even if they start at once.
	Adaptive Handling = iota
	// Always: all. The paper calls this 3SigmaNoAdapt.
	Always
	// Never: none. The paper calls this 3SigmaNoOE.
	Never
)

// An Overestimate is the adaptive over-estimate handling of 3Sigma. It gives a job with a deadline a utility with
// which the job is tried although its history says that it is too late. With a utility that drops to 0 at the
// deadline, such a job would never be worth a node, not even an idle one. But somebody who knows the job set the
// deadline, so the history is probably of other, longer jobs. With a tail past the deadline the job is worth
// something, though less than others of its kind.
//
// A tail has a cost: jobs that are really too late continue to take nodes. So by default only those jobs get one
// whose history and deadline contradict each other,
//
//	F(deadline - submission) < Threshold
//
// where F is the distribution of the runtime on the nodes that suit the job best. A job is still worth nothing if all
// of its history is beyond the end of the tail too: with the default length, if all of it is longer than 2 ×
// (deadline - submission). The paper promises more than 0 for all. The zero Overestimate is ready to use.
//
// # Source
//
// 3Sigma, section 4.2 (over-estimate handling, and the adaptive one) and Fig. 3(d).
type Overestimate struct {
	Handling Handling // which jobs get a tail
	// Threshold is for Adaptive: a job gets a tail if the probability that its runtime is at most deadline -
	// submission is below it. Above 0, to 1; 0 means 0.05. The paper has one, but does not give its value;
	// REPRODUCTION.md compares several.
	Threshold float64
	// Tail is how long after its deadline a job with a tail is still worth something, in seconds, finite, at least 0;
	// 0 means as long as from its submission to the deadline.
	Tail float64
}

// filled returns o with its default threshold. It returns an error that names the field that is out of range.
func (o Overestimate) filled() (Overestimate, error) {
	if o.Threshold == 0 {
		o.Threshold = 0.05
	}
	switch {
	case o.Handling > Never:
		return o, fmt.Errorf("threesigma: Overestimate.Handling is %d, want Adaptive, Always or Never", uint8(o.Handling))
	case !(o.Threshold > 0 && o.Threshold <= 1):
		return o, fmt.Errorf("threesigma: Overestimate.Threshold is %v, want above 0, to 1", o.Threshold)
	case !(o.Tail >= 0) || math.IsInf(o.Tail, 1):
		return o, fmt.Errorf("threesigma: Overestimate.Tail is %v s, want finite, at least 0", o.Tail)
	}
	return o, nil
}

// applies reports whether a job with an SLO and this submission gets a tail. With Adaptive a job whose distribution d
// has no values gets none: nothing known contradicts its deadline. o must be filled.
func (o Overestimate) applies(slo policy.SLO, submitted policy.Time, d Distribution) bool {
	switch o.Handling {
	case Always:
		return true
	case Adaptive:
		return inTime(d, window(slo, submitted)) < o.Threshold
	}
	return false
}

// Utility returns the utility of a job with an SLO, with times in seconds since the host's epoch: a step, or one with a
// tail. A job whose deadline is not after its submission has no tail of the default length. Utility returns an error if
// slo.Utility is not finite, or if a field of o is out of range.
func (o Overestimate) Utility(slo policy.SLO, submitted policy.Time, d Distribution) (Utility, error) {
	o, err := o.filled()
	if err != nil {
		return Utility{}, err
	}
	tail := o.Tail
	if tail == 0 {
		tail = window(slo, submitted)
	}
	deadline := slo.Deadline.Seconds()
	if !o.applies(slo, submitted, d) || deadline+max(tail, 0) == deadline {
		return step(slo.Utility, deadline)
	}
	return NewUtility(Point{deadline, slo.Utility}, Point{deadline + tail, 0}) // Fig. 3(d)
}

// window returns the seconds from submission to deadline.
func window(slo policy.SLO, submitted policy.Time) float64 {
	return slo.Deadline.Sub(submitted).Seconds()
}

// An Increments is 3Sigma's handling of under-estimates by exponential increments. It predicts the end of a running
// job that has run longer than any job before it, so that its distribution says nothing any more. The first
// prediction is one cycle of the scheduler after the longest known runtime. Each time that the job has not ended by
// then, the next prediction is 2, 4, 8, ... cycles later. The k-th
// prediction, from k = 1 on, is
//
//	longest + (2^k - 1) cycles
//
// so little is lost if the job ends soon, and a job that goes on and on is seldom asked about again. Each running job
// has its own Increments; the zero Increments is for a job that has just started. It takes 16 bytes, and is not safe
// for concurrent use.
//
// # Source
//
// 3Sigma, section 4.2, under-estimate handling ("exp-inc"). That each increment counts from the last prediction, not
// from now, is our reading.
type Increments struct {
	end  float64 // runtime that was said last, s
	step float64 // the next increment, s; 0: nothing has been said
}

// After returns the distribution of the runtime of a job that has run for the time elapsed. If its distribution d
// knows longer runtimes, that is the result of the function [After], and earlier predictions are forgotten. Otherwise
// it is the single runtime at which the job is now predicted to end, counted from Quantile(1) of d, the longest
// known. If d has no end, as a lognormal one, it counts from the time elapsed when no digits were left. Predictions
// that have passed since the last call are skipped as if asked for one by one. cycle is the time between two
// decisions, in seconds, as of the first prediction. After returns an error, and leaves i as it was, if elapsed is
// not finite and at least 0, if cycle is not finite and above 0, or if d has no values.
func (i *Increments) After(d Distribution, elapsed, cycle float64) (Distribution, error) {
	switch {
	case !(elapsed >= 0) || math.IsInf(elapsed, 1):
		return nil, fmt.Errorf("threesigma: time elapsed of a job is %v s, want finite, at least 0", elapsed)
	case !(cycle > 0) || math.IsInf(cycle, 1):
		return nil, fmt.Errorf("threesigma: cycle is %v s, want finite, above 0", cycle)
	}
	if r, ok := After(d, elapsed); ok {
		*i = Increments{}
		return r, nil
	}
	longest := d.Quantile(1)
	if math.IsNaN(longest) {
		return nil, errNoValues
	}
	if i.step == 0 {
		*i = Increments{end: min(max(longest, 0), elapsed), step: cycle}
	}
	for i.end <= elapsed && i.end < math.MaxFloat64 {
		i.end = min(i.end+i.step, math.MaxFloat64)
		i.step = min(2*i.step, math.MaxFloat64)
	}
	return running{forecast.Known(i.end), elapsed, 1}, nil
}

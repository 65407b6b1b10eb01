package threesigma

import (
	"fmt"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
)

// A Handling says which jobs with a deadline get a utility for being late.
type Handling uint8

const (
	// Adaptive: those whose history has it that they can hardly be in time, even if they start at once.
	Adaptive Handling = iota
	// Always: all. The paper calls this 3SigmaNoAdapt.
	Always
	// Never: none. The paper calls this 3SigmaNoOE.
	Never
)

// An Overestimate is the adaptive over-estimate handling of 3Sigma. It makes the utility of a job with a deadline,
// so that a job is tried although its history says that it is too late. With a utility that drops to 0 at the deadline
// such a job is never worth a node, not even an idle one. But a deadline comes from somebody who knows the job, so the
// history is probably of other, longer jobs. With a tail past the deadline the job is worth something, though less than
// others of its kind.
//
// A tail has a cost: jobs that are really too late go on taking nodes. So by default only those jobs get one
// whose history and deadline contradict each other,
//
//	F(deadline - submission) < Threshold
//
// where F is the distribution of the runtime on the nodes that suit the job best. A job is still worth nothing
// if all of its history is beyond the end of the tail too: with the default length, if all of it is longer than
// 2 × (deadline - submission). The paper promises more than 0 for all. The zero Overestimate is ready for use.
//
// # Source
//
// 3Sigma, section 4.2 (over-estimate handling, and the adaptive one) and Fig. 3(d).
type Overestimate struct {
	Handling Handling // which jobs get a tail
	// Threshold is for Adaptive: a job gets a tail if the probability that its runtime is at most
	// deadline - submission is less than this. Above 0, to 1; 0 means 0.05. The paper has one, and does not
	// say what it is. On its workload E2E anything from 0.01 to 0.5 is as good (examples/reproduction/reproduce).
	Threshold float64
	// Tail is how long after its deadline a job that gets a tail is still worth something, in seconds,
	// finite, at least 0; 0 means as long as from its submission to the deadline.
	Tail float64
}

// filled returns o with its default threshold; the error names the field that is out of its range.
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

// applies reports whether a job with an SLO, submitted then, gets a tail. With Adaptive a job whose
// distribution d has no values gets none: nothing is known then that could contradict its deadline. o is filled.
func (o Overestimate) applies(slo policy.SLO, submitted policy.Time, d Distribution) bool {
	switch o.Handling {
	case Always:
		return true
	case Adaptive:
		return inTime(d, window(slo, submitted)) < o.Threshold
	}
	return false
}

// Utility returns the utility of a job with an SLO, with times in seconds since the host's epoch: the
// step of [NewStep], or one with a tail. A job whose deadline is not after its submission has no tail of
// the default length. The error is that slo.Utility is negative or not finite, or names the field of o
// that is out of its range.
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
		return NewStep(slo.Utility, deadline)
	}
	if err := checkValue(slo.Utility); err != nil {
		return Utility{}, err
	}
	return NewUtility(Point{deadline, slo.Utility}, Point{deadline + tail, 0}) // Fig. 3(d)
}

// window returns the seconds from submission to deadline.
func window(slo policy.SLO, submitted policy.Time) float64 {
	return slo.Deadline.Sub(submitted).Seconds()
}

// An Increments is 3Sigma's handling of under-estimates by exponential increments. It says when a running job will
// end that has run longer than any job before it, so that its distribution says nothing any more. The job is first said
// to end one cycle of the scheduler after the longest runtime known. Each time that it has not ended by then, it is said
// to end 2, 4, 8, ... cycles later. After k such steps the end is at
//
//	longest + (2^k - 1) cycles
//
// so little is lost if it ends soon, and a job that goes on and on is seldom asked about again. Each running job
// has an Increments of its own; the zero Increments is for a job that has just started. It takes 16 bytes, and is
// not safe for concurrent use.
//
// # Source
//
// 3Sigma, section 4.2, under-estimate handling ("exp-inc"), where that each increment counts from the
// last end said, not from now, is our reading.
type Increments struct {
	end  float64 // runtime that was said last, s
	step float64 // the next increment, s; 0: nothing has been said
}

// After returns the distribution of the runtime of a job that has run for the time elapsed. If its distribution d
// knows longer runtimes, this is what the function [After] returns, and what was said before is forgotten.
// Otherwise it is the one runtime at which the job is now said to end, counted from Quantile(1) of d, the longest
// known. For a distribution without end, such as a lognormal one, it counts from what had elapsed when no digits
// were left. Ends that have passed since the last call are passed over as if asked for one by one. Cycle is the
// time between two decisions, in seconds; it counts when the first end is said. The error says that elapsed, at
// least 0, or cycle, above 0, is out of range or not finite, or that d has no values; i then stays as it was.
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

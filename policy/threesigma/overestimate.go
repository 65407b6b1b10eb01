package threesigma

import (
	"fmt"
	"math"

	"example.com/augur/policy"
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

var handlings = [...]string{"adaptive", "always", "never"}

// String returns adaptive, always or never.
func (h Handling) String() string {
	if int(h) < len(handlings) {
		return handlings[h]
	}
	return fmt.Sprintf("Handling(%d)", uint8(h))
}

// An Overestimate makes the utility of a job with a deadline, so that one is also tried whose history
// has it that it is too late. With a utility that drops to 0 at the deadline such a job is never
// worth a node, not even an idle one. But a deadline comes from somebody who knows the job, and so
// it is likely that the history is of other, longer jobs. With a tail past the deadline the job is
// worth something, though less than others of its kind; but still nothing if all of its history is
// beyond the end of the tail too: with the default length, if all of it is longer than
// 2 × (deadline - submission), where the paper promises more than 0 for all.
//
// Tails cost something too: jobs that are really too late go on taking nodes. So the default is to
// give them only to jobs of which history and deadline contradict each other,
//
//	F(deadline - submission) < Threshold
//
// where F is of the runtime on the nodes that suit the job best. The zero Overestimate is ready for use.
//
// # Source
//
// 3Sigma, section 4.2 (over-estimate handling, and the adaptive one) and Fig. 3(d).
type Overestimate struct {
	Handling Handling // which jobs get a tail
	// Threshold is for Adaptive: a job gets a tail if the probability that its runtime is at most
	// deadline - submission is less than this. Above 0, to 1; 0 means 0.05. The paper has one, and does not
	// say what it is. On its workload E2E anything from 0.01 to 0.5 is as good (examples/reproduce).
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
	case int(o.Handling) >= len(handlings):
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
	return newStepTail(slo.Utility, deadline, tail)
}

// window returns the seconds from submission to deadline.
func window(slo policy.SLO, submitted policy.Time) float64 {
	d := slo.Deadline.Sub(submitted)
	if d == math.MaxInt64 || d == math.MinInt64 { // more than 292 years
		return (float64(slo.Deadline) - float64(submitted)) / 1e9
	}
	return d.Seconds()
}

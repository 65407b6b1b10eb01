package threesigma

import (
	"errors"
	"fmt"
	"math"
)

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
		return nil, errors.New("threesigma: nothing remains of a distribution without values")
	}
	end, _, err := i.endAfter(min(max(longest, 0), elapsed), elapsed, cycle)
	if err != nil {
		return nil, err
	}
	return running{Known(end), elapsed, 1}, nil
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

package slearn

import (
	"fmt"
	"math"
)

// AdaptiveLimit chooses the thin limit, as [AdaptiveRatio] chooses the ratio of the pilots: one
// of five limits, of which neighbours differ by 1, whichever has the least score. The best limit
// depends on the load: where cores are idle, pilots delay nobody. The limit in the middle is
// tried first, then the one below and the one above it; the smallest and the largest are tried
// if 1.1 times their neighbour's score is less than that of the middle. Of equal scores the
// smaller limit wins.
//
// The score of a limit is the mean of ln(1 + x) over the last T jobs that it was in force for, x
// being their normalised completion times. The mean of x itself, by which ratios are scored,
// tells nothing here: a thin job may wait for a thousand times its own runtime, and of 100 jobs of
// the workloads that policy/workload makes after the traces of the paper that mean has a
// standard error of 36 to 318 %, that of the logarithms of 7 to 15 %.
//
// A host can drive it without a scheduler: call [AdaptiveLimit.Next] when a job comes and
// [AdaptiveLimit.Observe] when it is over. All jobs are to be shown, those that are sampled and
// those that are not, so that each limit is scored by jobs of the same kinds. Both take O(T)
// time at most.
//
// # Source
//
// SLearn, section 7, "Dynamic adjustment of ThinLimit", which leaves it to future work.
type AdaptiveLimit struct {
	ladder ladder
	least  int // the smallest of the limits
}

// NewAdaptiveLimit returns one that has seen no job. The limits are from two less than the
// middle to two more; the middle is at least 2, and 0 means 3, so that they are 1 to 5. The
// window, T, is 1 to 255; 0 means 100. The error names the number that is outside its range.
func NewAdaptiveLimit(middle, window int) (*AdaptiveLimit, error) {
	if middle == 0 {
		middle = 3
	}
	if middle < 2 || middle > maxLimit {
		return nil, fmt.Errorf("slearn: middle of the thin limits is %d, want 2 to %d, or 0 for 3", middle, maxLimit)
	}
	l, err := newLadder(window)
	if err != nil {
		return nil, err
	}
	return &AdaptiveLimit{l, middle - rungs/2}, nil
}

// maxLimit is the largest middle of thin limits, so that the largest limit is an int.
const maxLimit = 1<<31 - 1 - rungs

// Next returns the limit for a job that has come: if it has fewer tasks, it is thin.
func (a *AdaptiveLimit) Next() int { return a.least + a.ladder.next() }

// Observe tells of a job that is over: the limit that was in force when it came, and its
// completion time over its own runtime, that of all its tasks together. The error says that the
// first is none of the five limits, or that the second is not finite and at least 0; it changes
// nothing.
func (a *AdaptiveLimit) Observe(limit int, normalized float64) error {
	rung, ok := a.rung(limit)
	if !ok {
		return fmt.Errorf("slearn: thin limit is %d, want %d to %d", limit, a.least, a.least+rungs-1)
	}
	if err := checkNormalized(normalized); err != nil {
		return err
	}
	return a.ladder.observe(rung, math.Log1p(normalized))
}

// Score returns the score of a limit, the mean of ln(1 + x), and false if no job that had it is over.
func (a *AdaptiveLimit) Score(limit int) (score float64, ok bool) {
	rung, ok := a.rung(limit)
	if !ok {
		return 0, false
	}
	return a.ladder.score(rung)
}

func (a *AdaptiveLimit) rung(limit int) (rung int, ok bool) {
	return limit - a.least, limit >= a.least && limit-a.least < rungs
}

package slearn

import "fmt"

// AdaptiveRatio chooses the share of a job's tasks that run first, as pilots: 1 to 5 percent,
// whichever has given the shortest normalised completion times lately. The score of a
// ratio is the mean of the last T of these. The first T jobs try 3 %, the next T 2 % and
// the next T 4 %. After that each job gets the ratio with the least score, but
//
//	1 % if that is 2 % and 1.1*score(2 %) < score(3 %)
//	5 % if that is 4 % and 1.1*score(4 %) < score(3 %)
//
// as long as 1 %, or 5 %, has not been tried by T jobs that are over; from then on it competes
// by its score like the others. Of equal scores the smaller ratio wins; without any it is
// 3 %.
//
// A host can drive it without a scheduler: call [AdaptiveRatio.Next] when a job comes and
// [AdaptiveRatio.Observe] when it is over. Only wide jobs are to be shown, those that are
// sampled. Both take O(T) time at most.
//
// # Source
//
// SLearn, section 5.1.2 and Fig. 4, where T is 100. As printed there, 1 % would be chosen for
// ever once it had been, however it did.
type AdaptiveRatio struct{ ladder ladder }

// NewAdaptiveRatio returns one that has seen no job. The window, T, is 1 to 255; 0 means 100.
// The error names a window that is not.
func NewAdaptiveRatio(window int) (*AdaptiveRatio, error) {
	l, err := newLadder(window)
	if err != nil {
		return nil, err
	}
	return &AdaptiveRatio{l}, nil
}

// Next returns the ratio for a job that has come: 0.01, 0.02, 0.03, 0.04 or 0.05.
func (r *AdaptiveRatio) Next() float64 { return ratioOf(r.ladder.next()) }

// Observe tells of a job that is over: the ratio that it had, and its completion time over
// its own runtime, that of all its tasks together. The error says that the first is none of
// the five ratios, or that the second is not finite and at least 0; it changes nothing.
func (r *AdaptiveRatio) Observe(ratio, normalized float64) error {
	for rung := range rungs {
		if ratio == ratioOf(rung) {
			if err := checkNormalized(normalized); err != nil {
				return err
			}
			return r.ladder.observe(rung, normalized)
		}
	}
	return fmt.Errorf("slearn: ratio of pilots is %v, want 0.01, 0.02, 0.03, 0.04 or 0.05", ratio)
}

// Score returns the score of a ratio, and false if no job that had it is over.
func (r *AdaptiveRatio) Score(ratio float64) (score float64, ok bool) {
	for rung := range rungs {
		if ratio == ratioOf(rung) {
			return r.ladder.score(rung)
		}
	}
	return 0, false
}

func ratioOf(rung int) float64 { return float64(rung+1) / 100 }

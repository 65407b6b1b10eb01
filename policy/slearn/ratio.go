package slearn

import (
	"fmt"
	"math"

	"example.com/augur/estimate"
)

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
type AdaptiveRatio struct {
	scores [percents]estimate.Recent // of 1 % and so on
	over   [percents]int             // jobs, up to window
	window int
	jobs   int // so far, up to three windows
}

const percents = 5

// NewAdaptiveRatio returns one that has seen no job. The window, T, is 1 to 255; 0 means 100.
func NewAdaptiveRatio(window int) (*AdaptiveRatio, error) {
	if window == 0 {
		window = 100
	}
	if window < 1 || window > estimate.MaxRecentLimit {
		return nil, fmt.Errorf("slearn: window of the adaptive ratio is %d, want 1 to %d, or 0 for 100", window, estimate.MaxRecentLimit)
	}
	r := &AdaptiveRatio{window: window}
	for i := range r.scores {
		var err error
		if r.scores[i], err = estimate.NewRecent(window); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Next returns the ratio for a job that has come: 0.01, 0.02, 0.03, 0.04 or 0.05.
func (r *AdaptiveRatio) Next() float64 {
	percent := r.best()
	if r.jobs < 3*r.window {
		percent = [3]int{3, 2, 4}[r.jobs/r.window]
		r.jobs++
	}
	return float64(percent) / 100
}

// best returns the percentage to use once all are tried that are tried at first.
func (r *AdaptiveRatio) best() int {
	best, least := 3, math.Inf(1)
	for percent := 1; percent <= percents; percent++ {
		if score, ok := r.score(percent); ok && score < least && (percent != 1 && percent != 5 || r.tried(percent)) {
			best, least = percent, score
		}
	}
	if three, ok := r.score(3); ok && 1.1*least < three {
		switch {
		case best == 2 && !r.tried(1):
			return 1
		case best == 4 && !r.tried(5):
			return 5
		}
	}
	return best
}

func (r *AdaptiveRatio) tried(percent int) bool { return r.over[percent-1] >= r.window }

func (r *AdaptiveRatio) score(percent int) (score float64, ok bool) {
	return r.scores[percent-1].Mean()
}

// Observe tells of a job that is over: the ratio that it had, and its completion time over
// its own runtime, that of all its tasks together. The error says that the first is none of
// the five ratios, or that the second is not finite and at least 0; it changes nothing.
func (r *AdaptiveRatio) Observe(ratio, normalized float64) error {
	percent, ok := percentOf(ratio)
	if !ok {
		return fmt.Errorf("slearn: ratio of pilots is %v, want 0.01, 0.02, 0.03, 0.04 or 0.05", ratio)
	}
	if !(normalized >= 0) || math.IsInf(normalized, 1) {
		return fmt.Errorf("slearn: normalised completion time is %v, want a finite number of at least 0", normalized)
	}
	if err := r.scores[percent-1].Add(normalized); err != nil {
		return err
	}
	r.over[percent-1] = min(r.window, r.over[percent-1]+1)
	return nil
}

// Score returns the score of a ratio, and false if no job that had it is over.
func (r *AdaptiveRatio) Score(ratio float64) (score float64, ok bool) {
	percent, ok := percentOf(ratio)
	if !ok {
		return 0, false
	}
	return r.score(percent)
}

func percentOf(ratio float64) (percent int, ok bool) {
	for percent = 1; percent <= percents; percent++ {
		if ratio == float64(percent)/100 {
			return percent, true
		}
	}
	return 0, false
}

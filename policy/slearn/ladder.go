package slearn

import (
	"fmt"
	"math"

	"example.com/augur/estimate"
)

// rungs is the number of settings that a ladder tries.
const rungs = 5

// A ladder chooses one of five settings of which each lies between its neighbours, rung 0 to
// rung 4, by the mean score of the last T jobs that had it. [AdaptiveRatio] tells the rules, with
// 1 % to 5 % as the rungs.
type ladder struct {
	scores [rungs]estimate.Recent
	over   [rungs]int // jobs, up to window
	window int
	jobs   int // so far, up to three windows
}

// newLadder returns one that has seen no job, with T as the window.
func newLadder(window int) (l ladder, err error) {
	if window == 0 {
		window = 100
	}
	const most = 255 // that an estimate.Recent holds
	if window < 1 || window > most {
		return l, fmt.Errorf("slearn: window of what adapts is %d, want 1 to %d, or 0 for 100", window, most)
	}
	l.window = window
	for i := range l.scores {
		if l.scores[i], err = estimate.NewRecent(window); err != nil {
			return l, err
		}
	}
	return l, nil
}

// next returns the rung for a job that has come.
func (l *ladder) next() int {
	if l.jobs < 3*l.window {
		l.jobs++
		return [3]int{2, 1, 3}[(l.jobs-1)/l.window]
	}
	return l.best()
}

// best returns the rung to use once all are tried that are tried at first.
func (l *ladder) best() int {
	best, least := 2, math.Inf(1)
	for rung := range rungs {
		if score, ok := l.score(rung); ok && score < least && (rung != 0 && rung != 4 || l.tried(rung)) {
			best, least = rung, score
		}
	}
	if middle, ok := l.score(2); ok && 1.1*least < middle {
		switch {
		case best == 1 && !l.tried(0):
			return 0
		case best == 3 && !l.tried(4):
			return 4
		}
	}
	return best
}

func (l *ladder) tried(rung int) bool { return l.over[rung] >= l.window }

func (l *ladder) score(rung int) (score float64, ok bool) { return l.scores[rung].Mean() }

// observe tells of a job that is over: its rung, and by how much it counts in that one's score.
func (l *ladder) observe(rung int, score float64) error {
	if err := l.scores[rung].Add(score); err != nil {
		return err
	}
	l.over[rung] = min(l.window, l.over[rung]+1)
	return nil
}

// checkNormalized returns an error unless x is a completion time over a job's own runtime.
func checkNormalized(x float64) error {
	if !(x >= 0) || math.IsInf(x, 1) {
		return fmt.Errorf("slearn: normalised completion time is %v, want a finite number of at least 0", x)
	}
	return nil
}

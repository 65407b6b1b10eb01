package slearn

import (
	"math"

	"example.com/augur/estimate"
)

// maxWindow is what an [estimate.Recent] holds at most.
const maxWindow = 255

// rungs is the number of settings that a ladder tries.
const rungs = 5

// A ladder chooses one of five settings of which each lies between its neighbours, rung 0 to
// rung 4, by the mean score of the last T jobs that had it. [Sampling] tells the rules, with 1 % to
// 5 % as the rungs. Both methods take O(T) time at most.
type ladder struct {
	scores [rungs]estimate.Recent
	over   [rungs]int // jobs, up to window
	window int
	jobs   int // so far, up to three windows
}

// newLadder returns one that has seen no job, with T as the window, 1 to maxWindow.
func newLadder(window int) *ladder {
	l := &ladder{window: window}
	for i := range l.scores {
		l.scores[i], _ = estimate.NewRecent(window)
	}
	return l
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
// It changes nothing if there is no such rung, or if the score is not finite.
func (l *ladder) observe(rung int, score float64) {
	if rung < 0 || rung >= rungs || l.scores[rung].Add(score) != nil {
		return
	}
	l.over[rung] = min(l.window, l.over[rung]+1)
}

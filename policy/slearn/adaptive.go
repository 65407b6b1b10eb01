package slearn

import "math"

// adaptive is adaptive sampling, Fig. 4 of the paper, whose line numbers the comments give. The comment of [Sampling] has
// the rules. Jobs of fewer tasks than ThinLimit bypass sampling and never get here: see sampling.go. Three slips are mended:
// line 21 keeps one score too many, line 12 is meant to be beside line 9, and 1 % would be chosen for ever once it had been.
// Methods take O(T) time.
type adaptive struct {
	window int          // T
	jobs   int          // so far, up to three windows
	scores [6][]float64 // of the last jobs that had a ratio, by percent; there is no 0
}

// next returns the percentage for a job that has come.
func (a *adaptive) next() int {
	if a.jobs < 3*a.window { // lines 2 to 7
		a.jobs++
		return [3]int{3, 2, 4}[(a.jobs-1)/a.window]
	}
	best, least := 3, math.Inf(1) // line 8
	for percent := 1; percent <= 5; percent++ {
		outer := percent == 1 || percent == 5
		if score, ok := a.score(percent); ok && score < least && (!outer || a.tried(percent)) {
			best, least = percent, score
		}
	}
	if middle, ok := a.score(3); ok && 1.1*least < middle { // lines 10 and 13
		switch {
		case best == 2 && !a.tried(1): // line 9
			return 1
		case best == 4 && !a.tried(5): // line 12
			return 5
		}
	}
	return best // line 15
}

// tried reports whether a full window of jobs has had a ratio.
func (a *adaptive) tried(percent int) bool { return len(a.scores[percent]) == a.window }

// score returns the mean score of a ratio, and false if no job that had it is over.
func (a *adaptive) score(percent int) (mean float64, ok bool) {
	sum := 0.0
	for _, x := range a.scores[percent] {
		sum += x
	}
	n := len(a.scores[percent])
	return sum / float64(n), n > 0
}

// observe adds a job that is over: its ratio, and its normalised completion time. It changes nothing if there is no
// such ratio, or if the time is not finite.
func (a *adaptive) observe(percent int, score float64) {
	if percent < 1 || percent > 5 || !(score >= 0 && score <= math.MaxFloat64) {
		return
	}
	scores := append(a.scores[percent], score)
	a.scores[percent] = scores[max(0, len(scores)-a.window):]
}

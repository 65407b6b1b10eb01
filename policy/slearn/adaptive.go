package slearn

import "math"

// adaptive is adaptive sampling: it chooses the ratio of pilots, 1 to 5 %. The score of a ratio is the mean
// normalised completion time of the last T jobs that had it, so less is better.
//
// The first T jobs get 3 %, the next T 2 %, and the next T 4 %. After that each job gets the ratio with the least
// score. Two more ratios are tried: if 2 % is best, and the score of 3 % is more than a tenth higher, the job gets 1
// %; if 4 % is best, and the score of 3 % is that much higher, it gets 5 %. Once T jobs with 1 %, or with 5 %, are
// over, that ratio competes by its score like the others. Ties go to the smaller ratio; without any score it is 3 %.
//
// The comment of [Sampling], in sampling.go, has the formulae and the source. Methods take O(T) time.
type adaptive struct {
	window int          // T
	jobs   int          // so far, up to three windows
	scores [6][]float64 // of the last jobs that had a ratio, by percent; there is no 0
}

// next returns the percentage for a job that has come.
func (a *adaptive) next() int {
	if a.jobs < 3*a.window {
		a.jobs++
		return [3]int{3, 2, 4}[(a.jobs-1)/a.window]
	}
	best, least := 3, math.Inf(1)
	for percent := 1; percent <= 5; percent++ {
		outer := percent == 1 || percent == 5
		if score, ok := a.score(percent); ok && score < least && (!outer || a.tried(percent)) {
			best, least = percent, score
		}
	}
	if middle, ok := a.score(3); ok && 1.1*least < middle {
		switch {
		case best == 2 && !a.tried(1):
			return 1
		case best == 4 && !a.tried(5):
			return 5
		}
	}
	return best
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

package slearn

import (
	"fmt"
	"math"
)

// fig4 is Fig. 4 of the SLearn paper, adaptive sampling, with its slips mended: line 21 keeps one score too many, line 12 is
// meant to be beside line 9, and 1 % would be chosen for ever once it had been. Comments give the lines of the
// pseudocode. Tests hold Sampling to it.
type fig4 struct {
	t      int               // T
	jobs   int               // so far
	scores map[int][]float64 // jobWiseSrScoresMap, by sampling ratio (SR) in percent
}

// currentSamplingPercentage is called once for each job that comes and is not thin.
func (f *fig4) currentSamplingPercentage() int { // line 1
	f.jobs++
	switch {
	case f.jobs <= f.t: // line 2
		return 3 // line 3
	case f.jobs <= 2*f.t: // line 4
		return 2 // line 5
	case f.jobs <= 3*f.t: // line 6
		return 4 // line 7
	}
	sr, value := f.minScore()                                // line 8
	better := len(f.scores[3]) > 0 && 1.1*value < f.score(3) // lines 10 and 13
	if sr == 2 && better && !f.competes(1) {                 // line 9
		return 1 // line 11
	}
	if sr == 4 && better && !f.competes(5) { // line 12
		return 5 // line 14
	}
	return sr // line 15
}

// updateScore is called for each job that is over.
func (f *fig4) updateScore(sr int, normalizedJCT float64) { // lines 16 to 20
	f.scores[sr] = append(f.scores[sr], normalizedJCT) // line 23
	if len(f.scores[sr]) > f.t {                       // line 21
		f.scores[sr] = f.scores[sr][1:] // line 22
	}
}

// score is srScoreMap: the mean of the last T scores of a ratio, and +Inf if it has none.
func (f *fig4) score(sr int) float64 { // line 24
	if len(f.scores[sr]) == 0 {
		return math.Inf(1)
	}
	sum := 0.0
	for _, x := range f.scores[sr] {
		sum += x
	}
	return sum / float64(len(f.scores[sr]))
}

// minScore returns the ratio with the least score, the smallest of equal ones, or 3 if no job is over.
func (f *fig4) minScore() (sr int, value float64) {
	sr, value = 3, math.Inf(1)
	for percent := 1; percent <= 5; percent++ {
		if f.competes(percent) && f.score(percent) < value {
			sr, value = percent, f.score(percent)
		}
	}
	return sr, value
}

// competes reports whether a ratio may win by its score: 1 % and 5 % once T jobs that had them are over.
func (f *fig4) competes(sr int) bool { return sr >= 2 && sr <= 4 || len(f.scores[sr]) == f.t }

// Jobs do the better the fewer pilots they have, down to 1 %. After T jobs each with 3, 2 and 4 % the algorithm
// goes on to 1 %, and stays there.
func ExampleSampling_fig4() {
	f := fig4{t: 2, scores: map[int][]float64{}}
	for range 10 {
		sr := f.currentSamplingPercentage()
		fmt.Print(sr, " ")
		f.updateScore(sr, float64(sr))
	}
	fmt.Println()
	// Output: 3 3 2 2 4 4 1 1 1 1
}

package slearn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The adaptive ratio is that of Fig. 4, whatever completion times come to light, and in whatever order.
func TestRatioAgainstFig4(t *testing.T) {
	chosen := [6]int{}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		window := 1 + rng.IntN(8)
		f, a := fig4{t: window, scores: map[int][]float64{}}, adaptive{window: window}
		slope := float64(rng.IntN(5)-2) / 2
		var run []int
		for range 60 * window {
			if rng.IntN(3) > 0 {
				want := f.currentSamplingPercentage()
				if got := a.next(); got != want {
					t.Fatalf("seed %d: %d %% is chosen, want %d %%", seed, got, want)
				}
				chosen[want]++
				run = append(run, want)
			}
			if len(run) > 0 && rng.IntN(3) > 0 {
				i := rng.IntN(len(run))
				percent := run[i]
				run = slices.Delete(run, i, i+1)
				x := float64(rng.IntN(4)) + 4*math.Pow(2, slope*float64(percent))
				f.updateScore(percent, x)
				a.observe(percent, x)
			}
		}
		for percent := 1; percent <= 5; percent++ {
			want := f.score(percent)
			if got, ok := a.score(percent); ok != !math.IsInf(want, 1) || ok && got != want {
				t.Errorf("seed %d: score %v (%v), want %v", seed, got, ok, want)
			}
		}
	}
	if slices.Min(chosen[1:]) < 500 {
		t.Errorf("ratios were chosen %v times, want more of each", chosen[1:])
	}
}

// After the first 3T jobs the ratio follows from the scores: the cases of Fig. 4.
func TestRatioChooses(t *testing.T) {
	none := math.NaN()
	for _, test := range []struct {
		why    string
		scores [5]float64 // of 1 % to 5 %, of T jobs each
		want   int        // percent
	}{
		{"no score", [5]float64{none, none, none, none, none}, 3},
		{"3 is best", [5]float64{none, 2, 1, 3, none}, 3},
		{"2 is best, by less than a tenth", [5]float64{none, 1, 1.1, 3, none}, 2},
		{"2 is best, by more than a tenth", [5]float64{none, 1, 1.11, 3, none}, 1},
		{"4 is best, by less than a tenth", [5]float64{none, 3, 1.1, 1, none}, 4},
		{"4 is best, by more than a tenth", [5]float64{none, 3, 1.11, 1, none}, 5},
		{"1 was tried and is worse", [5]float64{1.5, 1, 2, 3, none}, 2},
		{"1 was tried and is best", [5]float64{0.5, 1, 2, 3, none}, 1},
		{"5 was tried and is worse", [5]float64{none, 3, 2, 1, 1.5}, 4},
		{"5 was tried and is best", [5]float64{none, 3, 2, 1, 0.5}, 5},
		{"a tie of all", [5]float64{2, 2, 2, 2, 2}, 1},
		{"a tie of 2 and 4", [5]float64{none, 1, 1, 1, none}, 2},
		{"no score for 3, 2 is best", [5]float64{none, 1, none, 9, none}, 2},
		{"no score for 3, 4 is best", [5]float64{none, 9, none, 1, none}, 4},
	} {
		a := adaptive{window: 4}
		for range 3 * a.window {
			a.next()
		}
		for i, score := range test.scores {
			for range a.window {
				a.observe(i+1, score) // nothing, if there is none
			}
		}
		if got := a.next(); got != test.want {
			t.Errorf("%s: %d %%, want %d %%", test.why, got, test.want)
		}
	}
}

// What is no score, or of no ratio, changes nothing.
func TestRatioIgnoresWhatIsNone(t *testing.T) {
	a := adaptive{window: 100}
	for _, bad := range []struct {
		percent int
		x       float64
	}{{0, 1}, {6, 1}, {math.MinInt, 1}, {math.MaxInt, 1}, {3, -1}, {3, math.NaN()}, {3, math.Inf(1)}} {
		a.observe(bad.percent, bad.x)
	}
	for percent, scores := range a.scores {
		if len(scores) > 0 {
			t.Errorf("%d %% has scores %v, though no job is over", percent, scores)
		}
	}
}

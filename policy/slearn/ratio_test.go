package slearn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func ratioAgainstFig4(t *testing.T) {
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

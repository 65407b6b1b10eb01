package slearn_test

import (
	"math"
	"strings"
	"testing"

	"example.com/augur/policy/slearn"
)

// The first T jobs try 3 %, the next 2 %, the next 4 %, whatever they come to.
func TestAdaptiveRatioBegins(t *testing.T) {
	r := must(slearn.NewAdaptiveRatio(0))
	for i := range 300 {
		want := []float64{0.03, 0.02, 0.04}[i/100]
		if got := r.Next(); got != want {
			t.Fatalf("job %d: ratio %v, want %v", i, got, want)
		}
		if err := r.Observe(0.04, float64(i)); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.Next(); got != 0.04 {
		t.Errorf("ratio %v, want 0.04, the only one with a score", got)
	}
	if got, ok := r.Score(0.04); got != 249.5 || !ok {
		t.Errorf("score %v (%v), want 249.5, the mean of 200 to 299", got, ok)
	}
}

// What comes after that follows from the scores: the cases of Fig. 4.
func TestAdaptiveRatioChooses(t *testing.T) {
	none := math.NaN()
	for _, test := range []struct {
		why    string
		scores [5]float64 // of 1 % to 5 %, of T jobs each
		want   float64
	}{
		{"no score", [5]float64{none, none, none, none, none}, 0.03},
		{"3 is best", [5]float64{none, 2, 1, 3, none}, 0.03},
		{"2 is best, by less than a tenth", [5]float64{none, 1, 1.1, 3, none}, 0.02},
		{"2 is best, by more than a tenth", [5]float64{none, 1, 1.11, 3, none}, 0.01},
		{"4 is best, by less than a tenth", [5]float64{none, 3, 1.1, 1, none}, 0.04},
		{"4 is best, by more than a tenth", [5]float64{none, 3, 1.11, 1, none}, 0.05},
		{"1 was tried and is worse", [5]float64{1.5, 1, 2, 3, none}, 0.02},
		{"1 was tried and is best", [5]float64{0.5, 1, 2, 3, none}, 0.01},
		{"5 was tried and is worse", [5]float64{none, 3, 2, 1, 1.5}, 0.04},
		{"5 was tried and is best", [5]float64{none, 3, 2, 1, 0.5}, 0.05},
		{"a tie of all", [5]float64{2, 2, 2, 2, 2}, 0.01},
		{"a tie of 2 and 4", [5]float64{none, 1, 1, 1, none}, 0.02},
		{"no score for 3, 2 is best", [5]float64{none, 1, none, 9, none}, 0.02},
		{"no score for 3, 4 is best", [5]float64{none, 9, none, 1, none}, 0.04},
	} {
		const window = 4
		r := must(slearn.NewAdaptiveRatio(window))
		for range 3 * window {
			r.Next()
		}
		for i, score := range test.scores {
			for range window {
				if !math.IsNaN(score) {
					if err := r.Observe(float64(i+1)/100, score); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		if got := r.Next(); got != test.want {
			t.Errorf("%s: ratio %v, want %v", test.why, got, test.want)
		}
	}
}

// 1 % is tried until T jobs that had it are over, even if the first ones do badly, and then
// competes.
func TestAdaptiveRatioTriesOnePercentLongEnough(t *testing.T) {
	const window = 3
	r := must(slearn.NewAdaptiveRatio(window))
	for range 3 * window {
		r.Next()
	}
	for _, score := range []struct{ ratio, jct float64 }{{0.02, 1}, {0.03, 2}, {0.04, 3}} {
		if err := r.Observe(score.ratio, score.jct); err != nil {
			t.Fatal(err)
		}
	}
	for i := range window {
		if got := r.Next(); got != 0.01 {
			t.Fatalf("after %d jobs with 1 %%: ratio %v, want 0.01", i, got)
		}
		if err := r.Observe(0.01, 9); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.Next(); got != 0.02 {
		t.Errorf("ratio %v, want 0.02", got)
	}
}

func TestAdaptiveRatioErrors(t *testing.T) {
	for _, window := range []int{-1, 256} {
		if _, err := slearn.NewAdaptiveRatio(window); err == nil || !strings.Contains(err.Error(), "want 1 to 255") {
			t.Errorf("window %d: error %v", window, err)
		}
	}
	r := must(slearn.NewAdaptiveRatio(0))
	for _, bad := range [][2]float64{{0.06, 1}, {0, 1}, {0.031, 1}, {math.NaN(), 1}, {0.03, -1}, {0.03, math.NaN()}, {0.03, math.Inf(1)}} {
		if err := r.Observe(bad[0], bad[1]); err == nil {
			t.Errorf("Observe(%v, %v) gives no error", bad[0], bad[1])
		}
	}
	if _, ok := r.Score(0.03); ok {
		t.Error("3 % has a score, though no job is over")
	}
	if _, ok := r.Score(0.5); ok {
		t.Error("50 % has a score")
	}
}

package main

import (
	"math"
	"slices"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

// Numbers of two trials are compared seed by seed.
func TestPaired(t *testing.T) {
	same := func(x float64) float64 { return x }
	trialOf := func(runs ...float64) *trial[float64] { return &trial[float64]{runs: runs} }
	ours, theirs := trialOf(10, 30), trialOf(20, 24)
	for _, test := range []struct {
		name      string
		got, want []float64
	}{
		{"less", ours.less(theirs, same), []float64{-10, 6}},
		{"below", ours.below(theirs, same), []float64{50, -25}},
		{"below, where one has none", trialOf(0, 30).below(trialOf(0, 40), same), []float64{25}},
		{"times", ours.times(theirs, same), []float64{0.5, 1.25}},
		{"times, where one has none", ours.times(trialOf(0, 20), same), []float64{2}},
		{"times, where none has any", ours.times(trialOf(0, 0), same), nil},
	} {
		if !slices.EqualFunc(test.got, test.want, near) {
			t.Errorf("%s: got %v, want %v", test.name, test.got, test.want)
		}
	}
}

func TestInterval(t *testing.T) {
	// Of 1, 2, 3 the standard deviation is 1, and Student's t with two degrees of freedom
	// 4.3027 at 97.5 %.
	mean, margin := interval([]float64{1, 2, 3})
	if want := 4.3027 / math.Sqrt(3); mean != 2 || math.Abs(margin-want) > 1e-4 {
		t.Errorf("got %v ± %v, want 2 ± %v", mean, margin, want)
	}
	if _, margin := interval([]float64{1}); !math.IsNaN(margin) {
		t.Errorf("one number has margin %v, want NaN", margin)
	}
}

package slearn

import (
	"math"
	"slices"
	"testing"
)

// Fig. 4 by hand: how well jobs do with 1 to 5 % (less is better), and what is chosen for jobs that are over one by one.
func ratioByHand(t *testing.T) {
	for _, test := range []struct {
		name   string
		scores [6]float64 // by percent
		want   []int
	}{
		{"fewer pilots are better", [6]float64{1: 1, 2: 2, 3: 3, 4: 4}, []int{3, 3, 2, 2, 4, 4, 1, 1, 1, 1}},
		{"more pilots are better", [6]float64{2: 4, 3: 3, 4: 2, 5: 1}, []int{3, 3, 2, 2, 4, 4, 5, 5, 5, 5}},
		{"1 % is tried and is bad", [6]float64{1: 9, 2: 2, 3: 3, 4: 4}, []int{3, 3, 2, 2, 4, 4, 1, 1, 2, 2}},
		{"5 % is tried and is bad", [6]float64{2: 4, 3: 3, 4: 2, 5: 9}, []int{3, 3, 2, 2, 4, 4, 5, 5, 4, 4}},
		{"3 % is best", [6]float64{2: 3, 3: 1, 4: 3}, []int{3, 3, 2, 2, 4, 4, 3, 3}},
		{"2 % is better by less than a tenth", [6]float64{2: 10, 3: 11, 4: 12}, []int{3, 3, 2, 2, 4, 4, 2, 2}},
		{"of equals the smaller", [6]float64{2: 1, 3: 1, 4: 1}, []int{3, 3, 2, 2, 4, 4, 2, 2}},
	} {
		a := adaptive{window: 2}
		var got []int
		for range test.want {
			percent := a.next()
			got = append(got, percent)
			a.observe(percent, test.scores[percent])
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	a := adaptive{window: 2}
	for range 6 {
		a.next()
	}
	if got := a.next(); got != 3 {
		t.Errorf("%d %% before any job is over, want 3", got)
	}
	for _, x := range []float64{9, 9, 1, 2} { // of which the last two count
		a.observe(4, x)
	}
	a.observe(2, 2)
	a.observe(1, 0) // one job does not make 1 % and 5 % compete
	a.observe(5, 0)
	if got, ok := a.score(4); got != 1.5 || !ok || a.next() != 4 {
		t.Errorf("score %v (%v) of 4 %%, and %d %% is next, want 1.5 and 4", got, ok, a.next())
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

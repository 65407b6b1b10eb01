package main

import (
	"math"
	"slices"
	"testing"
)

// By R: t.test(c(1, 2, 6)) has 3 ± 6.572, t.test(log(c(0.8, 1, 1.25))) has exp ± 0.5543.
func TestEstimates(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		name            string
		x, of           []float64 // of nil: x alone
		ratio           bool
		floor           float64
		mean, low, high float64
	}{
		{"alone", []float64{1, 2, 6}, nil, false, -inf, 3, -3.572, 9.572},
		{"cut off", []float64{1, nan, 2, 6}, nil, false, 0, 3, 0, 9.572},
		{"one seed", []float64{5}, nil, false, -inf, 5, 5, 5},
		{"less", []float64{11, 22, 7, 36}, []float64{10, 20, nan, 30}, false, -inf, 3, -3.572, 9.572},
		{"over", []float64{8, 20, 12.5}, []float64{10, 20, 10}, true, -inf, 1, 0.5745, 1.7407},
	} {
		got := estimateOf(test.x, test.floor, inf)
		ok := true
		if test.of != nil {
			got, ok = paired(test.x, test.of, test.ratio)
		}
		for i, pair := range [][2]float64{{got.mean, test.mean}, {got.low, test.low}, {got.high, test.high}} {
			if !ok || math.Abs(pair[0]-pair[1]) > 2e-3 {
				t.Errorf("%s: number %d is %v, want %v", test.name, i, pair[0], pair[1])
			}
		}
	}
	for _, test := range [][2][]float64{{{1, 2}, {1}}, {{nan, 1}, {1, nan}}, {nil, nil}} {
		if got, ok := paired(test[0], test[1], false); ok {
			t.Errorf("paired(%v, %v) = %v, want none", test[0], test[1], got)
		}
	}
	if got, ok := paired([]float64{0}, []float64{1}, true); ok {
		t.Errorf("a ratio of 0 is %v, want none", got)
	}
}

func TestChoose(t *testing.T) {
	same := func(s string) string { return s }
	value := func(s string) float64 { return float64(s[0]) }
	drawn, left := choose([]string{"z", "e", "a", "d", "b", "c"}, same, value)
	if !slices.Equal(drawn, []string{"z", "a", "b", "c"}) || !slices.Equal(left, []string{"e", "d"}) {
		t.Errorf("drawn %q, left %q; want the first and the three least of the others in their order", drawn, left)
	}
	if drawn, left := choose([]string{"z", "e", "a", "d"}, same, value); len(drawn) != 4 || left != nil {
		t.Errorf("of four: drawn %q, left %q", drawn, left)
	}
}

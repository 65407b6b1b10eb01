package plan

import (
	"math"
	"slices"
	"testing"
)

func TestPricesShift(t *testing.T) {
	p := Prices{{1, 2, 3}, {4, 5, 6}}
	for _, c := range []struct {
		by   int
		want []float64
	}{
		{0, []float64{1, 2, 3, 4, 5, 6}},
		{1, []float64{2, 3, 0, 5, 6, 0}},
		{3, make([]float64, 6)},
		{math.MaxInt, make([]float64, 6)},
	} {
		if got := warm(p.Shift(c.by), 2, 3); !slices.Equal(got, c.want) {
			t.Errorf("by %d: %v, want %v", c.by, got, c.want)
		}
	}
}

// What is no price, or of another problem, is left out.
func TestWarmWithAnything(t *testing.T) {
	odd := Prices{{math.NaN(), -1}, {math.Inf(1), 2}}
	if got, want := warm(odd, 2, 2), []float64{0, 0, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for _, w := range []any{nil, 3, Prices{{1, 1}}, Prices{{1, 1}, {1}}, [][]float64{{1, 1}, {1, 1}}} {
		if got := warm(w, 2, 2); !slices.Equal(got, make([]float64, 4)) {
			t.Errorf("from %v: %v, want 0", w, got)
		}
	}
}

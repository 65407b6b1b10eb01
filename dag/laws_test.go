package dag

import (
	"math"
	"strings"
	"testing"
)

func TestLaws(t *testing.T) {
	plus := func(a, b int64) int64 { return a + b }
	times := func(a, b int64) int64 { return a * b }
	minus := func(a, b int64) int64 { return a - b }
	first := func(a, b int64) int64 { return a }
	mean := func(a, b int64) int64 { return (a + b) / 2 }
	same := func(a, b int64) bool { return a == b }
	for _, test := range []struct {
		name    string
		algebra Algebra[int64]
		equal   func(a, b int64) bool
		want    string // of the error; "": none
	}{
		{"sum of products", SumProduct[int64](), same, ""},
		{"longest", MaxPlus[int64](), same, ""},
		{"shortest", MinPlus[int64](), same, ""},
		{"narrowest", Algebra[int64]{func(a, b int64) int64 { return min(a, b) }, func(a, b int64) int64 { return max(a, b) }}, same, ""},
		{"no Along", Algebra[int64]{Across: plus}, same, "Along is nil"},
		{"no Across", Algebra[int64]{Along: plus}, same, "Across is nil"},
		{"no equal", SumProduct[int64](), nil, "equal is nil"},
		{"differences along", Algebra[int64]{minus, plus}, same, "Along is not associative"},
		{"firsts across", Algebra[int64]{times, first}, same, "Across does not commute"},
		{"means across", Algebra[int64]{times, mean}, same, "Across is not associative"},
		{"sums of sums", Algebra[int64]{plus, plus}, same, "Along does not distribute: x (y + z)"},
		{"sums of firsts", Algebra[int64]{first, plus}, same, "Along does not distribute: x (y + z)"},
		{"sums of lasts", Algebra[int64]{func(a, b int64) int64 { return b }, plus}, same, "Along does not distribute: (x + y) z"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.algebra.Laws([]int64{-1, 0, 1, 2, 5}, test.equal)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
		})
	}
	if err := (Algebra[int64]{minus, plus}).Laws(nil, same); err != nil {
		t.Errorf("of no weights: %v", err)
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-15 }
	exact := func(a, b float64) bool { return a == b }
	thirds := []float64{0.1, 1. / 3, 0.7}
	if err := SumProduct[float64]().Laws(thirds, near); err != nil {
		t.Errorf("up to rounding: %v", err)
	}
	if err := SumProduct[float64]().Laws(thirds, exact); err == nil {
		t.Error("rounding was not seen, so that nothing is shown by the case before")
	}
}

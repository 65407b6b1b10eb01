package dag

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// laws tries the laws that an Algebra must keep to, in its comment, on all triples of some weights.
// Equal says whether two weights are the same, or so near that rounding explains it.
func laws[W any](a Algebra[W], weights []W, equal func(a, b W) bool) error {
	along, across := a.Along, a.Across
	for _, x := range weights {
		for _, y := range weights {
			if left, right := across(x, y), across(y, x); !equal(left, right) {
				return fmt.Errorf("Across does not commute: of %v and %v it gives %v, and the other way round %v", x, y, left, right)
			}
			for _, z := range weights {
				for _, law := range []struct {
					name        string
					left, right W
				}{
					{"Along is not associative: (x y) z and x (y z)", along(along(x, y), z), along(x, along(y, z))},
					{"Across is not associative: (x + y) + z and x + (y + z)", across(across(x, y), z), across(x, across(y, z))},
					{"Along does not distribute: x (y + z) and x y + x z", along(x, across(y, z)), across(along(x, y), along(x, z))},
					{"Along does not distribute: (x + y) z and x z + y z", along(across(x, y), z), across(along(x, z), along(y, z))},
				} {
					if !equal(law.left, law.right) {
						return fmt.Errorf("%s, of x = %v, y = %v, z = %v, are %v and %v", law.name, x, y, z, law.left, law.right)
					}
				}
			}
		}
	}
	return nil
}

// The algebras that are ready-made keep to the laws, and the check sees what does not.
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
		want    string // of the error; "": none
	}{
		{"sum of products", SumProduct[int64](), ""},
		{"longest", MaxPlus[int64](), ""},
		{"shortest", MinPlus[int64](), ""},
		{"narrowest", Algebra[int64]{func(a, b int64) int64 { return min(a, b) }, func(a, b int64) int64 { return max(a, b) }}, ""},
		{"differences along", Algebra[int64]{minus, plus}, "Along is not associative"},
		{"firsts across", Algebra[int64]{times, first}, "Across does not commute"},
		{"means across", Algebra[int64]{times, mean}, "Across is not associative"},
		{"sums of sums", Algebra[int64]{plus, plus}, "Along does not distribute: x (y + z)"},
		{"sums of firsts", Algebra[int64]{first, plus}, "Along does not distribute: x (y + z)"},
		{"sums of lasts", Algebra[int64]{func(a, b int64) int64 { return b }, plus}, "Along does not distribute: (x + y) z"},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := laws(test.algebra, []int64{-1, 0, 1, 2, 5}, same)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
		})
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-15 }
	exact := func(a, b float64) bool { return a == b }
	thirds := []float64{0.1, 1. / 3, 0.7}
	if err := laws(SumProduct[float64](), thirds, near); err != nil {
		t.Errorf("up to rounding: %v", err)
	}
	if err := laws(SumProduct[float64](), thirds, exact); err == nil {
		t.Error("rounding was not seen, so that nothing is shown by the case before")
	}
}

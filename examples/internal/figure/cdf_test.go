package figure

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Each level is at the smallest value that so many values are not above.
func TestLevels(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 7, 49, steps, steps + 1, 3*steps + 7} {
		values := make([]float64, n)
		for i := range values {
			if values[i] = 20 * random.Float64(); i%2 == 0 { // so that some are alike
				values[i] = math.Floor(values[i])
			}
		}
		given := slices.Clone(values)
		const floor = 3
		points := Levels(values, floor)
		if !slices.Equal(values, given) {
			t.Errorf("%d values: changed", n)
		}
		if want := min(n, steps) + 1; len(points) != want || points[0].Y != 0 || points[len(points)-1].Y != 100 {
			t.Fatalf("%d values: %d points from %v to %v, want %d from 0 to 100", n, len(points), points[0], points[len(points)-1], want)
		}
		for k, p := range points {
			if k == 0 {
				continue
			}
			below, upTo := 0, 0
			for _, x := range values {
				if max(x, floor) < p.X {
					below++
				}
				if max(x, floor) <= p.X {
					upTo++
				}
			}
			// The share of the level is k of so many steps.
			if last := len(points) - 1; !(below*last < k*n && k*n <= upTo*last) {
				t.Errorf("%d values: %v %% at %v, where %d are below and %d not above", n, p.Y, p.X, below, upTo)
			}
		}
	}
}

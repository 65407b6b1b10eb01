package estimate

import "math"

func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance || got == want
}

// refused are values that no runtime is.
var refused = []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, -5e-324}

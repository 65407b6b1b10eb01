package estimate

import (
	"math"
	"testing"
)

// What the estimators promise. Stacking and Gittins have tests of their own.
func TestPromises(t *testing.T) {
	t.Run("Moments has the mean and the variance of the values", momentsAgainstPlain)
	t.Run("Posterior weighs prior and samples by their precision", posteriorFormula)
	t.Run("the bounds of a Tracker hold as often as they say", trackerCoverage)
	t.Run("Hill fits the tail of the longest tasks", hillByHand)
	t.Run("Pilots chooses all sets of tasks equally often", pilotsAreFair)
}

func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance || got == want
}

// refused are values that no runtime is.
var refused = []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, -5e-324}

package threesigma

import "slices"

// What tests of how the package is used look at besides.

type Running = running

var (
	NewStepTail = newStepTail
	Survival    = survival
	Scale       = scale
)

// Points returns a copy of the points.
func (u Utility) Points() []Point { return slices.Clone(u.points) }

// End returns the time from which on the utility is constant, and false if it always is.
func (u Utility) End() (time float64, ok bool) { return u.end() }

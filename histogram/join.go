package histogram

import (
	"fmt"
	"math"
)

// A Join is the rule by which a full histogram picks the two neighbouring bins to join: the pair
// of least cost, and the leftmost one among equals. The package comment says when to use which.
type Join uint8

const (
	// JoinLogMass is the default. The cost is the distance between the logarithms of the two
	// centres times the joint count of the two bins. The bits of a floating-point number, read as
	// an integer, stand in for its logarithm: they grow by 2^52 per octave, linearly within it.
	// Negative values mirror the positive ones, and 0 is far from all but denormal numbers.
	// Costs that overflow, with weights above 1e289, tie.
	JoinLogMass Join = iota
	// JoinGap is the paper's rule: the cost is the distance between the two centres. It suits
	// values that are spread evenly over a bounded range.
	JoinGap
)

// String returns the rule's name: logmass or gap.
func (j Join) String() string {
	switch j {
	case JoinLogMass:
		return "logmass"
	case JoinGap:
		return "gap"
	}
	return fmt.Sprintf("Join(%d)", uint8(j))
}

// cost returns the cost of joining two neighbours with centres c0 < c1 and the joint count n. It
// is never NaN.
func (j Join) cost(c0, c1, n float64) float64 {
	if j == JoinGap {
		return c1 - c0
	}
	return logGap(c0, c1) * n
}

// logGap returns the number of floating-point numbers from c0 to c1, where -0 and 0 are one. An
// octave has 2^52 of them, so this is nearly the distance of the logarithms.
func logGap(c0, c1 float64) float64 {
	if b := int64(math.Float64bits(c0)); b >= 0 {
		return float64(int64(math.Float64bits(c1)) - b)
	}
	return logGapBelow0(c0, c1)
}

// logGapBelow0 is logGap for c0 < 0.
func logGapBelow0(c0, c1 float64) float64 {
	if c1 < 0 {
		return float64(int64(math.Float64bits(c0) - math.Float64bits(c1)))
	}
	return float64(math.Float64bits(-c0) + math.Float64bits(c1))
}

// centre returns the weighted mean of two centres, in either order. It keeps the mean between
// them even if rounding or overflow would put it outside.
func centre(c0, n0, c1, n1 float64) float64 {
	n := n0 + n1
	c := (c0*n0+c1*n1)/n + 0 // not -0
	if (c < c0) == (c < c1) {
		return between(c, c0, n0/n, c1, n1/n)
	}
	return c
}

// between clamps a mean c to the range from c0 to c1, and recomputes it if a product overflowed.
func between(c, c0, share0, c1, share1 float64) float64 {
	if c-c != 0 {
		c = c0*share0 + c1*share1
	}
	return min(max(c, min(c0, c1)), max(c0, c1)) + 0
}

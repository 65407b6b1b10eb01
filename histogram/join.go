package histogram

import (
	"fmt"
	"math"
)

// A Join is the rule by which a full histogram picks the two neighbouring bins to join: the
// pair of the smallest cost, the leftmost of those that tie. The package comment says what
// each is good for.
type Join uint8

const (
	// JoinLogMass is the rule of a zero Config. The cost is the distance between the logarithms
	// of the two centres, or rather between their floating-point representations as integers,
	// times the joint count of the two bins. These integers grow nearly as the logarithm does:
	// 2^52 to an octave, linearly within it. Negative values mirror the positive ones, and 0
	// lies far from all but denormal numbers. Costs too large for a float64 tie: those of
	// weights above 1e289.
	JoinLogMass Join = iota
	// JoinGap is the paper's rule: the cost is the distance between the two centres. It
	// suits values of a bounded range that fill it evenly.
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

// cost returns what joining two neighbours with centres c0 < c1 and the joint count n costs.
// It is never NaN.
func (j Join) cost(c0, c1, n float64) float64 {
	if j == JoinGap {
		return c1 - c0
	}
	return logGap(c0, c1) * n
}

// logGap returns how many floating-point numbers it is from c0 to c1, where -0 and 0 are
// one: an octave is 2^52 of them, so this is nearly the distance of the logarithms.
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

// centre returns the mean of (c0, n0) and (c1, n1), two centres in either order. It lies
// between them also where rounding or overflow would have it outside.
func centre(c0, n0, c1, n1 float64) float64 {
	n := n0 + n1
	c := (c0*n0+c1*n1)/n + 0 // not -0
	if (c < c0) == (c < c1) {
		return between(c, c0, n0/n, c1, n1/n)
	}
	return c
}

// between returns a mean c brought between c0 and c1, computed anew if a product was too large.
func between(c, c0, share0, c1, share1 float64) float64 {
	if c-c != 0 {
		c = c0*share0 + c1*share1
	}
	return min(max(c, min(c0, c1)), max(c0, c1)) + 0
}

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
	// JoinDefault is the rule that a zero Config means: JoinLogMass.
	JoinDefault Join = iota
	// JoinGap is the paper's rule: the cost is the distance between the two centres. It
	// suits values of a bounded range that fill it evenly.
	JoinGap
	// JoinMass multiplies the distance by the joint count of the two bins.
	JoinMass
	// JoinLog takes the distance between the logarithms of the two centres, or rather
	// between their floating-point representations as integers. These grow nearly as the
	// logarithm does: 2^52 to an octave, linearly within it. Negative values mirror the
	// positive ones, and 0 lies far from all but denormal numbers.
	JoinLog
	// JoinLogMass multiplies that distance by the joint count of the two bins.
	JoinLogMass
)

func (j Join) String() string {
	switch j {
	case JoinDefault:
		return "default"
	case JoinGap:
		return "gap"
	case JoinMass:
		return "mass"
	case JoinLog:
		return "log"
	case JoinLogMass:
		return "logmass"
	}
	return fmt.Sprintf("Join(%d)", uint8(j))
}

// cost returns what joining the neighbours (c0, n0) and (c1, n1) costs, where c0 < c1. It is
// never NaN.
func (j Join) cost(c0, n0, c1, n1 float64) float64 {
	switch j {
	case JoinMass:
		return (c1 - c0) * (n0 + n1)
	case JoinLog:
		return float64(uint64(order(c1) - order(c0)))
	case JoinLogMass:
		return float64(uint64(order(c1)-order(c0))) * (n0 + n1)
	}
	return c1 - c0
}

// order maps a finite float to an integer that grows with it, symmetric about 0, and nearly
// as the logarithm: an octave is 2^52 steps, and the way within an octave is linear.
func order(x float64) int64 {
	b := int64(math.Float64bits(x))
	if b < 0 {
		return -(b & math.MaxInt64)
	}
	return b
}

// centre returns the mean of (c0, n0) and (c1, n1), between c0 and c1 also where rounding or
// overflow would have it outside.
func centre(c0, n0, c1, n1 float64) float64 {
	c := (float64(c0*n0) + float64(c1*n1)) / (n0 + n1)
	if math.IsNaN(c) || math.IsInf(c, 0) { // a product is too large
		c = float64(c0*(n0/(n0+n1))) + float64(c1*(n1/(n0+n1)))
	}
	return min(max(c, c0), c1) + 0 // never -0
}

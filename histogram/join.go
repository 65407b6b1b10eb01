package histogram

import (
	"fmt"
	"math"
)

// A Join is the rule by which a full histogram picks the two neighbouring bins to join: the
// pair of the smallest cost, the leftmost of those that tie. The package comment says what
// each is good for. Costs too large for a float64 tie: with JoinLogMass, those of weights
// above 1e289.
type Join uint8

const (
	// JoinDefault is the rule that a zero Config means: JoinLogMass.
	JoinDefault Join = iota // rules that weigh by mass are even
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

// String returns the rule's name, as JSON has it: gap, mass, log or logmass; or default.
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

// cost returns what joining two neighbours with centres c0 < c1 and the joint count n costs.
// It is never NaN.
func (j Join) cost(c0, c1, n float64) float64 {
	cost := j.gap(c0, c1)
	if j.weighs() {
		cost *= n
	}
	return cost
}

// gap returns the distance from c0 to c1, or that of their logarithms, where c0 < c1.
func (j Join) gap(c0, c1 float64) float64 {
	if j >= JoinLog {
		return logGap(c0, c1)
	}
	return c1 - c0
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

// weighs reports whether the cost is multiplied by the joint count.
func (j Join) weighs() bool { return j&1 == 0 }

// centre returns the mean of (c0, n0) and (c1, n1), two centres in either order. It lies
// between them also where rounding or overflow would have it outside.
func centre(c0, n0, c1, n1 float64) float64 {
	n := n0 + n1
	c := (float64(c0*n0)+float64(c1*n1))/n + 0 // not -0
	if (c < c0) == (c < c1) {
		return between(c, c0, n0/n, c1, n1/n)
	}
	return c
}

// between returns a mean c brought between c0 and c1, computed anew if a product was too large.
func between(c, c0, share0, c1, share1 float64) float64 {
	if c-c != 0 {
		c = float64(c0*share0) + float64(c1*share1)
	}
	return min(max(c, min(c0, c1)), max(c0, c1)) + 0
}

package estimate

import (
	"iter"
	"math"
)

// PowerMean returns the power mean of weighted values, such as the bins of a histogram:
//
//	E[x^p]^(1/p)
//
// For p = 1 it is the mean, for -1 the harmonic mean, for 0 the geometric mean, for +Inf and
// -Inf the largest and the least value. For p = -2 it is the point estimate that is right for
// the utility U(t) = 1/t^2: the runtime of which the utility is the expected utility. With p
// below or equal to 0 a value of 0 makes the mean 0.
//
// Values must be finite and at least 0, weights finite and at least 0 and not all 0. It goes
// over bins twice, and a third time if nearly all powers are too small to be numbers, in O(n) time, and
// does not allocate.
//
// # Source
//
// SLearn, section 4.3, for U(t) = 1/t^2.
func PowerMean(bins iter.Seq2[float64, float64], p float64) (float64, error) {
	if math.IsNaN(p) {
		return 0, checkFinite("power", p)
	}
	weight, least, most := 0.0, math.Inf(1), 0.0
	for x, w := range bins {
		if err := checkValue("value", x); err != nil {
			return 0, err
		}
		if err := checkValue("weight", w); err != nil {
			return 0, err
		}
		weight += w
		if w > 0 {
			least, most = min(least, x), max(most, x)
		}
	}
	if err := checkWeight(weight); err != nil {
		return 0, err
	}
	switch {
	case math.IsInf(p, -1), p <= 0 && least == 0:
		return least, nil
	case math.IsInf(p, 1), most == 0:
		return most, nil
	}
	// Powers of ratios to the value that counts most are at most 1, and cannot overflow.
	by := most
	if p < 0 {
		by = least
	}
	// Below this x^p is too near 1, and x^p - 1 is added up.
	const small = 1e-3
	sum := 0.0
	for x, w := range bins {
		switch {
		case w == 0:
		case p == 0:
			sum += float64(w / weight * logRatio(x, by))
		case math.Abs(p) < small:
			sum += float64(w / weight * math.Expm1(p*logRatio(x, by)))
		case p == -2:
			sum += float64(w / weight * (by / x) * (by / x))
		default:
			sum += float64(w / weight * powerOfRatio(x, by, p))
		}
	}
	var mean float64
	switch {
	case p == 0:
		mean = timesExp(by, sum)
	case math.Abs(p) < small:
		mean = timesExp(by, math.Log1p(max(-1, sum))/p)
	default:
		if f := math.Pow(sum, 1/p); sum > 1e-290 && f >= smallestNormal && f <= math.MaxFloat64 {
			mean = by * f
		} else {
			mean = timesExp(by, logOfSum(bins, by, weight, p)/p)
		}
	}
	return min(max(mean, least), most), nil
}

// logOfSum returns the logarithm of the sum over bins of w/weight * (x/by)^p, also if all of these are too small
// to be numbers.
func logOfSum(bins iter.Seq2[float64, float64], by, weight, p float64) float64 {
	sum, most := 0.0, math.Inf(-1) // in parts of e^most
	for x, w := range bins {
		switch l := ln(w) - ln(weight) + float64(p*logRatio(x, by)); {
		case w == 0 || math.IsInf(l, -1):
		case l > most:
			sum, most = float64(sum*math.Exp(most-l))+1, l
		default:
			sum += math.Exp(l - most)
		}
	}
	return most + math.Log(sum)
}

// powerOfRatio returns (x/y)^p for x ≥ 0 and y > 0, also if the ratio is no number.
func powerOfRatio(x, y, p float64) float64 {
	if r := x / y; r >= smallestNormal && r <= math.MaxFloat64 {
		return math.Pow(r, p)
	}
	return math.Exp(p * logRatio(x, y))
}

// timesExp returns x times e to the power of p for x > 0, also if that power is no number and the product is.
func timesExp(x, p float64) float64 {
	if f := math.Exp(p); f >= smallestNormal && f <= math.MaxFloat64 {
		return x * f
	}
	return math.Exp(ln(x) + p)
}

package threesigma

import (
	"errors"
	"math"
)

// A Distribution is a distribution of runtimes, in seconds. CDF(x) is the probability of at most x, continuous from
// the right. Quantile(p) is the least x with CDF(x) ≥ p; Quantile(1), which may be infinite, is the longest runtime.
// Without values both are NaN, and so is everything computed from them.
//
// A Distribution may have two more methods. Survival(x) is 1 - CDF(x), perhaps with more digits. SurvivalIntegral(a,
// b) is its integral in closed form. Without it the integral is numerical, to some ten digits. That takes two to
// eight hundred calls of CDF if CDF is smooth, and as many for each step of a staircase; beyond a thousand steps
// digits are lost. A histogram of some hundred quantiles is far faster.
type Distribution interface {
	CDF(x float64) float64
	Quantile(p float64) float64
}

// errNoValues is the error about a distribution without values, or without a value where it was asked.
var errNoValues = errors.New("threesigma: a distribution of runtimes has no values")

// known reports whether a distribution has values.
func known(d Distribution) bool {
	x := d.Quantile(1)
	return x == x && d.CDF(0) == d.CDF(0)
}

// survival returns the probability that the runtime is above x, x ≥ 0. So mass of d below 0 counts as a runtime of 0.
func survival(d Distribution, x float64) float64 {
	if s, ok := d.(interface{ Survival(x float64) float64 }); ok {
		return s.Survival(x)
	}
	return 1 - d.CDF(x)
}

// survivalIntegral returns the integral of survival from a to b, 0 ≤ a ≤ b, both finite.
func survivalIntegral(d Distribution, a, b float64) float64 {
	if s, ok := d.(interface {
		SurvivalIntegral(a, b float64) float64
	}); ok {
		return s.SurvivalIntegral(a, b)
	}
	q := quadrature{
		f:      func(x float64) float64 { return survival(d, x) },
		width:  tolerance * (b - a),
		pieces: maxPieces,
	}
	fa, fb := q.f(a), q.f(b)
	return q.integral(a, b, fa, fb, q.rule(a, b, fa, fb), tolerance*(b-a))
}

const (
	// tolerance is the error of a numerical integral as a share of its width.
	tolerance = 1e-11
	// maxPieces bounds the work where the distribution is a staircase of very many steps.
	maxPieces = 1 << 16
)

// A quadrature integrates a function that never increases, from 1 to 0. It applies Lobatto's rule to pieces, and
// splits each piece until its two parts agree with the whole, or until the function falls so little, or the piece is
// so short, that the rest cannot matter: over all pieces the function falls by at most 1, so their error is at most
// that of their width. This last rule ends it at steps.
//
// Steps must not make parts and whole agree by chance. Rules without the ends of the piece, such as Gauss', do so if
// a step is before the first node of both. Halves do so if two steps of the same height are just behind the beginning
// and just behind the middle, or at similar places: so the parts have unequal lengths, in a ratio unrelated to the
// weights.
type quadrature struct {
	f      func(float64) float64
	width  float64 // of pieces that are short enough
	pieces int     // that may yet be made
}

// integral returns the integral from a to b, given the function's values fa and fb and the rule's result whole.
func (q *quadrature) integral(a, b, fa, fb, whole, tolerance float64) float64 {
	const split = math.Sqrt2 - 1
	middle := a + split*(b-a)
	if !((b-a)*(fa-fb) > tolerance) || b-a <= q.width || !(a < middle && middle < b) || q.pieces <= 0 {
		return whole // NaN too
	}
	q.pieces--
	fm := q.f(middle)
	left, right := q.rule(a, middle, fa, fm), q.rule(middle, b, fm, fb)
	if math.Abs(left+right-whole) <= tolerance {
		return left + right
	}
	return q.integral(a, middle, fa, fm, left, split*tolerance) + q.integral(middle, b, fm, fb, right, (1-split)*tolerance)
}

// rule is Lobatto's of six points, exact for polynomials of degree nine (M. Abramowitz and I. A. Stegun,
// Handbook of Mathematical Functions, 25.4.32).
func (q *quadrature) rule(a, b, fa, fb float64) float64 {
	const (
		near, far         = 0.28523151648064509632, 0.76505532392946469285
		wNear, wFar, wEnd = 0.55485837703548635302, 0.37847495629784698031, 1.0 / 15
	)
	half := (b - a) / 2
	middle := a + half
	sum := wEnd * (fa + fb)
	sum += wFar * (q.f(middle-far*half) + q.f(middle+far*half))
	sum += wNear * (q.f(middle-near*half) + q.f(middle+near*half))
	return sum * half
}

// scaled is the distribution of a runtime times a factor, such as on nodes that are slower.
type scaled struct {
	of     Distribution
	factor float64 // finite, above 0
}

// scale returns the distribution of factor times the runtime: factor 1.5 is a runtime half as long again.
func scale(d Distribution, factor float64) Distribution {
	if factor == 1 {
		return d
	}
	return scaled{d, factor}
}

func (s scaled) CDF(x float64) float64 { return s.of.CDF(x / s.factor) }

func (s scaled) Quantile(p float64) float64 { return s.factor * s.of.Quantile(p) }

func (s scaled) Survival(x float64) float64 { return survival(s.of, x/s.factor) }

func (s scaled) SurvivalIntegral(a, b float64) float64 {
	return s.factor * survivalIntegral(s.of, a/s.factor, b/s.factor)
}

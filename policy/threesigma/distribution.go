package threesigma

import "math"

// A Distribution is one of runtimes, in seconds. CDF(x) is the probability of at most x, continuous
// from the right, and Quantile(p) the least value that the runtime is at most with probability p;
// Quantile(1), which may be infinite, is the longest. Where there are no values both are NaN, and
// so is what is computed from them.
//
// Two more methods are made use of if they are there. Survival(x) is 1 - CDF(x), perhaps with more digits.
// SurvivalIntegral(a, b) is its integral, in closed form; without it there is numerical
// integration, to some ten digits, which takes two to eight hundred calls of CDF where that is smooth and
// as many for each step, if it is a staircase; beyond a thousand steps digits are lost. A histogram of some
// hundred quantiles is far faster.
type Distribution interface {
	CDF(x float64) float64
	Quantile(p float64) float64
}

// survival returns the probability that the runtime is above x, x ≥ 0. So what d has below 0 counts as
// a runtime of 0.
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

// A quadrature integrates a function that never increases, from 1 to 0, by Lobatto's rule in pieces that
// are split until both parts agree with the whole, or until the function falls so little, or the
// piece is so short, that what lies in between cannot matter: what the function falls in all
// pieces together is at most 1, so their error is at most that of their width. That is what ends
// it at steps.
//
// Steps must not make parts and whole agree by chance. Rules without the ends of the piece, such as
// Gauss', do where a step is before the first node of both. And halves do where two steps of
// the same height are just behind the beginning and just behind the middle, or in other such
// places: so the parts are of unequal lengths, in a ratio that has nothing to do with the weights.
type quadrature struct {
	f      func(float64) float64
	width  float64 // of pieces that are short enough
	pieces int     // that may yet be made
}

// integral returns the integral from a to b, where the function is fa and fb and the rule gives whole.
func (q *quadrature) integral(a, b, fa, fb, whole, tolerance float64) float64 {
	const split = math.Sqrt2 - 1
	middle := a + float64(split*(b-a))
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
	half := float64((b - a) / 2)
	middle := a + half
	sum := float64(wEnd * (fa + fb))
	sum += float64(wFar * (q.f(middle-float64(far*half)) + q.f(middle+float64(far*half))))
	sum += float64(wNear * (q.f(middle-float64(near*half)) + q.f(middle+float64(near*half))))
	return sum * half
}

// scaled is the distribution of a runtime times a factor, such as on nodes that are slower.
type scaled struct {
	of     Distribution
	factor float64 // finite, above 0
}

// scale returns the distribution of factor times the runtime: 1.5 if it runs for half as long again.
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

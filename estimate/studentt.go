package estimate

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// A StudentT is Student's t distribution with Nu degrees of freedom, moved by Mu and stretched
// by Sigma. With other parameters than these its methods return NaN.
type StudentT struct {
	Mu    float64 // finite
	Sigma float64 // finite and > 0
	Nu    float64 // finite and > 0
}

// Mean returns Mu, and NaN if there is no mean because Nu is at most 1.
func (t StudentT) Mean() float64 {
	if !(t.Nu > 1) || !t.ok() {
		return math.NaN()
	}
	return t.Mu
}

// CDF returns the probability of at most x.
func (t StudentT) CDF(x float64) float64 {
	if math.IsNaN(x) || !t.ok() {
		return math.NaN()
	}
	y := (x - t.Mu) / t.Sigma
	if y < 0 {
		return studentTail(-y, t.Nu)
	}
	return 1 - studentTail(y, t.Nu)
}

// Quantile returns the value whose CDF is p, and NaN unless p is in [0, 1].
func (t StudentT) Quantile(p float64) float64 {
	switch {
	case !(p >= 0 && p <= 1) || !t.ok():
		return math.NaN()
	case p < 0.5:
		return t.Mu - float64(t.Sigma*studentQuantile(p, t.Nu))
	}
	return t.Mu + float64(t.Sigma*studentQuantile(1-p, t.Nu))
}

// manyDegrees is where the normal distribution takes over: there the first term of Hill's
// expansion leaves an error of some 1e-13 of any probability above 1e-12.
const manyDegrees = 1e4

// studentTail returns the probability that a value of Student's t distribution is above
// y >= 0. Gonum's own functions take 1 - nu/(nu+y*y), in which all is lost for large nu.
func studentTail(y, nu float64) float64 {
	square := y * y
	switch {
	case nu >= manyDegrees:
		a, b := hillTerms(nu)
		w := math.Sqrt(a * math.Log1p(square/nu))
		return math.Erfc((w+(w*w*w+3*w)/b)/math.Sqrt2) / 2
	case square < 1:
		return 0.5 - mathext.RegIncBeta(0.5, nu/2, square/(nu+square))/2
	}
	return mathext.RegIncBeta(nu/2, 0.5, nu/(nu+square)) / 2
}

// studentQuantile returns the y >= 0 of which the studentTail is q, for q from 0 to 1/2.
func studentQuantile(q, nu float64) float64 {
	if q == 0 {
		return math.Inf(1)
	}
	if nu >= manyDegrees {
		return hillQuantile(q, nu)
	}
	density := distuv.StudentsT{Sigma: 1, Nu: nu}.Prob
	const steps = 60 // some five are needed
	if q > 0.2 {
		// The tail is convex, so Newton's method goes up from 0 and never too far.
		y := 0.0
		for range steps {
			step := (studentTail(y, nu) - q) / density(y)
			y = max(0, y+step)
			if math.Abs(step) <= 1e-15*y {
				break
			}
		}
		return y
	}
	var y float64
	if nu >= 10 {
		y = hillQuantile(q, nu)
	} else { // the power law that the tail is below, and nears
		above, _ := math.Lgamma((nu + 1) / 2)
		below, _ := math.Lgamma(nu / 2)
		y = math.Exp((above-below-math.Log(math.Pi)/2-math.Log(q))/nu + (0.5-1/nu)*math.Log(nu))
	}
	// The logarithm of the tail is concave in that of y: one step may go too far, to where
	// the tail is less than q, and from there all go the right way.
	for range steps {
		tail := studentTail(y, nu)
		if !(tail > 0 && y < 1e150) {
			break
		}
		step := math.Log(tail/q) * tail / (y * density(y))
		y *= math.Exp(step)
		if math.Abs(step) <= 1e-14 {
			break
		}
	}
	return y
}

// hillTerms returns a and b in the normal value w + (w^3+3w)/b, w = sqrt(a*ln(1+y^2/nu)),
// that is exceeded about as often as y.
//
// G. W. Hill, "Algorithm 395: Student's t-distribution", Communications of the ACM 13(10), 1970.
func hillTerms(nu float64) (a, b float64) {
	a = nu - 0.5
	return a, 48 * a * a
}

// hillQuantile inverts that.
func hillQuantile(q, nu float64) float64 {
	a, b := hillTerms(nu)
	z := -distuv.UnitNormal.Quantile(q)
	w := z
	for range 5 {
		w -= (w + (w*w*w+3*w)/b - z) / (1 + (3*w*w+3)/b)
	}
	return math.Sqrt(nu * math.Expm1(w*w/a))
}

func (t StudentT) ok() bool {
	return checkFinite("", t.Mu) == nil &&
		t.Sigma > 0 && !math.IsInf(t.Sigma, 1) &&
		t.Nu > 0 && !math.IsInf(t.Nu, 1)
}

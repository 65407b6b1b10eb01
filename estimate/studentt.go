package estimate

import (
	"math"

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
	return distuv.StudentsT{Sigma: 1, Nu: t.Nu}.CDF((x - t.Mu) / t.Sigma)
}

// Quantile returns the value whose CDF is p, and NaN unless p is in [0, 1].
func (t StudentT) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) || !t.ok() {
		return math.NaN()
	}
	return t.Mu + float64(t.Sigma*distuv.StudentsT{Sigma: 1, Nu: t.Nu}.Quantile(p))
}

func (t StudentT) ok() bool {
	return checkFinite("", t.Mu) == nil &&
		t.Sigma > 0 && !math.IsInf(t.Sigma, 1) &&
		t.Nu > 0 && !math.IsInf(t.Nu, 1)
}

package estimate

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A LogNormal is the distribution of runtimes whose logarithms are normal with mean Mu and standard
// deviation Sigma, finite and Sigma > 0; [FitLogNormal] returns one. It answers for every number, where
// gonum's, from which values can be drawn, panics or gives NaN: distuv.LogNormal{Mu: l.Mu, Sigma: l.Sigma, Src: src}.
type LogNormal struct{ Mu, Sigma float64 }

// CDF returns the probability of at most x, 0 for x ≤ 0 and NaN for NaN.
func (l LogNormal) CDF(x float64) float64 { return math.Erfc(-l.deviation(x)/math.Sqrt2) / 2 }

// Survival returns the probability of more than x, with all its digits where that is small.
func (l LogNormal) Survival(x float64) float64 { return math.Erfc(l.deviation(x)/math.Sqrt2) / 2 }

// deviation returns how many standard deviations the logarithm of x is from its mean.
func (l LogNormal) deviation(x float64) float64 { return (ln(max(x, 0)) - l.Mu) / l.Sigma }

// Quantile returns the least value whose CDF is at least p, up to rounding: 0 for p = 0, +Inf for p = 1,
// and NaN unless p is in [0, 1].
func (l LogNormal) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	return math.Exp(l.Mu + float64(l.Sigma*distuv.UnitNormal.Quantile(p)))
}

// Mean returns the mean, exp(Mu + Sigma^2/2).
func (l LogNormal) Mean() float64 { return math.Exp(l.Mu + float64(l.Sigma*l.Sigma/2)) }

// FitLogNormal returns the lognormal distribution under which some runtimes are most likely:
// those of tasks that have finished, which must be greater than 0, and those so far of tasks
// that still run, which are known to be longer than that and must be at least 0. The error says
// which task is refused, or that there is no best fit: none has finished, or all that did are equal
// and none runs longer.
//
// If none still runs, Mu and Sigma are the mean and the standard deviation of the logarithms.
// Otherwise they are found by Newton's method with halved steps, in 1/Sigma and Mu/Sigma, in
// which the likelihood is concave: there is one maximum, and every start leads to it. It is
// found to within 1e-8 of the standard errors or better, which are about Sigma/sqrt(n) and
// Sigma/sqrt(2n) for n finished tasks. It takes O(n) time a step, some ten of them.
//
// # Source
//
// R. J. Olsen, "Note on the uniqueness of the maximum likelihood estimator for the Tobit
// model", Econometrica 46(5), 1978.
func FitLogNormal(finished, running []float64) (LogNormal, error) {
	if err := checkTasks(finished, running); err != nil {
		return LogNormal{}, err
	}
	var logs Moments
	least, most := math.Inf(1), math.Inf(-1)
	for _, x := range finished {
		l := ln(x)
		logs.change(l, 1)
		least, most = min(least, l), max(most, l)
	}
	censored := make([]float64, 0, len(running))
	longest := math.Inf(-1)
	for _, x := range running {
		if x > 0 { // 0 says nothing
			l := ln(x)
			censored = append(censored, l)
			longest = max(longest, l)
		}
	}
	mean, _ := logs.Mean()
	variance, _ := logs.Variance()
	sigma := math.Sqrt(variance)
	if (least == most || sigma == 0) && longest <= most {
		return LogNormal{}, fmt.Errorf("estimate: lognormal: no task took longer than %v, as all that finished did", finished[0])
	}
	if len(censored) == 0 {
		return LogNormal{Mu: mean, Sigma: sigma}, nil
	}
	// The search is for logarithms of mean 0 and about unit spread.
	scale := max(sigma, (longest-mean)/8)
	for i := range censored {
		censored[i] = (censored[i] - mean) / scale
	}
	t := tobit{n: float64(len(finished)), squares: logs.scatter() / scale / scale, censored: censored}
	h, d, err := t.maximise()
	if err != nil {
		return LogNormal{}, err
	}
	return LogNormal{Mu: mean + float64(scale*(d/h)), Sigma: scale / h}, nil
}

// A tobit is the log likelihood of normal values, of which n with mean 0 are known, and the
// others are known to be greater than what is in censored. In h = 1/sigma and d = mu/sigma it is
//
//	n*ln(h) - (h^2*squares + n*d^2)/2 + sum over censored c of ln Q(h*c - d)
//
// but for a constant, where Q is the upper tail of the standard normal distribution.
type tobit struct {
	n        float64
	squares  float64 // sum of the squares of the known values
	censored []float64
}

// A slope is the log likelihood at (h, d), its gradient, and the negative of its Hessian,
// which is positive definite.
type slope struct {
	h, d, value float64
	gh, gd      float64
	hh, hd, dd  float64
}

func (t *tobit) at(h, d float64) slope {
	s := slope{
		h: h, d: d, value: t.n*math.Log(h) - (h*h*t.squares+t.n*d*d)/2,
		gh: t.n/h - h*t.squares, gd: -t.n * d,
		hh: t.n/h/h + t.squares, dd: t.n,
	}
	for _, c := range t.censored {
		z := h*c - d
		lnQ, hazard := upperTail(z)
		s.value += lnQ
		s.gh -= c * hazard
		s.gd += hazard
		bend := min(max(0, hazard*(hazard-z)), 1)
		s.hh += c * c * bend
		s.hd -= c * bend
		s.dd += bend
	}
	return s
}

// maximise returns where the likelihood is largest.
func (t *tobit) maximise() (h, d float64, err error) {
	s := t.at(1, 0)
	for range 200 {
		det := s.hh*s.dd - s.hd*s.hd
		stepH, stepD := (s.dd*s.gh-s.hd*s.gd)/det, (s.hh*s.gd-s.hd*s.gh)/det
		gain := s.gh*stepH + s.gd*stepD // the step in standard errors, squared
		if gain < 1e-16 {
			return s.h + stepH, s.d + stepD, nil
		}
		rounding := 1e-13 * (math.Abs(s.value) + t.n + float64(len(t.censored)))
		size := 1.0
		next := s
		for ; size > 1e-12; size /= 2 {
			if h, d = s.h+size*stepH, s.d+size*stepD; h > 0 {
				next = t.at(h, d)
				if next.value >= s.value+size*gain/4-rounding {
					break
				}
			}
		}
		if !(size > 1e-12) || math.IsNaN(gain) {
			break
		}
		s = next
	}
	return 0, 0, errors.New("estimate: lognormal: the search for the maximum does not end")
}

// upperTail returns the logarithm of the probability that a standard normal value is above z,
// and the hazard there, which is the density divided by that probability.
func upperTail(z float64) (lnQ, hazard float64) {
	lnDensity := -z*z/2 - math.Log(2*math.Pi)/2
	if z < 5 {
		q := math.Erfc(z/math.Sqrt2) / 2
		return math.Log(q), math.Exp(lnDensity) / q
	}
	// Laplace's continued fraction z + 1/(z + 2/(z + 3/(z + ...))).
	hazard = z
	for k := 50.0; k > 0; k-- {
		hazard = z + k/hazard
	}
	return lnDensity - math.Log(hazard), hazard
}

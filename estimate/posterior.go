package estimate

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A PosteriorConfig describes the prior and the samples. The mean task runtime x of a job is normal
// with mean Mean and standard deviation Between, that between jobs. The runtime of each of its tasks
// is normal with mean x and standard deviation Within, that within a job.
type PosteriorConfig struct {
	Mean    float64 // mean of the prior, finite; ignored if Between is +Inf
	Between float64 // standard deviation of the prior, ≥ 0; 0: the prior is exact, +Inf: there is no prior
	Within  float64 // standard deviation of a sample, finite and ≥ 0; 0: samples are exact
}

// A Posterior is the posterior distribution of a mean. After m samples y it is normal with
//
//	precision  P = m/Within^2 + 1/Between^2
//	mean       (sum(y)/Within^2 + Mean/Between^2) / P
//	variance   1/P
//
// Without a prior, its mean is the mean of the samples, with variance Within^2/m. Without samples it
// is the prior. The samples weigh more than the prior exactly if Between^2 > Within^2/m. Without
// a prior and before the first sample there is no answer: [Posterior.OK] is false and the other
// methods return NaN. A Posterior is about the mean: the next sample is normal with variance
// 1/P + Within^2. It takes 56 bytes; no method allocates.
//
// # Source
//
// SLearn, section 4.1.2.
type Posterior struct {
	config PosteriorConfig
	n      int64
	mean   float64 // of the samples
	// The answer:
	mu, sigma float64
}

// NewPosterior returns the distribution before the first sample.
func NewPosterior(c PosteriorConfig) (*Posterior, error) {
	if !(c.Between >= 0) {
		return nil, fmt.Errorf("estimate: Between is %v, must be ≥ 0 or +Inf", c.Between)
	}
	if err := checkValue("Within", c.Within); err != nil {
		return nil, err
	}
	if math.IsInf(c.Between, 1) {
		return &Posterior{config: c, mu: math.NaN(), sigma: math.NaN()}, nil
	}
	if err := checkFinite("Mean", c.Mean); err != nil {
		return nil, err
	}
	return &Posterior{config: c, mu: c.Mean, sigma: c.Between}, nil
}

// Add adds one sample, which must be finite. If samples are exact (Within is 0), it must equal the
// earlier samples, and the prior if that is exact too (Between is 0).
func (p *Posterior) Add(y float64) error {
	if err := checkFinite("sample", y); err != nil {
		return err
	}
	mu, s0, s1 := p.config.Mean, p.config.Between, p.config.Within
	if s1 == 0 {
		if s0 == 0 && y != mu {
			return fmt.Errorf("estimate: sample is %v, want %v, the exact prior, since samples are exact; set Within or Between above 0", y, mu)
		}
		if p.n > 0 && y != p.mean {
			return fmt.Errorf("estimate: sample is %v, want %v as before, since samples are exact; set Within above 0", y, p.mean)
		}
	}
	p.n++
	m := float64(p.n)
	p.mean += y/m - p.mean/m // y - p.mean could overflow
	switch {
	case s1 == 0:
		p.mean = y
		p.mu, p.sigma = y, 0
	case s0 == 0: // the prior stands
	case math.IsInf(s0, 1):
		p.mu, p.sigma = p.mean, s1/math.Sqrt(m)
	default:
		// 1/P is 1 / (1/prior^2 + 1/samples^2), without squares that overflow.
		prior, samples := s0, s1/math.Sqrt(m) // standard deviations
		smaller, larger := min(prior, samples), max(prior, samples)
		part := smaller / larger
		part = part * part
		p.sigma = smaller / math.Sqrt(1+part)
		surer, other := mu, p.mean
		if samples < prior {
			surer, other = other, surer
		}
		weight := part / (1 + part) // of the other
		p.mu = surer*(1-weight) + other*weight
		p.mu = min(max(p.mu, min(mu, p.mean)), max(mu, p.mean)) // rounding aside it is between them
	}
	return nil
}

// OK reports whether there is an answer: a prior or a sample.
func (p *Posterior) OK() bool { return !math.IsNaN(p.mu) }

// Mean returns the mean of the distribution.
func (p *Posterior) Mean() float64 { return p.mu }

// StdDev returns the standard deviation of the distribution.
func (p *Posterior) StdDev() float64 { return p.sigma }

// CDF returns the probability of at most x, and NaN for NaN.
func (p *Posterior) CDF(x float64) float64 {
	if p.sigma == 0 && !math.IsNaN(x) {
		if x < p.mu {
			return 0
		}
		return 1
	}
	mu, sigma := p.mu, p.sigma
	if sigma > math.MaxFloat64/4 { // a multiple of which, and of distances, may be too large
		x, mu, sigma = x/4, mu/4, sigma/4
	}
	return distuv.Normal{Mu: mu, Sigma: sigma}.CDF(x)
}

// Quantile returns the least value whose CDF is at least q, and NaN unless q is in [0, 1].
func (p *Posterior) Quantile(q float64) float64 {
	switch {
	case !(q >= 0 && q <= 1):
		return math.NaN()
	case p.sigma == 0:
		return p.mu
	}
	return distuv.Normal{Mu: p.mu, Sigma: p.sigma}.Quantile(q)
}

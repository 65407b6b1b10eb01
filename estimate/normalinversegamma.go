package estimate

import (
	"fmt"
	"math"
)

// A NormalInverseGammaConfig describes what is believed of a normal distribution of which
// neither mean nor variance is known: the variance v is inverse gamma with Shape and Scale,
// and given v the mean is normal with mean Mean and variance v/Weight.
type NormalInverseGammaConfig struct {
	Mean   float64 // what the mean is thought to be, at most 1e144 in size
	Weight float64 // how many samples that is worth, > 0
	Shape  float64 // half of how many samples the thought of the variance is worth, > 0
	Scale  float64 // Shape times about what the variance is thought to be, > 0
}

// A NormalInverseGamma is what is believed of a normal distribution of unknown mean and
// variance after some samples. It is for when [Posterior] would need a standard deviation that
// nobody knows. With a sample y its parameters, by the names of [NormalInverseGammaConfig],
// become
//
//	Weight' = Weight + 1
//	Mean'   = (Weight*Mean + y) / Weight'
//	Shape'  = Shape + 1/2
//	Scale'  = Scale + Weight/Weight' * (y - Mean)^2 / 2
//
// # Source
//
// K. P. Murphy, "Conjugate Bayesian analysis of the Gaussian distribution", 2007, section 6.
type NormalInverseGamma struct {
	c NormalInverseGammaConfig
}

// NewNormalInverseGamma returns the belief before there are samples.
func NewNormalInverseGamma(c NormalInverseGammaConfig) (*NormalInverseGamma, error) {
	if err := checkMoment(c.Mean); err != nil {
		return nil, fmt.Errorf("estimate: Mean is %v, must be within ±%v", c.Mean, maxMoment)
	}
	for _, option := range []struct {
		name  string
		value float64
	}{{"Weight", c.Weight}, {"Shape", c.Shape}, {"Scale", c.Scale}} {
		if !(option.value > 0) || math.IsInf(option.value, 1) {
			return nil, fmt.Errorf("estimate: %s is %v, must be finite and > 0", option.name, option.value)
		}
	}
	return &NormalInverseGamma{c}, nil
}

// Add adds one sample, whose size may be 1e144 at most.
func (p *NormalInverseGamma) Add(y float64) error {
	if err := checkMoment(y); err != nil {
		return err
	}
	off := y - p.c.Mean
	weight := p.c.Weight + 1
	p.c.Scale += float64(p.c.Weight / weight * off * off / 2)
	p.c.Mean += off / weight
	p.c.Weight = weight
	p.c.Shape += 0.5
	return nil
}

// Params returns the parameters as they are now.
func (p *NormalInverseGamma) Params() NormalInverseGammaConfig { return p.c }

// OfNext returns the distribution of the next sample.
func (p *NormalInverseGamma) OfNext() StudentT {
	return p.student((p.c.Weight + 1) / p.c.Weight)
}

// OfMean returns the distribution of the mean.
func (p *NormalInverseGamma) OfMean() StudentT {
	return p.student(1 / p.c.Weight)
}

func (p *NormalInverseGamma) student(variances float64) StudentT {
	return StudentT{p.c.Mean, math.Sqrt(p.c.Scale/p.c.Shape) * math.Sqrt(variances), 2 * p.c.Shape}
}

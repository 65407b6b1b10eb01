package estimate

import (
	"fmt"
	"math"
)

// An Opinion is what an expert says a value will be: a point estimate.
type Opinion struct {
	Expert int     // from 0, below the number of experts; others are not heard
	Value  float64 // above 0; others count as the least value of a Belief
}

// A Stack makes a calibrated distribution of point estimates. Of each expert it keeps how the logarithms of its past
// estimates erred, and believes that its next estimate errs like that. So each opinion makes a distribution. They are
// mixed, and with them a prior: the distribution of all values so far. The weight of an expert is how probable it has
// found what came true, against how probable the prior has. The mixture p is then sharpened or flattened to p^γ, and γ
// follows the gradient of the logarithmic score. So an expert that errs much has a wide distribution and little weight,
// where many agree the belief is narrow, and where opinions tell nothing it is that of all values.
//
// Ask Predict when a job is submitted, keep the opinions, and pass them to Observe when it has ended. If you ask again
// when it ends, you score what the experts say once the jobs that end early are known, and those that end late are
// not. It takes some 30 values until the beliefs are of use. Make one with [NewStack]. It holds 4 kB for each expert,
// takes some 10 µs for twenty opinions, and does not allocate.
//
// # Source
//
// Y. Yao, A. Vehtari, D. Simpson and A. Gelman, "Using stacking to average Bayesian predictive distributions", Bayesian
// Analysis 13(3), 2018. We differ. Values come one by one, and not every expert has an opinion each time. So a weight is
// a ratio of two sums: of the shares that the expert and the prior have in the mixture's probability of what came true.
// And γ is learnt too.
type Stack struct {
	experts   []stackExpert
	seen      [beliefBins]float64 // values so far
	total     float64
	bins      float64 // the sum of their bins
	sharper   float64 // γ - 1
	gradients float64 // sum of squares
}

// NewStack returns a stack that has seen nothing, of so many experts, 0 to 65,536.
func NewStack(experts int) (*Stack, error) {
	if experts < 0 || experts > 1<<16 {
		return nil, fmt.Errorf("estimate: number of experts is %d, must be 0 to %d", experts, 1<<16)
	}
	s := &Stack{experts: make([]stackExpert, experts)}
	for i := range s.experts {
		s.experts[i].reshape()
	}
	return s, nil
}

const (
	stackSpan   = 2*beliefBins + 1
	stackForget = 0.999 // of the weights, for each opinion
	stackTiny   = 1e-9  // the weight of a bin that nothing speaks for
)

// A stackExpert knows how an expert erred.
type stackExpert struct {
	errors [stackSpan]float64 // past ones, in bins, from -beliefBins
	shape  [stackSpan]float64 // the distribution made of them, now and then
	n      float64
	due    float64 // the n at which the shape is made anew
	right  float64 // the sum of its shares in what came true
	prior  float64 // the sum of the prior's shares where it had an opinion
}

// reshape makes the distribution of the expert's next error. It is like past errors, and a normal one whose standard
// deviation is a factor of e counts as four of them.
func (e *stackExpert) reshape() {
	sum := 0.0
	for i := range e.shape {
		e.shape[i] = e.errors[i] + 4*normal(float64(i-beliefBins), 1) + stackTiny
		sum += e.shape[i]
	}
	for i := range e.shape {
		e.shape[i] /= sum
	}
	e.due = e.n + 1 + math.Floor(e.n/8)
}

// normal is the probability of the bin that is so many bins from the centre of a normal distribution.
func normal(bins, sd float64) float64 {
	z := bins * beliefStep / sd
	return beliefStep / sd / math.Sqrt(2*math.Pi) * math.Exp(-z*z/2)
}

// of returns how probable the expert finds a bin, after an opinion.
func (e *stackExpert) of(bin int, o Opinion) float64 {
	return e.shape[bin-beliefBin(o.Value)+beliefBins]
}

// weight returns the odds of the expert against the prior. Experts that agree do not take weight from each other.
func (e *stackExpert) weight() float64 { return (e.right + 0.5) / (e.prior + 1) }

// prior returns how probable a bin is before any opinion: as among all values, and two are added that are normal with a
// standard deviation of e^2.5.
func (s *Stack) prior(bin int) float64 {
	if s.total == 0 {
		return 1.0 / beliefBins
	}
	return (s.seen[bin] + 2*normal(float64(bin)-s.bins/s.total, 2.5) + stackTiny) / (s.total + 2)
}

// mix sets p to the mixture before it is sharpened, times any factor.
func (s *Stack) mix(opinions []Opinion, p *[beliefBins]float64) {
	for i := range p {
		p[i] = s.prior(i)
	}
	for _, o := range opinions {
		if e := s.expert(o.Expert); e != nil {
			w := e.weight()
			for i := range p {
				p[i] += w * e.of(i, o)
			}
		}
	}
}

// expert returns an expert, nil if there is no such.
func (s *Stack) expert(n int) *stackExpert {
	if n < 0 || n >= len(s.experts) {
		return nil
	}
	return &s.experts[n]
}

// Predict sets b to what is believed of the next value. The opinions are in any order. Without any b is the prior.
func (s *Stack) Predict(opinions []Opinion, b *Belief) {
	s.mix(opinions, &b.p)
	for i, p := range b.p {
		b.p[i] = math.Exp((1 + s.sharper) * math.Log(p))
	}
	b.known = true
	b.normalise()
}

// Observe learns the value that came true after the opinions. It returns an error and changes nothing if x is not above
// 0 and finite.
func (s *Stack) Observe(opinions []Opinion, x float64) error {
	if !(x > 0 && x <= math.MaxFloat64) {
		return fmt.Errorf("estimate: x is %v, must be above 0 and finite", x)
	}
	at := beliefBin(x)
	s.sharpen(opinions, at)
	prior := s.prior(at)
	all := prior
	for _, o := range opinions {
		if e := s.expert(o.Expert); e != nil {
			all += e.weight() * e.of(at, o)
		}
	}
	for _, o := range opinions {
		if e := s.expert(o.Expert); e != nil {
			e.right = stackForget*e.right + min(1, e.weight()*e.of(at, o)/all)
			e.prior = stackForget*e.prior + prior/all
			e.errors[at-beliefBin(o.Value)+beliefBins]++
			if e.n++; e.n >= e.due {
				e.reshape()
			}
		}
	}
	s.seen[at]++
	s.bins += float64(at)
	s.total++
	return nil
}

// sharpen moves γ along the gradient of log p(x), p being the sharpened mixture: ln q(x) - E_p[ln q], with the mixture
// q. A single surprise moves it no further than five nats do.
func (s *Stack) sharpen(opinions []Opinion, at int) {
	var q [beliefBins]float64
	s.mix(opinions, &q)
	sum, mean := 0.0, 0.0
	for _, x := range q {
		log := math.Log(x)
		p := math.Exp((1 + s.sharper) * log)
		sum += p
		mean += p * log
	}
	gradient := max(-5, min(5, math.Log(q[at])-mean/sum))
	s.gradients += gradient * gradient
	s.sharper = math.Min(3, math.Max(-0.75, s.sharper+0.3*gradient/math.Sqrt(s.gradients+100)))
}

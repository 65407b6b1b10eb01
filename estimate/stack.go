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
// estimates erred, and believes of the next value that it errs like that. The distributions of the experts that
// have an opinion are mixed with weights by how probable each has found what came true, and a prior of all
// values so far has weight 1. The mixture p is sharpened, or flattened, to p^γ, where γ follows the
// gradient of the logarithmic score. So an expert that errs much has a wide distribution and little weight, where many agree the
// belief is narrow, and where the opinions tell nothing it is that of all values.
//
// Ask Predict when a job is submitted, keep the opinions, and pass them to Observe when it has ended: those of
// jobs that end early would otherwise tell what those will say that end late. Make one with [NewStack]. It holds 4 kB for
// each expert, takes some 10 µs for twenty opinions, and does not allocate.
//
// # Source
//
// Y. Yao, A. Vehtari, D. Simpson and A. Gelman, "Using stacking to average Bayesian predictive distributions", Bayesian
// Analysis 13(3), 2018. We differ: weights come from the expectation-maximisation step of a mixture, taken value by value,
// since values come one by one and not every expert has an opinion each time; and γ is learnt too.
type Stack struct {
	experts   []stackExpert
	seen      [beliefBins]float64 // values so far
	total     float64
	sharper   float64 // γ - 1
	gradients float64 // sum of squares
}

// NewStack returns a stack that has seen nothing, of so many experts, 0 to 65,536.
func NewStack(experts int) (*Stack, error) {
	if experts < 0 || experts > 1<<16 {
		return nil, fmt.Errorf("estimate: number of experts is %d, must be 0 to %d", experts, 1<<16)
	}
	return &Stack{experts: make([]stackExpert, experts)}, nil
}

const (
	stackSpan   = 2*beliefBins + 1
	stackForget = 0.999 // of the weights, for each opinion
)

// A stackExpert knows how an expert erred.
type stackExpert struct {
	errors [stackSpan]float64 // past ones, in bins, from -beliefBins
	shape  [stackSpan]float64 // the distribution made of them, anew when due
	due    int
	n      float64
	right  float64 // the sum of its shares in what came true
	asked  float64 // how often it had an opinion
}

// distribution returns how the expert's next error is distributed: like past ones, with as much weight as four of them on a Laplace
// distribution and on all errors alike.
func (e *stackExpert) distribution() *[stackSpan]float64 {
	if e.due == 0 {
		sum := 0.0
		for i := range e.shape {
			off := math.Abs(float64(i-beliefBins)) * beliefStep
			e.shape[i] = e.errors[i] + beliefStep*math.Exp(-off/1.5) + 1.0/stackSpan
			sum += e.shape[i]
		}
		for i := range e.shape {
			e.shape[i] /= sum
		}
		e.due = 1 + int(e.n/8)
	}
	e.due--
	return &e.shape
}

// weight returns the odds that the expert is the one to be believed.
func (e *stackExpert) weight() float64 { return (e.right + 0.5) / (e.asked - e.right + 1) }

// mix sets p to the mixture before it is sharpened.
func (s *Stack) mix(opinions []Opinion, p *[beliefBins]float64) {
	weights := 1.0
	for i := range p {
		p[i] = (s.seen[i] + 2.0/beliefBins) / (s.total + 2)
	}
	for _, o := range opinions {
		e := s.expert(o.Expert)
		if e == nil {
			continue
		}
		at, shape, w := beliefBin(o.Value), e.distribution(), e.weight()
		inside := 0.0
		for i := range p {
			inside += shape[i-at+beliefBins]
		}
		for i := range p {
			p[i] += w * shape[i-at+beliefBins] / inside
		}
		weights += w
	}
	for i := range p {
		p[i] /= weights
	}
}

// expert returns an expert, nil if there is no such.
func (s *Stack) expert(n int) *stackExpert {
	if n < 0 || n >= len(s.experts) {
		return nil
	}
	return &s.experts[n]
}

// Predict sets b to what is believed of the next value.
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
	all := (s.seen[at] + 2.0/beliefBins) / (s.total + 2)
	share := func(e *stackExpert, o Opinion) float64 {
		return e.weight() * e.shape[at-beliefBin(o.Value)+beliefBins]
	}
	for _, o := range opinions {
		if e := s.expert(o.Expert); e != nil {
			all += share(e, o)
		}
	}
	for _, o := range opinions {
		e := s.expert(o.Expert)
		if e == nil {
			continue
		}
		right := min(1, share(e, o)/all)
		e.right = stackForget*e.right + right
		e.asked = stackForget*e.asked + 1
		e.errors[at-beliefBin(o.Value)+beliefBins]++
		e.n++
	}
	s.seen[at]++
	s.total++
	return nil
}

// sharpen moves γ along the gradient of log p(x), p being the sharpened mixture: ln q(x) - E_p[ln q], with the mixture q.
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
	gradient := math.Log(q[at]) - mean/sum
	s.gradients += gradient * gradient
	s.sharper = math.Min(3, math.Max(-0.75, s.sharper+0.3*gradient/math.Sqrt(s.gradients+100)))
}

package estimate

import (
	"fmt"
	"math"
)

// An Opinion is an expert's point estimate of a value.
type Opinion struct {
	Expert int     // 0 to the number of experts - 1; the opinions of others are ignored
	Value  float64 // above 0; anything else counts as the least value of a Belief
}

// A Stacking combines the point estimates of several experts into a calibrated distribution, by Bayesian stacking. It
// keeps the distribution of the errors of each expert's past estimates, in the logarithm, and assumes that the next
// estimate errs likewise. So each opinion becomes a distribution. These are mixed with a prior: the distribution of all
// values so far. The weight of an expert is the probability that it gave to past values, relative to the prior. The
// mixture p is then sharpened or flattened to p^γ, where γ follows the gradient of the logarithmic score. So an expert
// with large errors has a wide distribution and little weight, the result is narrow if many experts agree, and it is
// the prior if the opinions carry no information.
//
// Call Predict when a job is submitted, keep the opinions, and pass the same opinions to Observe when the job has ended.
// Do not ask the experts again at that time: they would have learnt from the jobs that ended early, and not from those
// that end late. The result is useful after about 30 values. Make one with [NewStacking]. It takes 4 kB for each expert
// and about 10 µs for twenty opinions, and does not allocate.
//
// # Source
//
// Y. Yao, A. Vehtari, D. Simpson and A. Gelman, "Using stacking to average Bayesian predictive distributions", Bayesian
// Analysis 13(3), 2018. We differ: values come one by one, and an expert may have no opinion. So a weight is the ratio of
// two sums, of the expert's and of the prior's share in the probability that the mixture gave to each value. And γ is
// learnt too.
type Stacking struct {
	experts   []*stackExpert      // nil until its first observation
	fresh     stackExpert         // the state of a new expert
	seen      [beliefBins]float64 // values so far
	total     float64
	bins      float64 // the sum of their bins
	longest   int     // the largest bin of a value that was not censored
	sharper   float64 // γ - 1
	gradients float64 // sum of squares
}

// NewStacking returns a Stacking of the given number of experts, 0 to 65,536, that has seen no value.
func NewStacking(experts int) (*Stacking, error) {
	if experts < 0 || experts > 1<<16 {
		return nil, fmt.Errorf("estimate: number of experts is %d, must be 0 to %d", experts, 1<<16)
	}
	s := &Stacking{experts: make([]*stackExpert, experts)}
	s.fresh.reshape()
	return s, nil
}

const (
	stackSpan   = 2*beliefBins + 1
	stackForget = 0.999 // decay of the weights, for each opinion
	stackTiny   = 1e-9  // least weight of a bin
)

// A stackExpert holds the past errors of an expert.
type stackExpert struct {
	errors [stackSpan]float64 // number of past errors by size, in bins from -beliefBins
	shape  [stackSpan]float64 // distribution of the next error, updated now and then
	sum    float64            // by which it was divided
	n      float64
	due    float64 // the n at which shape is updated
	right  float64 // sum of the expert's shares in the probability of past values
	prior  float64 // sum of the prior's shares, over the values on which the expert had an opinion
}

// reshape computes the distribution of the expert's next error: past errors, and a normal distribution whose standard
// deviation is a factor of e, which counts as four errors.
func (e *stackExpert) reshape() {
	e.sum = 0
	for i := range e.shape {
		e.shape[i] = e.errors[i] + 4*normal(float64(i-beliefBins), 1) + stackTiny
		e.sum += e.shape[i]
	}
	for i := range e.shape {
		e.shape[i] /= e.sum
	}
	e.due = e.n + 1 + math.Floor(e.n/8)
}

// normal returns the probability of the bin that is the given number of bins from the centre of a normal distribution.
func normal(bins, sd float64) float64 {
	z := bins * beliefStep / sd
	return beliefStep / sd / math.Sqrt(2*math.Pi) * math.Exp(-z*z/2)
}

// of returns the probability of a bin according to the expert's opinion o.
func (e *stackExpert) of(bin int, o Opinion) float64 {
	return e.shape[bin-beliefBin(o.Value)+beliefBins]
}

// weight returns the odds of the expert against the prior. They do not depend on other experts, so experts that agree do
// not share their weight.
func (e *stackExpert) weight() float64 { return (e.right + 0.5) / (e.prior + 1) }

// prior returns the probability of a bin before any opinion: its share of all values, and of two more values that are
// normal with a standard deviation of e^2.5.
func (s *Stacking) prior(bin int) float64 {
	if s.total == 0 {
		return 1.0 / beliefBins
	}
	return (s.seen[bin] + 2*normal(float64(bin)-s.bins/s.total, 2.5) + stackTiny) / (s.total + 2)
}

// mix sets p to the mixture before it is sharpened, not normalised.
func (s *Stacking) mix(opinions []Opinion, p *[beliefBins]float64) {
	for i := range p {
		p[i] = s.prior(i)
	}
	for _, o := range opinions {
		if e := s.expert(o.Expert); e != nil {
			w, shape := e.weight(), e.shape[beliefBins-beliefBin(o.Value):]
			for i := range p {
				p[i] += w * shape[i]
			}
		}
	}
}

// expert returns the expert with number n, or nil if there is none.
func (s *Stacking) expert(n int) *stackExpert {
	if n < 0 || n >= len(s.experts) {
		return nil
	}
	if e := s.experts[n]; e != nil {
		return e
	}
	return &s.fresh
}

// Predict sets b to the distribution of the next value. The opinions may come in any order. Without opinions, b is the
// prior.
func (s *Stacking) Predict(opinions []Opinion, b *Belief) {
	s.mix(opinions, &b.p)
	b.limited = false
	for i, p := range b.p {
		b.p[i] = math.Exp((1 + s.sharper) * math.Log(p))
	}
	b.normalise()
}

// Observe learns that the actual value was x, when the experts had these opinions. If x is not above 0 and finite, it
// returns an error and leaves s unchanged.
func (s *Stacking) Observe(opinions []Opinion, x float64) error {
	if err := checkPositive("x", x); err != nil {
		return err
	}
	at := beliefBin(x)
	s.sharpen(opinions, at)
	var share [beliefBins]float64
	share[at] = 1
	s.learn(opinions, at, at+1, &share)
	s.longest = max(s.longest, at)
	return nil
}

// learn learns that a value was in the bins from one to before another, and with what probability in each. The experts are
// scored by the probability that they gave to all these bins.
func (s *Stacking) learn(opinions []Opinion, from, to int, share *[beliefBins]float64) {
	within := func(of func(bin int) float64) (sum float64) {
		for bin := from; bin < to; bin++ {
			sum += of(bin)
		}
		return sum
	}
	odds := func(e *stackExpert, o Opinion) float64 {
		return e.weight() * within(func(bin int) float64 { return e.of(bin, o) })
	}
	prior := within(s.prior)
	all := prior
	for _, o := range opinions {
		if e := s.expert(o.Expert); e != nil {
			all += odds(e, o)
		}
	}
	for _, o := range opinions {
		if e := s.expert(o.Expert); e != nil {
			if e == &s.fresh {
				e = new(stackExpert)
				*e = s.fresh
				s.experts[o.Expert] = e
			}
			e.right = stackForget*e.right + min(1, odds(e, o)/all)
			e.prior = stackForget*e.prior + prior/all
			for bin := from; bin < to; bin++ {
				e.errors[bin-beliefBin(o.Value)+beliefBins] += share[bin]
			}
			if e.n++; e.n >= e.due {
				e.reshape()
			}
		}
	}
	for bin := from; bin < to; bin++ {
		s.seen[bin] += share[bin]
		s.bins += float64(bin) * share[bin]
	}
	s.total++
}

// ObserveCensored learns that the actual value was more than x, as of a task that failed or was stopped after x. The value
// counts in the bins above x, in proportion to the probability that Predict gives them, up to 2·x or the largest value that
// was not censored: where there is nothing but failures, Predict knows no bound. If x is not above 0 and finite, it returns
// an error and leaves s unchanged.
//
// # Source
//
// B. Efron, "The two sample problem with censored data", Fifth Berkeley Symposium on Mathematical Statistics and
// Probability, volume 4, 1967: a censored value is redistributed to the right.
func (s *Stacking) ObserveCensored(opinions []Opinion, x float64) error {
	if err := checkPositive("x", x); err != nil {
		return err
	}
	above := min(beliefBin(x)+1, beliefBins-1)
	var b Belief
	s.Predict(opinions, &b)
	clear(b.p[:above])
	clear(b.p[max(above, s.longest, beliefBin(2*x))+1:])
	b.normalise() // Predict gives no bin 0
	s.learn(opinions, above, beliefBins, &b.p)
	return nil
}

// sharpen moves γ along the gradient of log p(x), p being the sharpened mixture: ln q(x) - E_p[ln q], with the mixture
// q. A single surprise moves it no further than five nats do.
func (s *Stacking) sharpen(opinions []Opinion, at int) {
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

package estimate

import (
	"iter"
	"math"
)

// A Distribution is a distribution of runtimes, such as a histogram or one of gonum's, or of a mean runtime,
// such as a Belief. CDF(x) is the probability of at most x, and Quantile(p) is the least x with CDF(x) ≥ p. Three
// optional methods are used if present: All() iter.Seq2[float64, float64], which yields the values and their weights;
// SurvivalIntegral(a, b float64) float64, the integral of 1 - CDF from a to b; and Mean() float64.
type Distribution interface {
	CDF(x float64) float64
	Quantile(p float64) float64
}

// Gittins ranks jobs of like tasks by the Gittins index: the job with the least rank goes first. The zero Gittins
// ranks jobs of one task each.
//
// Take a job of one task that has been served for e, and whose runtime T has some distribution. Its rank is
//
//	inf over θ > e of  E[min(T, θ) - e | T > e] / P(T ≤ θ | T > e)
//
// This is the least mean service for each completion, over all instants θ at which the server may give up. The Gittins
// index is its reciprocal. On one server that may preempt, with Poisson arrivals, no order by past service alone has a
// lower mean completion time. Known orders are special cases. The rank of a known runtime is the time that remains, as
// for SRPT. With a falling hazard rate h it is 1/h(e), so the least attained service goes first. With a rising hazard
// rate it is the mean time that remains.
//
// For a job of n tasks with an unknown mean runtime T, the same for all of them, one of them runs first as a pilot. It
// reveals T, so the other tasks run only if T is at most θ. If the pilot has been served for e, the rank is
//
//	inf over θ > e of  ( E[min(T, θ) - e | T > e] + (n-1)·E[T; T ≤ θ | T > e] ) / P(T ≤ θ | T > e)
//
// in the unit of T, where E[X; A] is the mean of X where A holds and of 0 elsewhere. Multiply it by the cores of a task if
// jobs differ in that. The rank of c·T is c times that of T.
//
// If Nonpreemptive is set, a pilot that has started runs to its end: E[T - e | T > e] takes the place of
// E[min(T, θ) - e | T > e]. The rank of a new job of one task is then its mean.
//
// When the pilot has finished, T is known better: update it by [Belief.Observe]. The other tasks then rank by their mean.
//
// # Source
//
// S. Aalto, U. Ayesta and R. Righter, "On the Gittins index in the M/G/1 queue", Queueing Systems 63, 2009, for one
// task. The term for pilots is this library's own.
type Gittins struct {
	Tasks int // n; less than 1 means 1
	// Nonpreemptive: a task that has started is not stopped.
	Nonpreemptive bool
}

// Rank returns the rank after a service of e ≥ 0, and NaN if d has no mass above e. It is exact for a [Belief], and correct
// to about ten digits for a histogram. If d has neither All nor SurvivalIntegral, the rank is within 2 % unless the best θ
// has P(T ≤ θ | T > e) below 1/1024; if Nonpreemptive is set, the mean then omits the mass beyond the quantile of 1023/1024,
// unless d has a Mean, and e is 0 or no mass is up to e. Rank calls CDF or SurvivalIntegral twice for each value or bin, or
// CDF and Quantile about 800 times. It does not allocate.
func (g Gittins) Rank(d Distribution, e float64) float64 {
	if b, ok := d.(*Belief); ok {
		return g.discrete(beliefValues[:], b.weights()[:], e)
	}
	below := d.CDF(e)
	if !(below < 1 && e >= 0) {
		return math.NaN()
	}
	if x := d.Quantile(0); x == d.Quantile(1) { // nothing to learn
		return float64(max(1, g.Tasks))*x - e
	}
	r := ranking{g: g, d: d, e: e, above: 1 - below, best: math.Inf(1)}
	r.integral, _ = d.(interface {
		SurvivalIntegral(a, b float64) float64
	})
	if mean, ok := d.(interface{ Mean() float64 }); ok && (e == 0 || below == 0) {
		r.total = (mean.Mean() - e) / r.above
	}
	switch all, ok := d.(interface {
		All() iter.Seq2[float64, float64]
	}); {
	case ok && r.integral != nil:
		r.values(all.All())
	default:
		r.quantiles()
	}
	return r.best
}

// discrete returns the rank of a discrete distribution: values in increasing order, each with a weight of at least 0. It
// is exact, and NaN if no weight is above e.
func (g Gittins) discrete(values, weights []float64, e float64) float64 {
	others := float64(max(1, g.Tasks) - 1)
	left, first := 0.0, len(values)
	for ; first > 0 && values[first-1] > e; first-- {
		left += weights[first-1]
	}
	if !(left > 0) {
		return math.NaN()
	}
	total := 0.0
	if g.Nonpreemptive {
		for i := first; i < len(values); i++ {
			total += weights[i] * (values[i] - e)
		}
	}
	best, stopped, served, whole := math.Inf(1), 0.0, 0.0, 0.0
	for i := first; i < len(values); i++ {
		x, w := values[i], weights[i]
		stopped += w
		served += w * (x - e)
		whole += w * x
		if i+1 < len(values) && values[i+1] == x {
			continue
		}
		pilots := total
		if !g.Nonpreemptive {
			pilots = served + max(0, left-stopped)*(x-e)
		}
		cost := pilots + others*whole // which grows with x
		if cost < best*stopped {
			best = cost / stopped
		}
		if cost >= best*left { // no later stop is better, even if it were certain
			break
		}
	}
	return best
}

// A ranking looks for the best stop.
type ranking struct {
	g        Gittins
	d        Distribution
	integral interface {
		SurvivalIntegral(a, b float64) float64
	}
	e, above   float64 // the service so far, and P(T > e)
	total      float64 // E[T - e | T > e], if known; at last if pilots run to their end
	best, at   float64 // the least ratio so far, and its θ
	from, upTo float64 // the stops on either side of it
}

// try updates the best stop with the stop θ, given served = E[min(T, θ) - e | T > e].
func (r *ranking) try(theta, served float64) float64 {
	left := (1 - r.d.CDF(theta)) / r.above
	if !(1-left > 0) {
		return math.Inf(1)
	}
	whole := r.e + served - theta*left // E[T; T ≤ θ]
	pilots := served
	if r.g.Nonpreemptive {
		pilots = r.total
	}
	return (pilots + float64(max(1, r.g.Tasks)-1)*whole) / (1 - left)
}

// served returns E[min(T, θ) - e | T > e], which the bins of a histogram may put above E[T - e | T > e].
func (r *ranking) served(theta float64) float64 {
	served := r.integral.SurvivalIntegral(r.e, theta) / r.above
	if r.total > 0 {
		served = min(served, r.total)
	}
	return served
}

// values tries the values of a distribution. Since a bin may stand for more than one value, it then tries stops near the
// best one.
func (r *ranking) values(all iter.Seq2[float64, float64]) {
	at := func(theta float64) float64 { return r.try(theta, r.served(theta)) }
	if r.total == 0 {
		r.total = r.served(r.d.Quantile(1))
	}
	last := r.e
	look := func(theta float64) {
		if r.at == last && r.upTo == 0 {
			r.upTo = theta
		}
		if ratio := at(theta); ratio < r.best {
			r.best, r.at, r.from, r.upTo = ratio, theta, last, 0
		}
		last = theta
	}
	for x := range all {
		if x > r.e {
			look(x)
		}
	}
	if end := r.d.Quantile(1); end > last && !math.IsInf(end, 1) {
		look(end)
	}
	for _, side := range [2][2]float64{{r.from, r.at}, {r.at, r.upTo}} {
		a, b := side[0], side[1]
		if !(a < b) || r.d.CDF(a+(b-a)/2) == r.d.CDF(a) {
			continue // nothing lies between
		}
		const golden = 0.6180339887498949
		x, y := b-golden*(b-a), a+golden*(b-a)
		fx, fy := at(x), at(y)
		for range 60 {
			if fx <= fy {
				b, y, fy = y, x, fx
				x = b - golden*(b-a)
				fx = at(x)
			} else {
				a, x, fx = x, y, fy
				y = a + golden*(b-a)
				fy = at(y)
			}
		}
		r.best = min(r.best, fx, fy)
	}
}

// quantiles tries quantiles of T, given T > e, that lie closer to each other towards either end.
func (r *ranking) quantiles() {
	if r.total == 0 && r.g.Nonpreemptive {
		total := 0.0
		r.each(func(_, served float64) { total = served })
		r.total = total
	}
	r.each(func(theta, served float64) { r.best = min(r.best, r.try(theta, served)) })
}

// each calls f with each of these quantiles θ and E[min(T, θ) - e | T > e]. Between two of them P(T > t) is at most that
// at the first, and above what is left of the second.
func (r *ranking) each(f func(theta, served float64)) {
	const ratio, ends = 1.03, 1.0 / 1024
	last, left, served := r.e, 1.0, 0.0
	look := func(p float64) {
		theta := r.d.Quantile(1 - (1-p)*r.above)
		if !(theta > last) {
			return
		}
		if r.integral != nil {
			served = r.served(theta)
		} else {
			served += (left + 1 - p) / 2 * (theta - last)
		}
		f(theta, served)
		last, left = theta, (1-r.d.CDF(theta))/r.above
	}
	for p := ends; p < 0.5; p *= ratio {
		look(p)
	}
	for q := 0.5; q > ends; q /= ratio {
		look(1 - q)
	}
}

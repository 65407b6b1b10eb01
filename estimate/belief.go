package estimate

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"example.com/augur/internal/saturate"
)

const (
	beliefBins  = 128
	beliefLeast = 1e-4 // the centre of the first bin
	beliefMost  = 1e9  // the centre of the last bin
)

var (
	beliefStep   = math.Log(beliefMost/beliefLeast) / (beliefBins - 1)
	beliefValues = func() (values [beliefBins]float64) {
		for i := range values {
			values[i] = beliefLeast * math.Exp(float64(i)*beliefStep)
		}
		return values
	}()
)

// A Belief is a distribution of a positive value whose order of magnitude may be unknown, such as the mean runtime of a
// job's tasks in seconds. It has a probability for each of 128 bins, which are spaced evenly in the logarithm of the
// value from 1e-4 to 1e9. Neighbouring bins differ by a factor of 1.27. A value beyond either end counts as that end. In
// the zero Belief all bins are equally probable, so its Mean, 4e7, means nothing.
//
// A Belief takes 1 kB. Its methods do not allocate.
type Belief struct {
	p     [beliefBins]float64
	total float64 // their sum, 1 up to rounding; 0 if all are equal and not yet set

	limited bool
}

// beliefBin returns the bin of x.
func beliefBin(x float64) int {
	if !(x > beliefLeast) {
		return 0
	}
	return saturate.To[int](math.Min(beliefBins-1, math.Round(math.Log(x/beliefLeast)/beliefStep)))
}

// weights returns the probabilities.
func (b *Belief) weights() *[beliefBins]float64 {
	if b.total == 0 {
		for i := range b.p {
			b.p[i] = 1.0 / beliefBins
		}
		b.total = 1
	}
	return &b.p
}

// All yields the centre and the probability of each bin. b must not change meanwhile.
func (b *Belief) All() iter.Seq2[float64, float64] {
	return func(yield func(value, probability float64) bool) {
		for i, p := range b.weights() {
			if !yield(beliefValues[i], p) {
				return
			}
		}
	}
}

// Mean returns the mean.
func (b *Belief) Mean() float64 {
	mean := 0.0
	for i, p := range b.weights() {
		mean += p * beliefValues[i]
	}
	return mean
}

// RootMean returns E[√X]², the power mean with exponent 1/2. It depends less than the mean on the largest possible
// values.
func (b *Belief) RootMean() float64 {
	root, weight := 0.0, 0.0
	for i, p := range b.weights() {
		root += p * math.Sqrt(beliefValues[i])
		weight += p
	}
	return (root / weight) * (root / weight)
}

// CDF returns the probability of the bins with a centre of at most x, NaN for NaN.
func (b *Belief) CDF(x float64) float64 {
	if math.IsNaN(x) {
		return math.NaN()
	}
	sum := 0.0
	for i, p := range b.weights() {
		if beliefValues[i] > x {
			return sum / b.total
		}
		sum += p
	}
	return 1
}

// Survival returns 1 - CDF: the probability of the bins with a centre above x, NaN for NaN.
func (b *Belief) Survival(x float64) float64 { return 1 - b.CDF(x) }

// SurvivalIntegral returns the integral of Survival from x to y: the mean over the bins of the length of [x, y] that is
// below the bin's centre. It is negative if y < x, and NaN if x or y is NaN. It takes time in proportion to the bins.
func (b *Belief) SurvivalIntegral(x, y float64) float64 {
	switch {
	case math.IsNaN(x) || math.IsNaN(y):
		return math.NaN()
	case y < x:
		return -b.SurvivalIntegral(y, x)
	case x == y:
		return 0
	}
	sum := 0.0
	for i, p := range b.weights() {
		if v := beliefValues[i]; v > x && p > 0 {
			sum += p * (min(v, y) - x)
		}
	}
	return sum
}

// Quantile returns the least centre with a CDF of at least p, NaN for a p outside [0, 1].
func (b *Belief) Quantile(p float64) float64 {
	if !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	sum := 0.0
	for i, q := range b.weights() {
		if sum += q; sum/b.total >= p && q > 0 {
			return beliefValues[i]
		}
	}
	return beliefValues[beliefBins-1]
}

// ObserveCensored updates b with a censored measurement: only a lower bound x is known, as if a task has run for x
// and still runs. The logarithm of the measurement has a normal error with standard deviation sd. A likelihood below
// 1e-12 counts as 1e-12. If x or sd is not positive and finite, it returns an error and leaves b unchanged. Do not also
// pass the service of such a task to [Gittins.Rank]: that would count it twice.
func (b *Belief) ObserveCensored(x, sd float64) error {
	if err := measurement(x, sd); err != nil {
		return err
	}
	p := b.weights()
	for i := range p {
		switch z := math.Log(beliefValues[i]/x) / sd; {
		case z < -7.1: // of erfc less than 1e-12 is left
			p[i] *= 1e-12
		case z < 8.3: // beyond it is 1 to the last bit
			p[i] *= max(math.Erfc(-z/math.Sqrt2)/2, 1e-12)
		}
	}
	b.normalise()
	return nil
}

// measurement returns an error if a measurement is not allowed.
func measurement(x, sd float64) error {
	return errors.Join(checkPositive("x", x), checkPositive("sd", sd))
}

// Observe updates b with a measurement x of the value. The natural logarithm of x has a normal error with standard
// deviation sd: 0.3 if x is off by about a third. An x beyond either end of the bins counts as that end. If x or sd is
// not positive and finite, it returns an error and leaves b unchanged.
func (b *Belief) Observe(x, sd float64) error {
	if err := measurement(x, sd); err != nil {
		return err
	}
	sd = math.Hypot(sd, beliefStep/2) // a bin is that wide
	p := b.weights()
	at := math.Log(min(max(x, beliefLeast), beliefMost)/beliefLeast) / beliefStep
	nearest := math.Inf(1) // the smallest exponent, taken out so that not all underflow
	for i, q := range p {
		if q > 0 {
			z := (float64(i) - at) * beliefStep / sd
			nearest = min(nearest, z*z/2)
		}
	}
	for i := range p {
		z := (float64(i) - at) * beliefStep / sd
		p[i] *= math.Exp(nearest - z*z/2)
	}
	b.normalise()
	return nil
}

// Limit cuts b off at x: the probability of more than x, by a bin or more, becomes at most p. If x is not positive and finite,
// or p not in [0, 1], it returns an error and leaves b unchanged. A Belief that has no probability below x is as unknown below x as
// the zero Belief.
func (b *Belief) Limit(x, p float64) error {
	if err := checkPositive("x", x); err != nil {
		return err
	}
	if !(p >= 0 && p <= 1) {
		return fmt.Errorf("estimate: probability beyond a limit is %v, want 0 to 1", p)
	}
	weights, last := b.weights(), beliefBin(x)
	below := 0.0
	for _, q := range weights[:last+1] {
		below += q
	}
	b.limited = b.limited || p <= keeps
	switch above := b.total - below; {
	case above <= p*b.total:
		return nil
	case below == 0:
		for i := range weights[:last+1] {
			weights[i] = (1 - p) / float64(last+1)
		}
		below = 1 - p
		fallthrough
	default:
		for i := last + 1; i < beliefBins; i++ {
			weights[i] *= p / (1 - p) * below / above
		}
	}
	b.normalise()
	return nil
}

// keeps is the largest probability beyond a limit with which it counts as kept.
const keeps = 0.05

// Limited reports whether [Belief.Limit] was called with a p of at most 0.05, whether or not there was more than that to cut off.
// Then the longest values possible matter little for the Mean.
func (b *Belief) Limited() bool { return b.limited }

// normalise makes the probabilities add up to 1. One of them must be above 0.
func (b *Belief) normalise() {
	sum := 0.0
	for _, q := range b.p {
		sum += q
	}
	b.total = 0
	for i := range b.p {
		b.p[i] /= sum
		b.total += b.p[i]
	}
}

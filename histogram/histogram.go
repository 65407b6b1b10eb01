// Package histogram keeps the distribution of a stream of numbers in constant memory. Most callers make a [Histogram] with
// [New], add values with [Histogram.Add], and ask for [Histogram.CDF], [Histogram.Quantile] or [Histogram.Mean]:
//
//	h, err := histogram.New(histogram.Config{})
//	...
//	err = h.Add(x)
//	median, late := h.Quantile(0.5), h.Survival(60)
//
// A [Histogram] holds at most a given number of bins, each a centre and a count. A new value
// becomes a bin of its own; when there are too many, two neighbours with centres c₀ and c₁ and
// counts n₀ and n₁ are joined into one at their weighted mean,
//
//	(c₀·n₀ + c₁·n₁) / (n₀ + n₁)
//
// So the bins follow the data: no range or width is chosen beforehand, and two histograms can
// be merged.
//
// # What the bins mean
//
// The histogram is exact as long as there are no more distinct values than bins. Each bin then
// holds one value and its count, CDF is a staircase, and Quantile(p) is the least value x with
// CDF(x) ≥ p: the median of 1, 2, 3 is 2.
//
// A joined bin stands for values on both sides of its centre. Half of its count lies between
// the centre and the next bin (or the minimum or maximum) on either side, and the density is
// linear between two centres: these are the trapezoids of the paper. Less than half lies towards a
// minimum or maximum that is far away, so that the mean of the bin stays its centre: such an end may
// have been seen once, or have faded since. The same holds towards a bin above that has faded. A bin of a single value
// keeps its whole count at that value, even among joined bins. So a value that many jobs share,
// such as a time limit, stays a step, where the paper's trapezoids would smear it. If two
// neighbours have centres c₀ and c₁ and the joined counts n₀ and n₁, the mass between c₀ and x is
//
//	n₀·t + (n₁-n₀)·t²/2    with t = (x-c₀)/(c₁-c₀)
//
// CDF adds up this mass, Quantile solves for t, and SurvivalIntegral integrates in closed form.
//
// Count, Mean, Variance, Min and Max do not depend on the bins. They are those of the values
// added, up to rounding.
//
// # Which bins to join
//
// It joins the pair of neighbours whose cost is least, the leftmost of equal ones. The cost is the distance of the
// logarithms of the two centres times the joint count. The paper takes the distance of the centres instead: if a few
// runtimes are a thousand times as long as most, that leaves bins of equal width, with most values in one of them. With
// 80 bins the error of CDF is at most about 0.01 on runtimes of all kinds, and comes mostly from small whole numbers that
// many values share. The bins are finest around 0, on both sides.
//
// # When not to use it
//
// Use a sketch with a guarantee if every quantile needs a bounded relative error: the errors here are measured, not
// bounded. Fill a [Table] if thousands of queries go to one distribution. For exponential decay see [Histogram.Scale].
//
// # Cost
//
// Adding a value and asking for a quantile take O(Bins) time in the worst case and do not allocate
// once all bins are in use. A histogram takes 80 bytes and 16 more for each bin in use: 1.4 kB for
// 80 bins.
//
// # Source
//
// Y. Ben-Haim and E. Tom-Tov, "A streaming parallel decision tree algorithm", Journal of Machine
// Learning Research 11, 2010: Add is its update procedure (Algorithm 1), Merge its merge (2), CDF
// its sum (3) and Quantile its uniform (4). We differ in two ways: the rule for joining, and that a bin of a single
// value keeps its count at that value.
package histogram

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
)

// Config describes a histogram. The zero Config is fine.
type Config struct {
	Bins int // most bins to keep, 1 to 65535; 0 means 80
}

const (
	defaultBins = 80
	maxBins     = 1<<16 - 1
)

// A Histogram is the distribution of the values added to it, with a bounded number of bins.
// Make it with [New]; the zero Histogram behaves like one made with the zero [Config]. It takes
// memory only for the bins in use.
//
// Do not copy a histogram: a copy shares the bins of the first. Merge it into an empty one instead. To keep it, take
// [Histogram.MarshalBinary], as encoding/gob does; encoding/json would keep nothing.
//
// Any number of goroutines may read a histogram at once; one that changes it must be alone. If
// a histogram is empty, Count is 0, and CDF, Quantile, Mean and the other numbers are NaN.
type Histogram struct {
	bins []bin // centres increase strictly
	moments
	limit int     // bins at most; 0 in a zero Histogram
	least float64 // a lower bound of the cost of joining any neighbours
}

// A bin has a centre and a count. The count of a joined bin is negative, which tells it from a bin of a single value.
type bin struct{ centre, count float64 }

func (b bin) joined() bool { return b.count < 0 }

// n returns the count.
func (b bin) n() float64 { return math.Abs(b.count) }

// New returns an empty histogram. It returns an error if Bins is out of range.
func New(c Config) (*Histogram, error) {
	if c.Bins < 0 || c.Bins > maxBins {
		return nil, fmt.Errorf("histogram: Bins is %d, must be 1 to %d, or 0 for %d", c.Bins, maxBins, defaultBins)
	}
	return &Histogram{limit: c.Bins}, nil
}

// Config returns the configuration of h, with defaults filled in.
func (h *Histogram) Config() Config { return Config{Bins: cmp.Or(h.limit, defaultBins)} }

// Add adds a value. It is AddN(x, 1).
func (h *Histogram) Add(x float64) error { return h.AddN(x, 1) }

// AddN adds the value x with weight n, as if x had been added n times; n need not be an integer.
// If x is the centre of a bin, it goes into that bin. If x is not finite, or n is not positive
// and finite, AddN returns an error and leaves h unchanged. It takes O(Bins) time, and allocates only
// to make room for another bin.
func (h *Histogram) AddN(x, n float64) error {
	if x-x != 0 {
		return fmt.Errorf("histogram: value is %v, must be finite: drop it or replace it", x)
	}
	if !(n > 0 && h.count+n <= math.MaxFloat64) {
		return fmt.Errorf("histogram: weight is %v on top of %v, want it and the sum positive and finite; see Scale for weights that grow", n, h.count)
	}
	x += 0 // -0 is 0
	h.moments.addValue(x, n)
	if b := (bin{x, n}); !h.absorb(b) {
		h.put(b)
		h.reduce()
	}
	return nil
}

// Merge adds the values of o to h and leaves o unchanged. h keeps its own number of bins: Merge puts the bins of both
// together and joins them until few enough are left. If there are no more distinct values than bins, the result is the
// same as adding the values one by one; otherwise the bins depend a little on the order of merging. A nil o adds
// nothing. Merge takes O(Bins²) time, or O(Bins) if h is empty. If the sum of the weights would be infinite, it returns
// an error and leaves h unchanged.
func (h *Histogram) Merge(o *Histogram) error {
	if o == nil || o.count == 0 {
		return nil
	}
	if !(h.count+o.count <= math.MaxFloat64) {
		return fmt.Errorf("histogram: the weights %v and %v have no finite sum; see Scale for weights that grow", h.count, o.count)
	}
	if len(h.bins) == 0 && len(o.bins) <= h.Config().Bins {
		h.bins = append(h.bins, o.bins...)
	} else {
		for _, b := range o.bins { // which do not move if o is h
			h.put(b)
		}
		h.reduce()
	}
	h.moments.add(o.moments)
	return nil
}

// Scale multiplies all counts by a factor: with 0.5, past values count half. Mean, Variance, Min,
// Max and CDF change by rounding only, unless Variance overflows. If the factor is negative or not
// finite, or makes a count infinite, Scale returns an error and leaves h unchanged. It drops
// bins whose count underflows to 0. If Count falls below 2^-1022, where the bins have lost
// most of their digits, it empties h like [Histogram.Reset]: so does the factor 0.
//
// For exponential decay with half-life τ, choose a reference time t0, and add a value of time t
// with weight 2^((t-t0)/τ). When that weight gets large, past 2^20 for example, scale by its
// inverse and move t0 to t. A value of time t0 counts 1. After more than 1,023 half-lives the weight
// is infinite and its inverse 0, and Scale empties h.
func (h *Histogram) Scale(factor float64) error {
	if !(factor >= 0 && h.count*factor <= math.MaxFloat64) {
		return fmt.Errorf("histogram: factor is %v for a weight of %v, want it and the product finite and not negative", factor, h.count)
	}
	if !(h.count*factor >= 0x1p-1022) {
		h.Reset()
		return nil
	}
	for i := range h.bins {
		h.bins[i].count *= factor
	}
	h.bins = slices.DeleteFunc(h.bins, func(b bin) bool { return b.count == 0 })
	h.moments.scale(factor)
	h.least = 0
	return nil
}

// Reset empties h and keeps its memory for reuse.
func (h *Histogram) Reset() {
	*h = Histogram{bins: h.bins[:0], limit: h.limit}
}

// Count returns the sum of the weights of all values. If all were added by Add, that is their number.
func (h *Histogram) Count() float64 { return h.count }

// Mean returns the mean of the values.
func (h *Histogram) Mean() float64 { return h.orNaN(h.moments.mean()) }

// Variance returns the population variance of the values: the sum of squared distances from the
// mean, divided by Count and not by Count-1. It is +Inf if that sum is too large for a float64.
func (h *Histogram) Variance() float64 { return h.orNaN(h.moments.variance()) }

// Min returns the least of all values added.
func (h *Histogram) Min() float64 { return h.orNaN(h.min) }

// Max returns the greatest of all values added.
func (h *Histogram) Max() float64 { return h.orNaN(h.max) }

func (h *Histogram) orNaN(x float64) float64 {
	if h.count == 0 {
		return math.NaN()
	}
	return x
}

// All yields the centre and the count of each bin, centres increasing. h must not change
// meanwhile.
func (h *Histogram) All() iter.Seq2[float64, float64] {
	return func(yield func(centre, count float64) bool) {
		for _, b := range h.bins {
			if !yield(b.centre, b.n()) {
				return
			}
		}
	}
}

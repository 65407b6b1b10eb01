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
// The paper joins the two closest bins ([JoinGap]). If a few runtimes are a thousand times as long as most, this
// leaves bins of equal width, with most values in one of them. The default ([JoinLogMass]) therefore joins the pair
// with the least product of distance of the logarithms and joint count. With 80 bins the error of CDF is then at most
// about 0.01 on runtimes of all kinds, and comes mostly from small whole numbers that many values share. Its bins are
// finest around 0, on both sides. Use JoinGap if 0 is nothing special, as with temperatures, or if values are spread
// evenly over a range.
//
// # When not to use it
//
// Use Sample of package estimate, which is exact, if there are few values or all fit in memory. Use a
// sketch with a guarantee if every quantile needs a bounded relative error: the errors here are
// measured, not bounded. Fill a [Table] if thousands of queries go to one distribution. For
// exponential decay see [Histogram.Scale].
//
// # Cost
//
// Adding a value and asking for a quantile take O(Bins) time in the worst case and do not allocate
// once all bins are in use. A histogram takes 88 bytes and 16 more for each bin in use: 1.4 kB for
// 80 bins.
//
// # Source
//
// Y. Ben-Haim and E. Tom-Tov, "A streaming parallel decision tree algorithm", Journal of Machine
// Learning Research 11, 2010: Add is its update procedure (Algorithm 1), Merge its merge (2), CDF
// its sum (3) and Quantile its uniform (4). We differ in two ways: the rule for joining is a choice
// ([Join]), and a bin of a single value keeps its count at that value.
package histogram

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math"
)

// Config describes a histogram. The zero Config is fine.
type Config struct {
	Bins int  // most bins to keep, 1 to 65535; 0 means 80
	Join Join // which bins to join when there would be more
}

const (
	defaultBins = 80
	maxBins     = 1<<16 - 1
)

func (c Config) withDefaults() (Config, error) {
	if c.Bins < 0 || c.Bins > maxBins {
		return c, fmt.Errorf("histogram: Bins is %d, must be 1 to %d, or 0 for %d", c.Bins, maxBins, defaultBins)
	}
	if c.Join > JoinGap {
		return c, fmt.Errorf("histogram: Join is %v, must be JoinLogMass or JoinGap", c.Join)
	}
	c.Bins = cmp.Or(c.Bins, defaultBins)
	return c, nil
}

var (
	errValue  = errors.New("histogram: value is not finite; want one that is, so drop it or replace it")
	errWeight = errors.New("histogram: weight, or the sum of all weights, is not positive and finite; see Scale for weights that grow")
)

// A Histogram is the distribution of the values added to it, with a bounded number of bins.
// Make it with [New]; the zero Histogram behaves like one made with the zero [Config]. It takes
// memory only for the bins in use.
//
// Any number of goroutines may read a histogram at once; one that changes it must be alone. If
// a histogram is empty, Count and Len are 0, and CDF, Quantile, Mean and the other numbers are NaN.
type Histogram struct {
	// bins holds the centres, which increase strictly. The counts are in the upper half of
	// its capacity. The count of a joined bin is stored as a negative number, which tells it
	// from a bin of a single value.
	bins []float64

	moments
	least float64 // a lower bound of the cost of joining any neighbours; -1 while not full
	limit uint16  // bins at most; 0 in a zero Histogram
	join  Join
}

// New returns an empty histogram. The error names the field that is outside its range.
func New(c Config) (*Histogram, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Histogram{limit: uint16(c.Bins), join: c.Join, least: -1}, nil
}

// Config returns the configuration of h, with defaults filled in.
func (h *Histogram) Config() Config {
	c, _ := Config{Bins: int(h.limit), Join: h.join}.withDefaults()
	return c
}

// Add adds a value. It is AddN(x, 1).
func (h *Histogram) Add(x float64) error { return h.AddN(x, 1) }

// init makes a zero Histogram one with the defaults.
func (h *Histogram) init() {
	if h.limit == 0 {
		h.limit, h.least = defaultBins, -1
	}
}

// Merge adds the values of o to h and leaves o unchanged. h keeps its own number of bins and
// join rule. Merge puts the bins of both together and joins them until few enough are left. If
// there are no more distinct values than bins, the result is the same as adding the values one
// by one; otherwise the bins depend a little on the order of merging. A nil o adds nothing.
// Merge takes O(Bins²) time. If the sum of the weights would be infinite, it returns an error
// and leaves h unchanged.
func (h *Histogram) Merge(o *Histogram) error {
	if o == nil || o.count == 0 {
		return nil
	}
	if !(h.count+o.count <= math.MaxFloat64) {
		return errWeight
	}
	h.init()
	h.mergeBins(o)
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
		return fmt.Errorf("%w: the factor is %v", errWeight, factor)
	}
	centres, counts := h.arrays()
	kept := 0
	for i := range counts {
		if n := counts[i] * factor; n != 0 {
			centres[kept], counts[kept] = centres[i], n
			kept++
		}
	}
	if !(h.count*factor >= 0x1p-1022) {
		h.Reset()
		return nil
	}
	h.moments.scale(factor)
	h.resize(kept)
	return nil
}

// Reset empties h and keeps its memory for reuse.
func (h *Histogram) Reset() {
	*h = Histogram{bins: h.bins[:0], limit: h.limit, join: h.join, least: -1}
}

// Count returns the sum of the weights of all values. If all were added by Add, that is their number.
func (h *Histogram) Count() float64 { return h.count }

// Len returns the number of bins in use.
func (h *Histogram) Len() int { return len(h.bins) }

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
		centres, counts := h.arrays()
		for i, c := range centres {
			if !yield(c, math.Abs(counts[i])) {
				return
			}
		}
	}
}

// arrays returns the centres and the counts of the bins in use. The counts of joined bins are
// negative.
func (h *Histogram) arrays() (centres, counts []float64) {
	room := cap(h.bins) / 2
	return h.bins, h.bins[room : room+len(h.bins)]
}

// resize sets the number of bins in use. There must be room for them.
func (h *Histogram) resize(n int) {
	h.bins = h.bins[:n]
	h.least = -1
	if n == int(h.limit) {
		h.least = 0
	}
}

// setBins replaces the bins by copies of the given ones.
func (h *Histogram) setBins(centres, counts []float64) {
	if n := len(centres); n > cap(h.bins)/2 {
		h.bins = make([]float64, 0, 2*n)
	}
	h.resize(len(centres))
	to, n := h.arrays()
	copy(to, centres)
	copy(n, counts)
}

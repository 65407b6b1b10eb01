// Package histogram keeps the distribution of a stream of numbers in constant memory.
//
// A [Histogram] holds at most a given number of bins, each a centre and a count. A new value
// becomes a bin of its own; when there are too many, two neighbours with centres c₀ and c₁ and
// counts n₀ and n₁ are joined into one at their weighted mean,
//
//	(c₀·n₀ + c₁·n₁) / (n₀ + n₁)
//
// So the bins follow the data: no range or width is chosen beforehand, and two histograms can
// be merged. Make one with [New], add values with [Histogram.Add], and ask for
// [Histogram.CDF], [Histogram.Quantile] or [Histogram.Mean]:
//
//	h, err := histogram.New(histogram.Config{})
//	...
//	err = h.Add(x)
//	median, late := h.Quantile(0.5), h.Survival(60)
//
// # What the bins mean
//
// While there have been no more distinct values than bins, each bin is one value with its
// count, nothing has been lost, and the distribution is that of the values: CDF is a
// staircase, and Quantile(p) is the least value x with CDF(x) ≥ p, so the median of 1, 2, 3
// is 2.
//
// A bin that has come from joining stands for values on both sides of its centre: half of
// its count lies on the way to the next bin on either side (or to the minimum or maximum),
// and the density between two centres goes linearly from the one to the other, the trapezoids
// of the paper. A bin of one single value keeps all its count at that value, also among
// joined ones. So values that many jobs share, a time limit for example, stay a step where
// the paper's trapezoids would smear them. With n₀ and n₁ the counts of two neighbours that come
// from joining, the values from the centre c₀ up to x, on the way to c₁, count
//
//	n₀·t + (n₁-n₀)·t²/2    with t = (x-c₀)/(c₁-c₀)
//
// CDF adds these up, Quantile solves for t, and SurvivalIntegral is their integral in closed form.
//
// Count, Mean, Variance, Min and Max do not come from the bins, and are those of the values
// added, up to rounding.
//
// # Which bins to join
//
// The paper joins the two bins that are closest ([JoinGap]). With runtimes, a few of which are a thousand
// times as long as most, that ends in bins of equal width, and most values in one of them. The default is the
// distance of the logarithms times the joint count of the two bins ([JoinLogMass]): with 80 bins the error of CDF is
// about 0.01 at most on runtimes of all kinds. Take JoinGap where values are spread evenly over a range. What error is
// left comes mostly from small whole numbers that many values share.
//
// # When not to use it
//
// Where few values come, or all fit in memory, Sample of package estimate is exact. Where an
// error relative to the value must be guaranteed for every quantile, take a sketch that
// promises one: here the errors are measured and not bounded. Where thousands of questions are put to
// one distribution, fill a [Table] from it. For old values that fade, see [Histogram.Scale].
//
// # Cost
//
// Everything that goes over the bins, so to add a value or to ask for a quantile, takes
// O(Bins) time at worst and does not allocate once the bins are all in use. A histogram takes
// 88 bytes and 16 more for each bin in use, 1.4 kB for 80 bins.
//
// # Source
//
// Y. Ben-Haim and E. Tom-Tov, "A streaming parallel decision tree algorithm", Journal of Machine
// Learning Research 11, 2010: Add is its update procedure (Algorithm 1), Merge its merge (2), CDF
// its sum (3) and Quantile its uniform (4). We differ in that the rule for joining is a choice
// ([Join]), and in how single values count, as said above.
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
	Bins int  // bins kept at most, 1 to 65535; 0 means 80
	Join Join // which bins to join when there are more
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
	errValue  = errors.New("histogram: value is not finite")
	errWeight = errors.New("histogram: weight, or the sum of all, is not positive and finite")
)

// A Histogram is the distribution of the values added to it, with a bounded number of bins.
// Make it with [New]; the zero Histogram is as made by the zero [Config]. It takes memory for
// the bins in use only.
//
// Reading it changes nothing, so any number of goroutines may read at once; a goroutine that
// changes it must be alone. Of a histogram without values, Count and Len are 0 and CDF,
// Quantile, Mean and the other numbers are NaN.
type Histogram struct {
	// bins holds the centres, which increase strictly. The counts are in the upper half of
	// its capacity. That of a bin that has come from joining is stored as a negative
	// number, so that bins of one single value can be told.
	bins []float64

	moments
	least float64 // a lower bound of the cost of joining any neighbours; -1 while not full
	limit uint16  // bins at most; 0 in a zero Histogram
	join  Join
}

// New returns a histogram without values. The error names the field that is outside its
// range.
func New(c Config) (*Histogram, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Histogram{limit: uint16(c.Bins), join: c.Join, least: -1}, nil
}

// Config returns what h was made with, defaults filled in.
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

// Merge adds all that has been added to o, which stays as it is; h keeps its own number of
// bins and join rule. The bins of both are put together and joined until few enough are
// left. While there are no more distinct values than bins this is the same as adding the
// values one by one. With more, another order of merging gives somewhat other bins. A nil o adds
// nothing. It takes O(Bins²) time. It returns an error, and leaves h as it was, if the sum of the weights would be infinite.
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

// Scale multiplies all counts by a factor, such as 0.5 to let what has been seen so far count
// half. Mean, Variance, Min and Max do not change, nor does CDF, but by rounding and as
// Variance says. It returns an error, and leaves h as it was, if the factor is not positive
// and finite or makes a count infinite. Bins whose count gets so small that it is 0 are
// dropped; if Count gets below 2^-1022, where few digits are left of what the bins have, h is
// empty as after [Histogram.Reset].
//
// For exponential decay with half-life τ, leave h alone as time passes, and add a value of
// time t with weight 2^((t-t0)/τ), where t0 is a time of reference. When that weight gets
// large, past 2^20 for example, scale by its inverse and move t0 to t. Count is then in
// units of a value of time t0.
func (h *Histogram) Scale(factor float64) error {
	if !(factor > 0 && h.count*factor <= math.MaxFloat64) {
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

// Reset makes h empty, and keeps its memory for later.
func (h *Histogram) Reset() {
	*h = Histogram{bins: h.bins[:0], limit: h.limit, join: h.join, least: -1}
}

// Count returns the sum of the weights of all values: their number, if each was added once
// by Add.
func (h *Histogram) Count() float64 { return h.count }

// Len returns the number of bins in use.
func (h *Histogram) Len() int { return len(h.bins) }

// Mean returns the mean of the values.
func (h *Histogram) Mean() float64 { return h.orNaN(h.moments.mean()) }

// Variance returns the variance of the values, that of the distribution: squared distances
// from the mean are divided by Count, not by Count-1. It is +Inf if the sum of
// these squares is too large for a float64.
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

// arrays returns the centres and the counts of the bins in use; those of joined bins are
// negative.
func (h *Histogram) arrays() (centres, counts []float64) {
	room := cap(h.bins) / 2
	return h.bins, h.bins[room : room+len(h.bins)]
}

// resize sets the number of bins in use, for which there is room.
func (h *Histogram) resize(n int) {
	h.bins = h.bins[:n]
	h.least = -1
	if n == int(h.limit) {
		h.least = 0
	}
}

// setBins makes the bins copies of those given.
func (h *Histogram) setBins(centres, counts []float64) {
	if n := len(centres); n > cap(h.bins)/2 {
		h.bins = make([]float64, 0, 2*n)
	}
	h.resize(len(centres))
	to, n := h.arrays()
	copy(to, centres)
	copy(n, counts)
}

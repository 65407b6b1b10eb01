package experiment

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"example.com/augur/estimate"
)

// An Interval is an estimate from a sample with its 95 % confidence interval, by Student's t: of the numbers, of their
// logarithms, or, by MeanWithin, of the logarithm of the mean.
type Interval struct {
	Mean      float64 // NaN of no numbers, or if one of them has no value
	Low, High float64 // NaN of fewer than two numbers
}

// String returns the mean and, in brackets, the interval: "1.17 [1.02 1.35]". Numbers have three digits, those of 1000
// and more all digits before the point.
func (i Interval) String() string {
	return fmt.Sprintf("%s [%s %s]", plain(i.Mean), plain(i.Low), plain(i.High))
}

func plain(x float64) string {
	if size := math.Abs(x); size >= 999.5 && size < 1e15 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// mean returns the mean of x, NaN if x is empty or contains NaN. Unlike gonum's it is the same on every processor.
func mean(x []float64) float64 {
	var m estimate.Moments
	for _, v := range x {
		if m.Add(v) != nil {
			return math.NaN()
		}
	}
	return m.Sum() / float64(m.N())
}

// MeanInterval returns the mean of a sample of numbers that may have either sign, such as differences.
func MeanInterval(x []float64) Interval {
	m, half := mean(x), math.NaN()
	if !math.IsNaN(m) && slices.Min(x) == slices.Max(x) { // not what it is rounded to
		m = x[0]
	}
	if n := float64(len(x)); n > 1 {
		squares := make([]float64, len(x))
		for i, v := range x {
			squares[i] = (v - m) * (v - m)
		}
		half = distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * math.Sqrt(mean(squares)/(n-1))
	}
	return Interval{m, m - half, m + half}
}

// MeanWithin returns the mean of a sample of numbers from low to high, such as shares from 0 to 1 or times from 0 to +Inf. The interval
// stays within low and high too: the delta method makes it for log((mean-low)/(high-mean)), or for log(mean-low) if high is +Inf, and
// its ends are turned back. If the mean is low or high, the interval is the mean alone. If a number is outside, all three numbers are NaN.
//
// # Source
//
// L. Wasserman, "All of Statistics", Springer 2004, section 9.9, for the delta method.
func MeanWithin(x []float64, low, high float64) Interval {
	for _, v := range x {
		if !(v >= low && v <= high) {
			return Interval{math.NaN(), math.NaN(), math.NaN()}
		}
	}
	i := MeanInterval(x)
	switch {
	case len(x) < 2:
		return i
	case i.Mean == low || i.Mean == high || i.Low == i.High:
		return Interval{i.Mean, i.Mean, i.Mean}
	}
	above, below := i.Mean-low, high-i.Mean
	factor := math.Exp((i.High - i.Mean) * (1/above + 1/below)) // of the odds above/below
	end := func(factor float64) float64 {
		if math.IsInf(high, 1) {
			return low + above*factor
		}
		return min(low+(high-low)/(1+below/(above*factor)), high)
	}
	return Interval{i.Mean, end(1 / factor), end(factor)}
}

// RatioInterval returns the geometric mean of the paired ratios x[i]/to[i], computed as the mean of their logarithms.
// All three numbers are NaN if the lengths differ, or if a number is not finite and above 0.
func RatioInterval(x, to []float64) Interval {
	if len(x) != len(to) {
		return Interval{math.NaN(), math.NaN(), math.NaN()}
	}
	logs := make([]float64, len(x))
	for i := range x {
		logs[i] = math.Log(x[i]) - math.Log(to[i])
	}
	m := MeanInterval(logs)
	return Interval{math.Exp(m.Mean), math.Exp(m.Low), math.Exp(m.High)}
}

// Paired is a [RatioInterval] in JSON. The interval of a single ratio is unknown.
type Paired struct {
	Ratio float64  `json:"ratio"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// Pair returns the geometric mean of the ratios of x to another list, pair by pair. It returns nil if there are none, or one is 0 or
// not finite.
func Pair(x, to []float64) *Paired {
	r := RatioInterval(x, to)
	if some(r.Mean) == nil {
		return nil
	}
	return &Paired{r.Mean, some(r.Low), some(r.High)}
}

// Text returns the ratio with its interval, with so many decimals; - if p is nil.
func (p *Paired) Text(decimals int) string {
	switch {
	case p == nil:
		return "-"
	case p.Low == nil:
		return fixed(&p.Ratio, decimals)
	}
	return fmt.Sprintf("%s [%s %s]", fixed(&p.Ratio, decimals), fixed(p.Low, decimals), fixed(p.High, decimals))
}

// Short is Text, without the interval if that is the ratio alone.
func (p *Paired) Short(decimals int) string {
	if p != nil && p.alike() {
		return fixed(&p.Ratio, decimals)
	}
	return p.Text(decimals)
}

// side returns -1 if the interval is below 1, 1 if it is above, and 0 if 1 is in it. A single ratio has that of its rounding.
func (p *Paired) side() int {
	low, high := p.Ratio-0.005, p.Ratio+0.005
	if p.Low != nil {
		low, high = *p.Low, *p.High
	}
	switch {
	case high < 1:
		return -1
	case low > 1:
		return 1
	}
	return 0
}

// alike reports whether the interval is the ratio alone.
func (p *Paired) alike() bool { return p.Low != nil && *p.Low == *p.High }

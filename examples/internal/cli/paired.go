package cli

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Paired is the geometric mean of ratios, with the 95 % interval of Student's t over their logarithms. The interval of a
// single ratio is unknown.
type Paired struct {
	Ratio float64  `json:"ratio"`
	Low   *float64 `json:"low"`
	High  *float64 `json:"high"`
}

// Pair returns the geometric mean of ratios, given their logarithms. It returns nil if there are none, or one is not finite.
func Pair(logs []float64) *Paired {
	mean, half := Interval(logs)
	if Some(mean) == nil {
		return nil
	}
	return &Paired{math.Exp(mean), Some(math.Exp(mean - half)), Some(math.Exp(mean + half))}
}

// Interval returns the mean of a sample and half the width of its 95 % interval, by Student's t; that is NaN of fewer
// than two numbers.
func Interval(x []float64) (mean, half float64) {
	mean, sd := stat.MeanStdDev(x, nil)
	n := float64(len(x))
	if n < 2 {
		return mean, math.NaN()
	}
	return mean, distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * sd / math.Sqrt(n)
}

// Text returns the ratio with its interval, with so many decimals; - if p is nil.
func (p *Paired) Text(decimals int) string {
	switch {
	case p == nil:
		return "-"
	case p.Low == nil:
		return Fixed(&p.Ratio, decimals)
	}
	return fmt.Sprintf("%s [%s %s]", Fixed(&p.Ratio, decimals), Fixed(p.Low, decimals), Fixed(p.High, decimals))
}

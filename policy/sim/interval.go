package sim

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// An Interval is an estimate from a sample with its 95 % confidence interval, by Student's t.
type Interval struct {
	Mean      float64 // NaN of no numbers, or if one of them has no value
	Low, High float64 // NaN of fewer than two numbers
}

// MeanInterval returns the mean of a sample.
func MeanInterval(x []float64) Interval {
	mean, sd := stat.MeanStdDev(x, nil)
	half := math.NaN()
	if n := float64(len(x)); n > 1 {
		half = distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * sd / math.Sqrt(n)
	}
	return Interval{mean, mean - half, mean + half}
}

// RatioInterval returns the geometric mean of the paired ratios x[i]/to[i], by the mean of their logarithms. It is NaN
// throughout if to is not as long as x, or a number is not above 0 and finite.
func RatioInterval(x, to []float64) Interval {
	if len(x) != len(to) {
		return Interval{math.NaN(), math.NaN(), math.NaN()}
	}
	logs := make([]float64, len(x))
	for i := range x {
		logs[i] = math.Log(x[i]) - math.Log(to[i])
	}
	m := MeanInterval(logs)
	if math.IsInf(m.Mean, 0) {
		return Interval{math.NaN(), math.NaN(), math.NaN()}
	}
	return Interval{math.Exp(m.Mean), math.Exp(m.Low), math.Exp(m.High)}
}

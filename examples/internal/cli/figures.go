package cli

import (
	"math"

	"example.com/augur/policy/workload"
)

// Some returns x for a field of JSON that is null if it does not apply: nil if x is not a
// finite number.
func Some(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// Quantile returns the least element of an increasing list that a share p of them does not
// exceed; NaN if there are none.
func Quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return sorted[max(0, int(math.Ceil(p*float64(len(sorted))))-1)]
}

// MeanTask returns the mean runtime of a job's tasks, in seconds.
func MeanTask(j *workload.Job) float64 {
	sum, n := 0.0, 0
	for _, stage := range j.Runtimes {
		for _, d := range stage {
			sum += d.Seconds()
		}
		n += len(stage)
	}
	return sum / float64(n)
}

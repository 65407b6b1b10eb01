package estimate

import (
	"iter"
	"math"
	"slices"

	"example.com/augur/internal/saturate"
)

// A Sample is the empirical distribution of some values, such as the runtimes of a job's pilot
// tasks, from which to predict its other tasks. The zero Sample is empty and ready for use. It
// holds all values, 8 bytes each. An empty Sample answers NaN.
type Sample struct {
	sorted  []float64
	moments Moments
}

// Add adds x, which must be at least 0 and at most 1e144. It takes O(n) time in the worst case, and
// O(log n) if values come in increasing order, as from tasks that started together.
func (s *Sample) Add(x float64) error {
	if err := checkValue("value", x); err != nil {
		return err
	}
	if err := s.moments.Add(x); err != nil {
		return err
	}
	i, _ := slices.BinarySearch(s.sorted, x)
	s.sorted = slices.Insert(s.sorted, i, x)
	return nil
}

// N returns the number of values.
func (s *Sample) N() int { return len(s.sorted) }

// Mean returns the mean. It takes O(1) time.
func (s *Sample) Mean() float64 {
	mean, ok := s.moments.Mean()
	if !ok {
		return math.NaN()
	}
	return mean
}

// CDF returns the share of values that are at most x, NaN for NaN. It takes O(log n) time.
func (s *Sample) CDF(x float64) float64 {
	if len(s.sorted) == 0 || math.IsNaN(x) {
		return math.NaN()
	}
	return float64(s.upTo(x)) / float64(len(s.sorted))
}

// Survival returns the share of values that are above x, NaN for NaN. It takes O(log n) time.
func (s *Sample) Survival(x float64) float64 {
	if len(s.sorted) == 0 || math.IsNaN(x) {
		return math.NaN()
	}
	return float64(len(s.sorted)-s.upTo(x)) / float64(len(s.sorted))
}

// SurvivalIntegral returns the integral of Survival from a to b: the mean over the values x of the
// length of [a, b] that is below x. It is negative if b < a, and NaN if a or b is NaN. It takes
// O(log n + k) time for k values between a and b, and does not allocate.
func (s *Sample) SurvivalIntegral(a, b float64) float64 {
	switch n := len(s.sorted); {
	case n == 0 || math.IsNaN(a) || math.IsNaN(b):
		return math.NaN()
	case b < a:
		return -s.SurvivalIntegral(b, a)
	case a == b:
		return 0
	}
	from, to := s.upTo(a), s.upTo(b)
	n := float64(len(s.sorted))
	sum := 0.0
	for _, x := range s.sorted[from:to] {
		sum += x - a
	}
	if to < len(s.sorted) {
		sum += float64(len(s.sorted)-to) * (b - a)
	}
	if sum <= math.MaxFloat64 {
		return sum / n
	}
	sum = 0 // which was too large, and so the mean is made of shares
	for _, x := range s.sorted[from:to] {
		sum += (x - a) / n
	}
	if to < len(s.sorted) {
		sum += float64(len(s.sorted)-to) / n * (b - a)
	}
	return sum
}

// upTo returns how many values are at most x.
func (s *Sample) upTo(x float64) int {
	i, _ := slices.BinarySearchFunc(s.sorted, x, func(v, x float64) int {
		if v <= x {
			return -1
		}
		return 1
	})
	return i
}

// Quantile returns the least value whose CDF is at least p, the least value for p = 0, and
// NaN unless p is in [0, 1]. It takes O(1) time.
func (s *Sample) Quantile(p float64) float64 {
	n := len(s.sorted)
	if !(p >= 0 && p <= 1) || n == 0 {
		return math.NaN()
	}
	i := max(0, saturate.To[int](math.Ceil(p*float64(n)))-1)
	// The product may have been rounded across a whole number.
	if i > 0 && float64(i)/float64(n) >= p {
		i--
	} else if float64(i+1)/float64(n) < p {
		i++
	}
	return s.sorted[i]
}

// All yields the values in increasing order, each with the weight 1. s must not change meanwhile.
func (s *Sample) All() iter.Seq2[float64, float64] {
	return func(yield func(value, weight float64) bool) {
		for _, x := range s.sorted {
			if !yield(x, 1) {
				return
			}
		}
	}
}

package estimate

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// PilotCount returns how many of a job's tasks to run first as pilots, whose runtimes then
// tell those of the others: max(1, ratio*tasks) rounded half up. tasks is at least 1, ratio in
// (0, 1].
//
// # Source
//
// SLearn, section 4.3, with a ratio of 0.03; section 5.1.2 adapts it. The rounding is ours.
func PilotCount(tasks int, ratio float64) (int, error) {
	if tasks < 1 {
		return 0, fmt.Errorf("estimate: number of tasks is %d, must be ≥ 1", tasks)
	}
	if !(ratio > 0 && ratio <= 1) {
		return 0, fmt.Errorf("estimate: ratio of pilots is %v, must be in (0, 1]", ratio)
	}
	// 0.29 of 50 is half of 29, though its nearest float64 is less.
	const half = 0.5 + 1e-9
	pilots := math.Floor(float64(ratio*float64(tasks)) + half)
	if pilots >= float64(tasks) { // which may be more than an int holds
		return tasks, nil
	}
	return max(1, int(pilots)), nil
}

// Pilots appends n of the numbers 0 to tasks-1 to dst, in increasing order, and returns it.
// tasks is at most 2^28. Every choice is equally likely. It takes O(tasks) time and draws at most
// as many numbers from src; it does not allocate if dst has room.
//
// # Source
//
// D. E. Knuth, The Art of Computer Programming, volume 2, section 3.4.2, Algorithm S.
func Pilots(dst []int, tasks, n int, src rand.Source) ([]int, error) {
	const most = 1 << 28
	if tasks > most {
		return dst, fmt.Errorf("estimate: number of tasks is %d, must be at most %d", tasks, most)
	}
	if n < 0 || n > tasks {
		return dst, fmt.Errorf("estimate: number of pilots is %d, must be 0 to %d, the number of tasks", n, tasks)
	}
	if src == nil {
		return dst, errors.New("estimate: pilots without a source of randomness")
	}
	dst = slices.Grow(dst, n)
	rng := rand.New(src)
	for task := 0; n > 0; task++ {
		if rng.IntN(tasks-task) < n {
			dst = append(dst, task)
			n--
		}
	}
	return dst, nil
}

// Bootstrap returns an interval that holds the mean of the distribution that the values were drawn
// from with about the given confidence, in (0, 1): the middle part of the means of 1,000 resamples,
// each of which draws as many values from s, with replacement, as it holds. With few values the
// interval is too narrow. It takes O(N) time a resample.
//
// # Source
//
// B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13 (the
// percentile interval).
func (s *Sample) Bootstrap(confidence float64, src rand.Source) (low, high float64, err error) {
	switch {
	case !(confidence > 0 && confidence < 1):
		return 0, 0, fmt.Errorf("estimate: confidence is %v, must be in (0, 1)", confidence)
	case src == nil:
		return 0, 0, errors.New("estimate: bootstrap without a source of randomness")
	case s.N() == 0:
		return 0, 0, errors.New("estimate: bootstrap of no values")
	}
	const resamples = 1000
	rng := rand.New(src)
	means := make([]float64, resamples)
	for i := range means {
		means[i] = s.resampledMean(rng)
	}
	low, high = middlePart(means, confidence)
	return low, high, nil
}

// resampledMean is what the Mean of a resample is, without making one.
func (s *Sample) resampledMean(rng *rand.Rand) float64 {
	n := len(s.sorted)
	sum := 0.0
	for range n {
		sum += s.sorted[rng.IntN(n)]
	}
	return sum / float64(n)
}

// middlePart sorts values, and returns the ends of the given share of them in the middle.
func middlePart(values []float64, share float64) (low, high float64) {
	slices.Sort(values)
	n := len(values)
	out := min(int(float64(float64(n)*(1-share)/2)+1e-9), (n-1)/2) // at either end; 5 % of 100 is 5
	return values[out], values[n-1-out]
}

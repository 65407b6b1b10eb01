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
	return max(1, min(tasks, int(math.Floor(float64(ratio*float64(tasks))+half)))), nil
}

// Pilots appends n of the numbers 0 to tasks-1 to dst, in increasing order, and returns it.
// Every choice is equally likely. It takes O(tasks) time and draws at most as many numbers
// from src; it does not allocate if dst has room.
//
// # Source
//
// D. E. Knuth, The Art of Computer Programming, volume 2, section 3.4.2, Algorithm S.
func Pilots(dst []int, tasks, n int, src rand.Source) ([]int, error) {
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

// A BootstrapConfig says what [Sample.Bootstrap] does. Source is required.
type BootstrapConfig struct {
	Statistic  func(*Sample) float64 // of what, such as (*Sample).Median; nil means the mean
	Confidence float64               // in (0, 1); 0 means 0.95
	Resamples  int                   // 1 to 1,000,000; 0 means 1,000
	Source     rand.Source           // of randomness
}

// Bootstrap returns an interval that holds the true value of a statistic of the distribution
// that the values were drawn from with about the given confidence: the middle part of
// the statistic's values for as many resamples, each of which draws as many values from s,
// with replacement, as it holds. With few values, or an extreme statistic, the interval is too
// narrow. It takes O(N) time a resample.
//
// # Source
//
// B. Efron and R. J. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13 (the
// percentile interval).
func (s *Sample) Bootstrap(c BootstrapConfig) (low, high float64, err error) {
	if c.Confidence == 0 {
		c.Confidence = 0.95
	}
	if c.Resamples == 0 {
		c.Resamples = 1000
	}
	switch {
	case !(c.Confidence > 0 && c.Confidence < 1):
		err = fmt.Errorf("estimate: Confidence is %v, must be in (0, 1)", c.Confidence)
	case c.Resamples < 1 || c.Resamples > 1_000_000:
		err = fmt.Errorf("estimate: Resamples is %d, must be 1 to 1,000,000", c.Resamples)
	case c.Source == nil:
		err = errors.New("estimate: Source is nil, must be a source of randomness")
	case s.N() == 0:
		err = errors.New("estimate: bootstrap of no values")
	}
	if err != nil {
		return 0, 0, err
	}
	rng := rand.New(c.Source)
	results := make([]float64, c.Resamples)
	if c.Statistic == nil {
		for i := range results {
			results[i] = s.resampledMean(rng)
		}
		low, high = middlePart(results, c.Confidence)
		return low, high, nil
	}
	counts := make([]int, s.N())
	resample := Sample{sorted: make([]float64, 0, s.N())}
	for i := range results {
		clear(counts)
		for range counts {
			counts[rng.IntN(len(counts))]++
		}
		resample.Reset()
		for j, count := range counts {
			for range count {
				resample.sorted = append(resample.sorted, s.sorted[j])
				resample.moments.change(s.sorted[j], 1)
			}
		}
		results[i] = c.Statistic(&resample)
		if math.IsNaN(results[i]) {
			return 0, 0, errors.New("estimate: the statistic of a resample is NaN")
		}
	}
	low, high = middlePart(results, c.Confidence)
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

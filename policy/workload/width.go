package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"example.com/augur/policy"
)

// ScaleWidth multiplies the number of tasks of each stage by a factor, which is finite and
// above 0: rounded, halves up, to at least 1. Runtimes are drawn from the stage's own:
// with replacement for the tasks that are added, the first ones being kept; without for
// those that stay when some go. So their distribution stays, and the work is multiplied by
// the factor, both but for rounding and chance; and where they read is no longer known.
//
// What is drawn for a job depends on the seed, its ID and its stages alone. It returns new
// jobs and leaves the old ones, which must be valid, unchanged. The error names a job that
// would have more than 2^28 tasks.
func ScaleWidth(jobs []*Job, factor float64, seed uint64) ([]*Job, error) {
	if !(factor > 0) || math.IsInf(factor, 0) {
		return nil, fmt.Errorf("workload: widths scaled by %v, want a finite factor above 0", factor)
	}
	width := func(tasks uint32) float64 { return max(1, math.Floor(float64(float64(tasks)*factor)+0.5)) }
	resized := make([]*Job, len(jobs))
	for i, j := range jobs {
		if err := j.Validate(); err != nil {
			return nil, err
		}
		total := 0.0
		for k := range j.Stages {
			total += width(j.Stages[k].Tasks)
		}
		if total > policy.MaxTasks {
			return nil, fmt.Errorf("workload: job %d would have %g tasks, want at most 2^28", j.ID, total)
		}
		rng := draws(seed, widthStream, j.ID)
		r := *j
		r.Stages = slices.Clone(j.Stages)
		r.Runtimes = make([][]policy.Duration, len(j.Runtimes))
		for k := range r.Stages {
			n := int(width(j.Stages[k].Tasks))
			if n != int(r.Stages[k].Tasks) {
				r.Stages[k].Tasks, r.Stages[k].Holders = uint32(n), nil
			}
			r.Runtimes[k] = redraw(j.Runtimes[k], n, rng)
		}
		resized[i] = &r
	}
	return resized, nil
}

// redraw returns n of the given runtimes: all and further ones drawn with replacement, or
// a simple random sample in the old order.
func redraw(from []policy.Duration, n int, rng *rand.Rand) []policy.Duration {
	to := make([]policy.Duration, 0, n)
	if n >= len(from) {
		to = append(to, from...)
		for len(to) < n {
			to = append(to, from[rng.IntN(len(from))])
		}
		return to
	}
	for i, d := range from {
		if rng.IntN(len(from)-i) < n-len(to) {
			to = append(to, d)
		}
	}
	return to
}

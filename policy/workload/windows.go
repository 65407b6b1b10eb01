package workload

import (
	"fmt"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// A LogWindow is a part of a log: see [Windows].
type LogWindow struct {
	// Jobs are consecutive jobs of the log, submitted when the log says.
	Jobs []*Job
	// Past has the jobs before them that would have ended, had each run alone, when the first of Jobs is submitted. A policy
	// that learns can learn from them first, as it would have in a cluster that runs all the time. It looks at all jobs before.
	Past Source
}

// Windows cuts jobs, which must be in order of submission, into n windows of consecutive jobs, whose numbers differ by one at
// most. Each window can then run in a cluster of its own, at a load of its own by [ToLoad]: a single log so gives n runs, and
// their results an interval. Package policy/experiment runs them. Inputs
// outside a window are dropped, as [Window] drops them. Windows returns an error if n is not between 1 and the number of jobs.
// It takes time and memory linear in the number of jobs.
//
// Each run begins with an empty cluster, so let a window last much longer than its longest jobs. The intervals are too narrow if
// neighbouring windows are alike, for instance because one user's jobs fill both.
func Windows(jobs []*Job, n int) ([]LogWindow, error) {
	if n < 1 || n > len(jobs) {
		return nil, fmt.Errorf("workload: %d jobs cut into %d windows, want 1 to as many windows as jobs", len(jobs), n)
	}
	if err := inOrder(jobs); err != nil {
		return nil, err
	}
	windows := make([]LogWindow, n)
	for k := range windows {
		begin, end := part(k, n, len(jobs)), part(k+1, n, len(jobs))
		windows[k].Jobs = closed(jobs[begin:end])
		windows[k].Past = ended(jobs[:begin], jobs[begin].Submitted)
	}
	return windows, nil
}

// ended yields the jobs that would have ended at an instant, had each run alone.
func ended(jobs []*Job, at policy.Time) Source {
	return func(yield func(*Job, error) bool) {
		for _, j := range jobs {
			if j.Submitted.Add(j.Ideal()) <= at && !yield(j, nil) {
				return
			}
		}
	}
}

// part returns where the k-th of n nearly equal parts of a list begins.
func part(k, n, length int) int { return int(int64(k) * int64(length) / int64(n)) }

// Thin leaves out a share of the jobs, at random and rounded down to a whole number of jobs. The same seed leaves out the same
// jobs. Inputs that are left out are dropped, as [Window] drops them. share must be at least 0 and below 1.
//
// Runs of several such copies tell whether a result hangs on a few jobs: in a log of gangs one job more or less can move the mean
// completion time by a tenth. The copies have most of their jobs in common. So an interval over them is one for this log, and too
// narrow for what another log of the same cluster would give; [Windows] are better for that if the log is long.
func Thin(jobs []*Job, share float64, seed uint64) ([]*Job, error) {
	if !(share >= 0 && share < 1) {
		return nil, fmt.Errorf("workload: thinned by a share of %v, want at least 0 and below 1", share)
	}
	drop := make([]bool, len(jobs))
	for _, i := range draws(seed, thinStream, 0).Perm(len(jobs))[:saturate.To[int](share*float64(len(jobs)))] {
		drop[i] = true
	}
	var left []*Job
	for i, j := range jobs {
		if j == nil {
			return nil, isNil(i)
		}
		if !drop[i] {
			left = append(left, j)
		}
	}
	return closed(left), nil
}

package workload

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/policy"
)

// A Requester is a [Source] that says for how long jobs were requested where the trace does
// not: see [Request].
type Requester struct {
	source Source
	factor float64
	filled int
}

// Request returns the jobs of a source as they are, except that a job that requests no time
// requests factor times its longest runtime, at least 1 ns and at most 1e9 s. The factor is
// at least 1: batch systems stop a job that runs for longer than it requested. The jobs of
// the source are not changed.
//
// Such a request tells a policy more of the truth than a user would: the longest runtime is
// exactly the request divided by the factor.
func Request(source Source, factor float64) (*Requester, error) {
	if !(factor >= 1) || math.IsInf(factor, 0) {
		return nil, fmt.Errorf("workload: requested time is %v times the runtime, want a finite factor of at least 1", factor)
	}
	return &Requester{source: source, factor: factor}, nil
}

// Next returns the next job. The error is that of the source.
func (r *Requester) Next() (*Job, error) {
	j, err := r.source.Next()
	if err != nil || j.Requested != 0 {
		return j, err
	}
	longest := policy.Duration(0)
	for _, tasks := range j.Runtimes {
		if len(tasks) > 0 {
			longest = max(longest, slices.Max(tasks))
		}
	}
	with := *j
	with.Requested = policy.Duration(min(max(math.Round(float64(longest)*r.factor), 1), maxSeconds*1e9))
	r.filled++
	return &with, nil
}

// Filled returns for how many jobs so far the requested time was filled in.
func (r *Requester) Filled() int { return r.filled }

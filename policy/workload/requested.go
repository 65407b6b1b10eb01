package workload

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/internal/limits"
	"example.com/augur/policy"
)

// Request returns the jobs of a source as they are, except that a job that requests no time,
// as in a trace that does not tell, requests factor times its longest runtime, at least 1 ns and
// at most 1e9 s. The factor is at least 1: batch systems stop a job that runs for longer than it
// requested. The jobs of the source are not changed; it ends at one that is not valid.
//
// Such a request tells a policy more of the truth than a user would: the longest runtime is
// exactly the request divided by the factor.
func Request(source Source, factor float64) (Source, error) {
	if !(factor >= 1) || math.IsInf(factor, 0) {
		return nil, fmt.Errorf("workload: requested time is %v times the runtime, want a finite factor of at least 1", factor)
	}
	return changed(source, func(j *Job) (*Job, error) {
		if j.Requested != 0 {
			return j, nil
		}
		with := *j
		with.Requested = requested(j, factor)
		return &with, nil
	}), nil
}

// requested returns a job's longest runtime times a factor, at least 1 ns and at most 1e9 s.
func requested(j *Job, factor float64) policy.Duration {
	longest := policy.Duration(0)
	for _, tasks := range j.Runtimes {
		longest = max(longest, slices.Max(tasks))
	}
	return policy.Duration(min(max(math.Round(float64(longest)*factor), 1), limits.Seconds*1e9))
}

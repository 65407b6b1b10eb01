package workload

import (
	"fmt"
	"math"
	"slices"

	"example.com/augur/internal/limits"
	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// FillRequested returns the jobs of a source, and fills in the requested time of jobs that have
// none, as in traces without requested times: factor times the longest runtime, at least 1 ns and at
// most 1e9 s. The factor must be at least 1, since batch systems stop a job that runs longer than
// requested. The jobs of the source do not change. The new source ends at a job that is not valid.
//
// Such a request reveals more than a user knows: the longest runtime is exactly the request divided by the factor.
func FillRequested(source Source, factor float64) (Source, error) {
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

// Limited returns the jobs of a source, and makes the times that they request limits, as on most batch systems: see
// [policy.Job].Limited. The jobs of the source do not change.
func Limited(source Source) Source {
	return changed(source, func(j *Job) (*Job, error) {
		if j.Requested == 0 {
			return j, nil
		}
		with := *j
		with.Limited = true
		return &with, nil
	})
}

// requested returns a job's longest runtime times a factor, at least 1 ns and at most 1e9 s.
func requested(j *Job, factor float64) policy.Duration {
	longest := policy.Duration(0)
	for _, tasks := range j.Runtimes {
		longest = max(longest, slices.Max(tasks))
	}
	return saturate.To[policy.Duration](min(max(math.Round(float64(longest)*factor), 1), limits.Seconds*1e9))
}

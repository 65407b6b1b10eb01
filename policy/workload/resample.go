package workload

import (
	"fmt"
	"math"

	"example.com/augur/policy"
)

// Window returns the jobs submitted from one instant until before another, moved so that
// the first of these is instant 0. Deadlines keep their distance from submission, IDs and
// calendar times stay. Inputs that are not in the window are dropped, as if those jobs
// were done before it. It returns new jobs and leaves the old ones unchanged. The error names the job
// that would come to be too far away, or that is nil.
func Window(jobs []*Job, from, to policy.Time) ([]*Job, error) {
	if from >= to || !near(from) {
		return nil, fmt.Errorf("workload: a window from %v s to %v s, want it to end later than it begins, within 4.6e9 s of instant 0", from.Seconds(), to.Seconds())
	}
	var in []*Job
	ids := make(map[policy.JobID]bool)
	for i, j := range jobs {
		if j == nil {
			return nil, isNil(i)
		}
		if from <= j.Submitted && j.Submitted < to {
			in = append(in, j)
			ids[j.ID] = true
		}
	}
	for i, j := range in {
		if !near(j.Submitted) {
			return nil, fmt.Errorf("workload: job %d is submitted at %v s, want it within 4.6e9 s of instant 0", j.ID, j.Submitted.Seconds())
		}
		m, err := move(j, policy.Time(j.Submitted.Sub(from)))
		if err != nil {
			return nil, err
		}
		m.Inputs = renamed(j.Inputs, func(id policy.JobID) (policy.JobID, bool) { return id, ids[id] })
		in[i] = m
	}
	return in, nil
}

// farthest is so near to instant 0 that no difference between two such instants wraps.
const farthest = policy.Time(math.MaxInt64 / 2)

func near(t policy.Time) bool { return -farthest <= t && t <= farthest }

// move returns a copy of j that is submitted at instant to.
func move(j *Job, to policy.Time) (*Job, error) {
	ok := near(j.Submitted) && near(to)
	if ok && j.SLO != nil {
		left := float64(j.SLO.Deadline) - float64(j.Submitted)
		ok = near(j.SLO.Deadline) && math.Abs(float64(to)+left) <= float64(farthest)
	}
	if !ok {
		return nil, tooFar(j, to.Seconds())
	}
	m := *j
	m.Submitted = to
	if j.SLO != nil {
		slo := *j.SLO
		slo.Deadline = to.Add(slo.Deadline.Sub(j.Submitted))
		m.SLO = &slo
	}
	return &m, nil
}

func tooFar(j *Job, to float64) error {
	return fmt.Errorf("workload: job %d is moved from %v s to %v s, want both, and its deadline at both, within 4.6e9 s of instant 0",
		j.ID, j.Submitted.Seconds(), to)
}

// renamed returns the inputs that have a new name, nil if none has.
func renamed(in *policy.Inputs, name func(policy.JobID) (policy.JobID, bool)) *policy.Inputs {
	if in == nil {
		return nil
	}
	out := policy.Inputs{Wait: in.Wait}
	for _, id := range in.Jobs {
		if id, ok := name(id); ok {
			out.Jobs = append(out.Jobs, id)
		}
	}
	if len(out.Jobs) == 0 {
		return nil
	}
	return &out
}

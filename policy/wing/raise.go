package wing

import (
	"errors"
	"fmt"
	"math"

	"example.com/augur/policy"
)

// A Dependent is a job that is expected to read the output of another one.
type Dependent struct {
	Queue    string
	Priority float64         // not NaN
	After    policy.Duration // from the submission of the job that it reads to its own
}

// RaiseConfig describes the Ranker of [NewRaise]. Ranker and Dependents are required.
type RaiseConfig struct {
	Ranker Ranker // says the priorities of the jobs by themselves
	// Dependents predicts which jobs will read the output of j: those of templates that have done so often enough (T1
	// of section 3), each after the median time that it took (T2). Neither caller nor callee changes the slice. Dependents of
	// other queues raise no job, since users' priorities are comparable within one queue only.
	Dependents func(j *policy.Job) []Dependent
	// LeadTime is how long before the expected dependent the job is raised, ≥ 0: long enough for the job to wait and run.
	// 0 means from its submission on.
	LeadTime policy.Duration
}

// NewRaise returns a Ranker that avoids priority inversion: a job has at least the priority of its expected dependents,
// before they arrive. To raise it when they arrive is mostly too late: a dependent whose input is missing has failed by
// then.
//
// Once raised, a job stays raised, since dependents may be late. For dependents that have arrived and wait see
// Config.Inherit of the [Scheduler]. NewRaise returns an error that names the field that is out of range.
//
// # Source
//
// Wing, section 4.4, footnote 9.
func NewRaise(c RaiseConfig) (Ranker, error) {
	switch {
	case c.Ranker == nil:
		return nil, errors.New("wing: RaiseConfig.Ranker is nil, want the priorities of jobs by themselves")
	case c.Dependents == nil:
		return nil, errors.New("wing: RaiseConfig.Dependents is nil, want a function that predicts dependents")
	case c.LeadTime < 0:
		return nil, fmt.Errorf("wing: RaiseConfig.LeadTime is %v, want 0 or more", c.LeadTime)
	}
	return &raise{c}, nil
}

type raise struct{ config RaiseConfig }

// Rank implements [Ranker]. It takes time in proportion to the dependents.
func (r *raise) Rank(j *policy.Job, now policy.Time) (priority float64, until policy.Time) {
	priority, until = r.config.Ranker.Rank(j, now)
	if math.IsNaN(priority) {
		priority = math.Inf(-1)
	}
	if until <= now {
		until = policy.Never
	}
	dependents := r.config.Dependents(j)
	for i := range dependents {
		if d := &dependents[i]; d.Priority > priority && d.Queue == j.Queue && r.from(j, d) <= now {
			priority = d.Priority
		}
	}
	for i := range dependents {
		if d := &dependents[i]; d.Priority > priority && d.Queue == j.Queue {
			until = min(until, r.from(j, d))
		}
	}
	return priority, until
}

// from returns the instant from which on a dependent raises a job.
func (r *raise) from(j *policy.Job, d *Dependent) policy.Time {
	if r.config.LeadTime == 0 {
		return j.Submitted
	}
	return policy.Time(plus(plus(int64(j.Submitted), int64(d.After)), -int64(r.config.LeadTime)))
}

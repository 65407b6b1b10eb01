package hopper

import (
	"fmt"
	"math"

	"example.com/augur/policy"
)

// A Candidate is a job with tasks that wait for a slot, as [Locality] sees it.
type Candidate struct {
	Job   policy.JobID
	Local int // how many of its tasks that wait would be local on the slots that are free
}

// Locality lets jobs go before smaller ones whose tasks are not where their data is: of the
// smallest jobs it picks the one with the most local tasks, which then goes on until none of its tasks
// waits. Make one with [NewLocality].
//
// When a slot is free, the job that was picked before has it, [Locality.Picked], as long as a task of
// it waits; else the host lists the smallest jobs, [Locality.Look], and picks another one.
//
// # Source
//
// Hopper, section 5.1, which says that up to 5 % will do. The paper takes 3 % (section 6.2); beyond
// 7 % it loses more than it gains (section 6.4.1).
type Locality struct {
	share float64
	job   policy.JobID
	picks bool
}

// NewLocality returns a Locality that looks at the given share of the jobs, the smallest; 0 to 1. With
// 0 it looks at the smallest only.
func NewLocality(share float64) (*Locality, error) {
	if !(share >= 0 && share <= 1) {
		return nil, fmt.Errorf("hopper: share of jobs is %v, must be 0 to 1", share)
	}
	return &Locality{share: share}, nil
}

// Look returns how many jobs to choose from of so many that wait, ⌈share * waiting⌉, and at
// least 1 if any does.
func (l *Locality) Look(waiting int) int {
	return min(max(0, waiting), max(1, int(math.Ceil(float64(l.share*float64(waiting))-1e-9))))
}

// Picked returns the job that was picked last, and false if none was.
func (l *Locality) Picked() (id policy.JobID, ok bool) { return l.job, l.picks }

// Pick returns the job that the next free slot is for, and false if there are none. jobs are the
// first [Locality.Look] of those with tasks that wait, in the order in which they would go
// otherwise: by virtual size, the smallest first. Of those with as many local tasks it picks the
// first. If none has any, the slot is for the smallest job, as otherwise, and none is picked. It takes
// O(n) time for n jobs, and does not allocate.
func (l *Locality) Pick(jobs []Candidate) (id policy.JobID, ok bool) {
	if l.picks = false; len(jobs) == 0 {
		return 0, false
	}
	best := 0
	for i := range jobs {
		if jobs[i].Local > jobs[best].Local {
			best = i
		}
	}
	l.job, l.picks = jobs[best].Job, jobs[best].Local > 0
	return l.job, true
}

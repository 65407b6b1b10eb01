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
// smallest jobs it picks the one with the most local tasks, and stays with it until none of its tasks
// waits. Make one with [NewLocality].
//
// Source: section 5.1. The paper takes 3 % and says that up to 5 % will do; beyond 7 % it loses more
// than it gains (section 6.4.1).
type Locality struct {
	share float64
	job   policy.JobID
	picks bool // job has been picked, and may have tasks that wait
}

// NewLocality returns a Locality that looks at the given share of the jobs, the smallest; 0 to 1. With
// 0 it looks at the smallest only.
func NewLocality(share float64) (*Locality, error) {
	if !(share >= 0 && share <= 1) {
		return nil, fmt.Errorf("hopper: share of jobs is %v, must be 0 to 1", share)
	}
	return &Locality{share: share}, nil
}

// Pick returns the job that the next free slot is for, and false if no job waits. jobs are all
// that have tasks that wait, in the order in which they would go otherwise: by virtual size, the
// smallest first. Of n it looks at the first ⌈share * n⌉, at least one; of those with as many local
// tasks it picks the first, so if none has any, the smallest job. It takes O(n) time, and does
// not allocate.
func (l *Locality) Pick(jobs []Candidate) (id policy.JobID, ok bool) {
	if len(jobs) == 0 {
		l.picks = false
		return 0, false
	}
	if l.picks {
		for i := range jobs {
			if jobs[i].Job == l.job {
				return l.job, true
			}
		}
	}
	n := min(len(jobs), max(1, int(math.Ceil(float64(l.share*float64(len(jobs)))-1e-9))))
	best := 0
	for i := range jobs[:n] {
		if jobs[i].Local > jobs[best].Local {
			best = i
		}
	}
	l.job, l.picks = jobs[best].Job, true
	return l.job, true
}

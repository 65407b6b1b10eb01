package baseline

import (
	"cmp"

	"example.com/augur/policy"
)

// Fair gives every job an equal share of the cores, and passes on what a job cannot use:
// each free core goes to the job that has the fewest, among those with something to
// start (max-min fairness, without preemption: a share is reached as tasks end). Ties go
// to the earlier submission, then to the smaller ID.
//
// Step takes time logarithmic in the number of jobs that wait, for each event and action.
type Fair struct{ inOrder }

// NewFair returns a Fair policy.
func NewFair() *Fair {
	return &Fair{newInOrder(func(a, b *jobView) int {
		if c := cmp.Compare(a.Cores, b.Cores); c != 0 {
			return c
		}
		return bySubmission(a, b)
	})}
}

// Cores returns the number of cores that a job has, and false if it is not there.
func (p *Fair) Cores(id policy.JobID) (cores int64, ok bool) {
	j := p.view.Job(id)
	if j == nil {
		return 0, false
	}
	return j.Cores, true
}

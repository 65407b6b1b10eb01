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

// Priority serves the job with the greatest [policy.Job.Priority] first. Ties go to the
// earlier submission, then to the smaller ID. A stream of urgent jobs starves the others.
//
// Step takes time logarithmic in the number of jobs that wait, for each action.
type Priority struct{ inOrder }

// NewPriority returns a Priority policy.
func NewPriority() *Priority {
	return &Priority{NewOrdered(func(a, b *policy.Job) int { return cmp.Compare(b.Priority, a.Priority) }).inOrder}
}

package baseline

import "cmp"

// Priority serves the job with the greatest [policy.Job.Priority] first. Ties go to the
// earlier submission, then to the smaller ID. A stream of urgent jobs starves the others.
//
// Step takes time logarithmic in the number of jobs that wait, for each action.
type Priority struct{ inOrder }

// NewPriority returns a Priority policy.
func NewPriority() *Priority {
	return &Priority{newInOrder(func(a, b *jobView) int {
		if c := cmp.Compare(b.Job.Priority, a.Job.Priority); c != 0 {
			return c
		}
		return bySubmission(a, b)
	})}
}

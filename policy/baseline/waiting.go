package baseline

import (
	"iter"
	"slices"

	"example.com/augur/policy"
)

// Waiting yields the jobs that have something to start, the next one first. It takes
// O(n log n) time.
func (p *inOrder) Waiting() iter.Seq[policy.JobID] {
	jobs := slices.SortedFunc(p.waiting.All(), p.compare)
	return func(yield func(policy.JobID) bool) {
		for _, j := range jobs {
			if !yield(j.Job.ID) {
				return
			}
		}
	}
}

// Compare returns a negative number if job a goes before job b, a positive one if it goes after,
// whether they have something to start or not. A job that is not there goes last.
func (p *inOrder) Compare(a, b policy.JobID) int { return p.view.Compare(a, b, p.compare) }

package probing

import (
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

type record = central.Job

// A job is a job's record in the books, with what a policy keeps of it besides.
type job[T any] struct {
	*record
	Own T
}

// books are the books of a policy that keeps a T of each job.
type books[T any] struct {
	central.View
	jobs policy.Table[policy.JobID, job[T]]
}

// Observe is [central.View.Observe].
func (b *books[T]) Observe(ev *policy.Event) (*job[T], error) {
	r, err := b.View.Observe(ev)
	if r == nil || err != nil {
		return nil, err
	}
	j := b.jobs.Get(r.Job.ID)
	if ev.Kind == policy.Submitted {
		j = &job[T]{record: r}
		b.jobs.Put(r.Job.ID, j)
	} else if ev.Kind == policy.Ended {
		b.jobs.Delete(r.Job.ID)
	}
	return j, nil
}

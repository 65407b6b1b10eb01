package baseline

import (
	"cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// FIFO serves jobs in the order of their submission; ties go to the smaller ID. A job may start all its tasks before
// the next one gets a core. A step takes time logarithmic in the number of waiting jobs.
func FIFO() central.Order {
	o := inOrder(arrival)
	o.fixed, o.direct = true, central.BySubmission
	return o
}

// NewFIFO returns the policy whose turn is [FIFO].
func NewFIFO() *central.Scheduler { return of(FIFO()) }

// Ordered serves jobs in the caller's order. order compares two jobs by their descriptions, as for slices.SortFunc;
// it must always give the same answer for the same two jobs. Ties go to the earlier submission, then to the smaller
// ID. Nil makes it FIFO. A step takes time logarithmic in the number of waiting jobs.
func Ordered(order func(a, b *policy.Job) int) central.Order {
	if order == nil {
		return FIFO()
	}
	o := inOrder(func(a, b *entry) int {
		if c := order(a.job.Job, b.job.Job); c != 0 {
			return c
		}
		return arrival(a, b)
	})
	o.fixed = true
	return o
}

// NewOrdered returns the policy whose turn is [Ordered]: a policy of your own without writing Step.
func NewOrdered(order func(a, b *policy.Job) int) *central.Scheduler { return of(Ordered(order)) }

// Priority serves the job with the greatest [policy.Job.Priority] first. Ties go to the earlier submission,
// then to the smaller ID. A stream of urgent jobs starves the others.
func Priority() central.Order {
	return Ordered(func(a, b *policy.Job) int { return cmp.Compare(b.Priority, a.Priority) })
}

// NewPriority returns the policy whose turn is [Priority].
func NewPriority() *central.Scheduler { return of(Priority()) }

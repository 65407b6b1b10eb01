// Package baseline holds the policies that everything is compared with: [FIFO], [Fair],
// [SRPT], [Priority] and [Random]. They are central, they never preempt, and they start
// a task as soon as there is room for the one whose turn it is.
//
// They also show how a policy is written. Read fifo.go first: all but Random differ from
// it only in the order of the jobs.
package baseline

import (
	"iter"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// job is what these policies keep of a job besides what the View keeps.
type job struct {
	handle queue.Handle // in the queue of waiting jobs
	key    float64      // what the order goes by, if it is a number
}

type jobView = policy.JobView[job]

// inOrder serves jobs in an order. While the first job's next task, or gang, finds no
// room, the others wait with it, so that nothing wide starves.
type inOrder struct {
	view    policy.View[job]
	compare func(a, b *jobView) int
	waiting *queue.Heap[*jobView] // the jobs with something to start
}

func newInOrder(compare func(a, b *jobView) int) inOrder {
	return inOrder{compare: compare, waiting: queue.NewHeap(compare)}
}

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

package wing

import (
	"cmp"
	"math"

	"example.com/augur/policy/central"
)

// Compare is the order of jobs: in a queue the one with the greater priority goes first; of two queues the one
// that has room, then the one that uses less of what it is guaranteed. It does not look at how queues lie in one
// another, and of queues that are equal in this it does not know which has waited longer.
func (s *Hierarchy) Compare(a, b *central.Job) int {
	x, y := s.jobs.Get(a.Job.ID), s.jobs.Get(b.Job.ID)
	full := func(q *jobQueue) int {
		if q.asking && s.full(q) {
			return 1
		}
		return 0
	}
	if p, q := x.queue, y.queue; p != q {
		if c := cmp.Or(cmp.Compare(full(p), full(q)), cmp.Compare(s.state(p).relative(), s.state(q).relative())); c != 0 {
			return c
		}
	}
	return before(x, y)
}

// full reports whether the first job of a queue asks for more than the maximum of the queue, or of
// one above it, leaves.
func (s *Hierarchy) full(q *jobQueue) bool {
	asks := q.asks
	for ; q != nil; q = q.parent {
		if state := s.state(q); state.use+asks > state.maximum*(1+1e-9) && state.maximum < float64(s.slots()) {
			return true
		}
	}
	return false
}

// queueState is how a queue is doing, in cores, with all that are below it.
type queueState struct {
	use, guaranteed, maximum float64
}

// relative returns use by guarantee.
func (q queueState) relative() float64 {
	if q.guaranteed == 0 {
		return math.Inf(1)
	}
	return q.use / q.guaranteed
}

func (s *Hierarchy) state(q *jobQueue) (state queueState) {
	state.use, _ = s.tree.Use(q.handle)
	state.guaranteed, state.maximum, _ = s.tree.Limits(q.handle)
	return state
}

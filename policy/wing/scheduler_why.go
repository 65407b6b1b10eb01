package wing

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/view"
)

// An Explanation says why a job is where it is.
type Explanation struct {
	// Reason is what it waits for, in words:
	//
	//	waits for input                                 its host to say that a stage is ready
	//	waits for nothing                               all of it that is ready runs, or has run
	//	waits for jobs ahead of it                      in its queue
	//	is first, but its queue is full                 or one above that: it uses its maximum
	//	is first, but other queues are before its own   they use less of what they are guaranteed
	//	is first, but too few cores are free
	//	is next, but no nodes have room for it          as its host has said
	//	is first                                        nothing but a host that starts jobs itself
	Reason   string
	Queue    string       // where it waits; "" is the one of all jobs that have none of their own
	Priority float64      // that it goes by
	Own      float64      // that its ranker gave it
	From     policy.JobID // whom Priority is inherited from, 0 if it is its Own
	Until    policy.Time  // when its ranker will be asked again, Never if it will not
	Ahead    int          // jobs that wait before it in its queue; 0 if nothing of it waits
	Waiting  int          // jobs that wait in its queue
	Asks     int64        // cores of what it would start next, 0 if nothing of it waits
	Cores    int64        // that it has

	Use, Guaranteed, Maximum float64 // of its queue, in cores
}

// What jobs wait for.
const (
	notReady     = "waits for input"
	notWaiting   = "waits for nothing"
	behindOthers = "waits for jobs ahead of it"
	queueFull    = "is first, but its queue is full"
	othersFirst  = "is first, but other queues are before its own"
	noRoom       = "is first, but too few cores are free"
	refusedRoom  = "is next, but no nodes have room for it"
	isFirst      = "is first"
)

// queueState is how a queue is doing, in cores, with all that are below it.
type queueState struct {
	use, guaranteed, maximum float64
}

// String says it in one line, as in
//
//	waits for jobs ahead of it: 3 of 5 in queue "ads", priority 2.5 (own 1, from job 7);
//	the queue uses 40 cores, has 50, at most 80
func (e Explanation) String() string {
	ahead, from := "", ""
	if e.Reason == behindOthers {
		ahead = fmt.Sprintf(" %d of %d", e.Ahead, e.Waiting)
	}
	if e.From != 0 {
		from = fmt.Sprintf(" (own %.6g, from job %d)", e.Own, e.From)
	}
	return fmt.Sprintf("%s:%s in queue %q, priority %.6g%s; the queue uses %.6g cores, has %.6g, at most %.6g",
		e.Reason, ahead, e.Queue, e.Priority, from, e.Use, e.Guaranteed, e.Maximum)
}

// Explain is that of [Hierarchy].
func (s *Scheduler) Explain(id policy.JobID) (e Explanation, ok bool) { return s.queues.Explain(id) }

// Waiting is that of [Hierarchy].
func (s *Scheduler) Waiting() iter.Seq2[string, policy.JobID] { return s.queues.Waiting() }

// Explain says why a job is where it is, and false if it is not there. It takes time in proportion to
// the jobs that wait in its queue, and to the number of queues.
func (s *Hierarchy) Explain(id policy.JobID) (e Explanation, ok bool) {
	j := s.jobs.Get(id)
	if j == nil {
		return Explanation{}, false
	}
	e = Explanation{
		Queue: j.queue.name, Priority: j.priority, Own: j.own, From: j.from, Until: j.until,
		Waiting: j.queue.waiting.Len(), Cores: j.Cores,
	}
	state := s.state(j.queue)
	e.Use, e.Guaranteed, e.Maximum = state.use, state.guaranteed, state.maximum
	stage, waits := j.Next()
	if !waits {
		e.Reason = notReady
		if slices.ContainsFunc(j.Stages, func(st view.Stage) bool { return st.Ready }) {
			e.Reason = notWaiting
		}
		return e, true
	}
	e.Asks = j.Job.Job.Stages[stage].Width()
	for k := range j.queue.waiting.All() {
		if before(k, j) < 0 {
			e.Ahead++
		}
	}
	next, ok := s.tree.Next()
	switch {
	case e.Ahead > 0:
		e.Reason = behindOthers
	case s.full(j.queue):
		e.Reason = queueFull
	case ok && next != j.queue, !ok && s.behind(j.queue):
		e.Reason = othersFirst
	case j.Refused:
		e.Reason = refusedRoom
	case ok && s.view.Fits(j.Job):
		e.Reason = isFirst
	default:
		e.Reason = noRoom
	}
	return e, true
}

// full reports whether the first job of a queue asks for more than the maximum of the queue, or of
// one above it, leaves.
func (s *Hierarchy) full(q *jobQueue) bool {
	asks := q.asks
	for ; q != nil; q = q.parent {
		if state := s.state(q); state.use+asks > state.maximum*(1+1e-9) && state.maximum < s.capacity() {
			return true
		}
	}
	return false
}

// behind reports whether some other queue of which something waits, and that is not full, goes before
// this one once cores are free: where their ways up meet, it uses less of what it is guaranteed.
func (s *Hierarchy) behind(q *jobQueue) bool {
	for _, other := range s.listed {
		if other == q || !other.asking || s.full(other) {
			continue
		}
		for x := q; x != nil; x = x.parent {
			for y := other; y != nil; y = y.parent {
				if x != y && x.parent == y.parent && s.state(y).relative() < s.state(x).relative() {
					return true
				}
			}
		}
	}
	return false
}

// relative returns use by guarantee.
func (q queueState) relative() float64 {
	if q.guaranteed == 0 {
		return math.Inf(1)
	}
	return q.use / q.guaranteed
}

func (s *Hierarchy) capacity() float64 {
	return float64(s.slots())
}

func (s *Hierarchy) state(q *jobQueue) (state queueState) {
	state.use, _ = s.tree.Use(q.handle)
	state.guaranteed, state.maximum, _ = s.tree.Limits(q.handle)
	return state
}

// Waiting yields the jobs that have something to start, with their queues: queue by queue in the
// order of Config.Queues, and in each the next job first. It takes O(n log n) time.
func (s *Hierarchy) Waiting() iter.Seq2[string, policy.JobID] {
	return func(yield func(string, policy.JobID) bool) {
		for _, q := range s.listed {
			for _, j := range slices.SortedFunc(q.waiting.All(), before) {
				if !yield(q.name, j.Job.Job.ID) {
					return
				}
			}
		}
	}
}

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

package wing

import (
	"cmp"
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/queue"
)

// Scheduler serves the jobs of each queue by priority, greatest first; ties go to the earlier submission, then to the
// smaller ID. A [queue.Tree] decides which queue is next: the one with the least use divided by its guaranteed share,
// as in YARN's CapacityScheduler.
//
// The first job of a queue starts its next unit: a whole stage if it is a gang, else one task. If there is no room
// for it, jobs behind it wait too, so that nothing wide starves. If the cluster has no room, the jobs of all queues
// wait; if its queue has reached its maximum, only those of this queue wait. A gang that is wider than its queue's
// maximum starts when the queue has nothing else running. Nothing is preempted.
//
// Priorities may change while jobs wait, at instants that the [Ranker] announces. A heap holds these instants, so a
// step looks only at jobs whose priorities have changed. If cores are free and something waits, the Scheduler sets an
// alarm for the next instant, since only then a new order may start a job.
//
// # Cost
//
// Step takes time logarithmic in the number of waiting jobs, for each event, each action and each priority that
// changes, and in the number of queues. When a node comes or goes it looks at all queues. With Config.Inherit, a job
// that comes, gets its input or changes priority takes time in proportion to the jobs that it waits for, and to those
// that these wait for as far as their priorities change too. If an inherited priority falls, that includes the other
// jobs that wait for the same job. Step allocates only when a job comes or ends, and while tables grow.
//
// In a restart, each job is ranked anew at the present instant.
//
// # Source
//
// Wing, sections 5 and 6. How gangs and queues wait for room is ours: the paper does not say.
type Scheduler struct {
	*central.Scheduler
	queues *Turn
}

// Turn is that of a [Scheduler]: queues within queues, and in each queue an order by priority.
type Turn struct {
	ranker  Ranker
	inherit Inheritance

	view   *central.View
	slots  func() int64
	jobs   policy.Table[policy.JobID, job]
	queues map[string]*jobQueue
	listed []*jobQueue // the same in the order of Config.Queues, and "" at the end
	asking int         // queues of which something waits
	tree   *queue.Tree[*jobQueue]

	changes *queue.Heap[*job] // what waits, by when its priority changes
	heirs   heirs
}

// job is a Turn's record of a job.
type job struct {
	*central.Job
	wants   bool
	queue   *jobQueue
	charged int64        // cores, to queue
	waiting queue.Handle // in queue.waiting

	own      float64      // by the ranker
	until    policy.Time  // when to ask it again
	change   queue.Handle // in changes
	priority float64      // own, or inherited if that is more
	from     policy.JobID // whom it is inherited from, 0 if from nobody
}

// jobQueue is a queue of the configuration.
type jobQueue struct {
	name    string
	parent  *jobQueue // nil: the whole cluster
	inner   bool      // it has queues below it
	handle  queue.Handle
	waiting *queue.Heap[*job] // the jobs with something to start
	asks    float64           // of the tree, for the first one; meaningless if none waits
	asking  bool
}

// before is the order of the jobs of a queue.
func before(a, b *job) int { return order(b.priority, a.priority, a, b) }

// order compares two keys, then the submissions of their jobs, then the IDs.
func order[T cmp.Ordered](x, y T, a, b *job) int {
	if c := cmp.Compare(x, y); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Job.Job.Submitted, b.Job.Job.Submitted), cmp.Compare(a.Job.Job.ID, b.Job.Job.ID))
}

// Bind implements [central.Turn].
func (s *Turn) Bind(b central.Books) error {
	if err := b.Enter(&s.view); err != nil {
		return err
	}
	s.slots = b.Slots
	return nil
}

// Next implements [central.Turn].
func (s *Turn) Next() *central.Job {
	q, ok := s.tree.Next()
	if !ok {
		return nil
	}
	j, ok := q.waiting.Peek()
	if !ok {
		return nil
	}
	return j.Job
}

// Until returns when the priority of a waiting job changes next, policy.Never if none does.
func (s *Turn) Until() policy.Time {
	if first, ok := s.changes.Peek(); ok && s.asking > 0 {
		return first.until
	}
	return policy.Never
}

// Compare orders jobs: within a queue the greater priority goes first. Of two queues the one that has room goes
// first, then the one that uses less of its guarantee. It ignores how queues are nested, and if two queues are equal
// it does not know which has waited longer.
func (s *Turn) Compare(a, b *central.Job) int {
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

// full reports whether the first job of a queue wants more than is left of the maximum of the queue or of one above it.
func (s *Turn) full(q *jobQueue) bool {
	asks := q.asks
	for ; q != nil; q = q.parent {
		if state := s.state(q); state.use+asks > state.maximum*(1+1e-9) && state.maximum < float64(s.slots()) {
			return true
		}
	}
	return false
}

// queueState is the state of a queue in cores, including all queues below it.
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

func (s *Turn) state(q *jobQueue) (state queueState) {
	state.use, _ = s.tree.Use(q.handle)
	state.guaranteed, state.maximum, _ = s.tree.Limits(q.handle)
	return state
}

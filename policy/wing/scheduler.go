package wing

import (
	"cmp"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// Scheduler serves the jobs of each queue in the order of their priorities, greatest first; ties go
// to the earlier submission, then to the smaller ID. Whose queue is next, a [queue.Tree] says: the
// one with the least use by guaranteed share, as in YARN's CapacityScheduler.
//
// The job that is first in its queue starts its next unit, which is a whole stage if that is a gang,
// and else one task. While there is no room for it the jobs behind it wait too, so that nothing wide
// starves: for room in the cluster those of all queues, for room in its queue (its maximum) those of
// this queue only. A gang that is wider than its queue's maximum starts when the queue has nothing
// else running. Nothing is preempted.
//
// Priorities may change while jobs wait, at instants that the [Ranker] says beforehand: a heap holds
// them, so that a step looks only at jobs whose priorities have changed. The Scheduler sets an alarm
// for the next one when cores are free and something waits, since only then another order may start
// a job.
//
// # Cost
//
// Step takes time logarithmic in the number of jobs that wait, for each event, each action and each
// priority that changes, and in the number of queues; when a node comes or goes it looks at all queues.
// With Config.Inherit, a job that comes, gets its input or changes priority takes time in proportion
// to the jobs that it waits for, and to those that these wait for as far as their priorities change
// too; where a priority falls that was inherited, also to the jobs that wait beside. It allocates
// only when a job comes or ends, and while tables grow.
//
// In a restart, each job is ranked anew at the present instant.
//
// # Source
//
// Wing, sections 5 and 6. How gangs and queues wait for room is ours: the paper does not
// say.
type Scheduler struct {
	ranker  Ranker
	inherit Inheritance

	view   policy.View[job]
	now    policy.Time // of the last event
	queues map[string]*jobQueue
	listed []*jobQueue // the same in the order of Config.Queues, and "" at the end
	asking int         // queues of which something waits
	tree   *queue.Tree[*jobQueue]
	cores  []int64 // of the nodes that are there, by ID
	total  int64   // of all of them

	changes *queue.Heap[*jobView] // what waits, by when its priority changes
	alarm   policy.Time           // for which the host was asked, Never if for none
	heirs   heirs
}

type jobView = policy.JobView[job]

// job is what a Scheduler keeps of a job, besides what the View keeps.
type job struct {
	queue   *jobQueue
	charged int64        // cores, to queue
	waiting queue.Handle // in queue.waiting

	own      float64      // by the ranker
	until    policy.Time  // when to ask it again
	change   queue.Handle // in changes
	priority float64      // own, or inherited if that is more
	from     policy.JobID // whom it is inherited from, 0 if from nobody
	refused  bool         // the host found no room for its last Start
}

// jobQueue is a queue of the configuration.
type jobQueue struct {
	name    string
	parent  *jobQueue // nil: the whole cluster
	inner   bool      // it has queues below it
	handle  queue.Handle
	waiting *queue.Heap[*jobView] // the jobs with something to start
	asks    float64               // of the tree, for the first one; meaningless if none waits
	asking  bool
}

// before is the order of the jobs of a queue.
func before(a, b *jobView) int { return order(b.Own.priority, a.Own.priority, a, b) }

// order compares two keys, then the submissions of their jobs, then the IDs.
func order[T cmp.Ordered](x, y T, a, b *jobView) int {
	if c := cmp.Compare(x, y); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.Job.Submitted, b.Job.Submitted), cmp.Compare(a.Job.ID, b.Job.ID))
}

// Step implements [policy.Scheduler].
func (s *Scheduler) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	j, err := s.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	s.now = ev.Time
	if j != nil {
		s.note(j, ev)
	}
	switch ev.Kind {
	case policy.Joined:
		s.resize(ev.Node, int64(ev.Info.Cores))
	case policy.Left:
		s.resize(ev.Node, 0)
	case policy.Woken:
		s.alarm = Never
	}
	s.renew()
	if ev.More || ev.Replay {
		return actions, nil
	}
	if s.view.Decide(ev) { // else something was refused, and its cores are free again
		actions = s.start(actions)
	}
	return s.wake(actions), nil
}

// start starts what is next as long as there is room for it.
func (s *Scheduler) start(actions []policy.Action) []policy.Action {
	for {
		q, ok := s.tree.Next()
		if !ok {
			return actions
		}
		j, ok := q.waiting.Peek()
		if !ok || !s.view.Fits(j) {
			return actions
		}
		actions = append(actions, s.view.Start(j, 0))
		s.place(j)
		if j.Own.refused {
			return actions // it tries alone until one of its units gets through
		}
	}
}

// wake sets the alarm for the next change of a priority, if that may let something start.
func (s *Scheduler) wake(actions []policy.Action) []policy.Action {
	at := Never
	if first, ok := s.changes.Peek(); ok && s.asking > 0 && s.view.Free(0) > 0 {
		at = first.Own.until
	}
	if at != s.alarm {
		s.alarm = at
		actions = append(actions, policy.Action{Kind: policy.Wake, At: at})
	}
	return actions
}

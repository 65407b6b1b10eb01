package wing

import (
	"math"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// Note implements [central.Turn].
func (s *Turn) Note(ev *policy.Event, j *central.Job) error {
	switch ev.Kind {
	case policy.Joined, policy.Left:
		s.resize()
	case policy.Submitted:
		o := &job{Job: j, queue: s.queueOf(j.Job)}
		s.jobs.Put(j.Job.ID, o)
		s.rank(o)
		o.priority = o.own
		if s.inherit != FromNone {
			s.heirs.submitted(s, o)
		}
	case policy.Ready:
		if s.inherit != FromNone {
			s.heirs.ready(s, s.jobs.Get(j.Job.ID))
		}
	case policy.Ended:
		o := s.jobs.Get(j.Job.ID)
		s.jobs.Delete(j.Job.ID)
		if s.inherit != FromNone {
			s.heirs.ended(s, o)
		}
	}
	if j == nil || ev.Kind == policy.Ended { // else an Update follows
		s.renew()
	}
	return nil
}

// rank asks the Ranker for a job's own priority.
func (s *Turn) rank(j *job) {
	j.own, j.until = s.ranker.Rank(j.Job.Job, s.view.Now())
	if math.IsNaN(j.own) {
		j.own = math.Inf(-1)
	}
	if j.until <= s.view.Now() {
		j.until = policy.Never
	}
}

// renew updates the priorities that have changed by now.
func (s *Turn) renew() {
	for {
		j, ok := s.changes.Peek()
		if !ok || j.until > s.view.Now() {
			return
		}
		s.rerank(j)
		s.watch(j)
	}
}

// rerank updates the priority of a job and of those that inherit from it.
func (s *Turn) rerank(j *job) {
	own := j.own
	if s.rank(j); j.own != own {
		s.settle(j)
	}
}

// Update implements [central.Turn]. It updates the place of a job in its queue, and the cores that the queue uses for it.
func (s *Turn) Update(j *central.Job, u central.Usage) {
	o := s.jobs.Get(j.Job.ID)
	o.wants = u.Wants
	if d := u.Cores - o.charged; d != 0 {
		o.charged = u.Cores
		s.tree.Charge(o.queue.handle, float64(d))
	}
	s.watch(o)
	switch {
	case !u.Wants:
		o.queue.waiting.Remove(o.waiting)
	case !o.queue.waiting.Fix(o.waiting):
		o.waiting = o.queue.waiting.Push(o)
	}
	s.ask(o.queue)
	s.renew()
}

// watch keeps the instant at which the priority of a job changes, as long as something of it waits: for room, or for
// jobs that inherit its priority. If nothing waited for a while, the instant may have passed; renew, which follows,
// then ranks the job again.
func (s *Turn) watch(j *job) {
	if !j.wants && !s.heirs.hands(j.Job.Job.ID) {
		s.changes.Remove(j.change)
		return
	}
	switch {
	case j.until == policy.Never:
		s.changes.Remove(j.change)
	case !s.changes.Fix(j.change):
		j.change = s.changes.Push(j)
	}
}

// ask tells the tree what the first job of a queue wants. A job that wants more than the queue's maximum waits until
// it has the whole maximum.
func (s *Turn) ask(q *jobQueue) {
	j, ok := q.waiting.Peek()
	if !ok {
		if q.asking {
			q.asking = false
			s.asking--
			s.tree.Leave(q.handle)
		}
		return
	}
	_, maximum, _ := s.tree.Limits(q.handle)
	asks := 1.0 // of a copy
	if stage, ok := j.Next(); ok {
		asks = float64(j.Job.Job.Stages[stage].Width())
	}
	asks = min(asks, maximum)
	if !q.asking {
		q.asking = true
		s.asking++
	} else if asks == q.asks {
		return
	}
	q.asks = asks
	s.tree.Join(q.handle, asks)
}

// resize updates the cores of the cluster, which have changed.
func (s *Turn) resize() {
	slots := s.slots()
	if slots == 0 {
		return // nothing can start, whatever the limits
	}
	_ = s.tree.SetCapacity(float64(slots)) // which is above 0
	for _, q := range s.listed {
		s.ask(q)
	}
}

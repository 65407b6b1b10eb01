package wing

import (
	"math"
	"slices"

	"example.com/augur/policy"
)

// note takes note of an event about a job.
func (s *Scheduler) note(j *jobView, ev *policy.Event) {
	o := &j.Own
	switch ev.Kind {
	case policy.Submitted:
		o.queue = s.queueOf(j.Job)
		s.rank(j)
		o.priority = o.own
		if s.inherit != FromNone {
			s.heirs.submitted(s, j)
		}
	case policy.Ready:
		if s.inherit != FromNone {
			s.heirs.ready(s, j)
		}
	case policy.Started, policy.Refused:
		o.refused = ev.Kind == policy.Refused
	}
	s.place(j)
	if ev.Kind == policy.Ended && s.inherit != FromNone {
		s.heirs.ended(s, j)
	}
}

// rank asks for the priority of a job by itself.
func (s *Scheduler) rank(j *jobView) {
	o := &j.Own
	o.own, o.until = s.ranker.Rank(j.Job, s.now)
	if math.IsNaN(o.own) {
		o.own = math.Inf(-1)
	}
	if o.until <= s.now {
		o.until = Never
	}
}

// renew brings the priorities that have changed by now up to date.
func (s *Scheduler) renew() {
	for {
		j, ok := s.changes.Peek()
		if !ok || j.Own.until > s.now {
			return
		}
		s.rerank(j)
		s.watch(j)
	}
}

// rerank brings the priority of a job up to date, and of those whom it hands it on to.
func (s *Scheduler) rerank(j *jobView) {
	own := j.Own.own
	if s.rank(j); j.Own.own != own {
		s.settle(j)
	}
}

// place brings the place of a job in its queue, and the cores that the queue uses for it, up to
// date.
func (s *Scheduler) place(j *jobView) {
	o := &j.Own
	if d := j.Cores - o.charged; d != 0 {
		o.charged = j.Cores
		s.tree.Charge(o.queue.handle, float64(d))
	}
	s.watch(j)
	switch {
	case j.Waiting == 0:
		o.queue.waiting.Remove(o.waiting)
	case !o.queue.waiting.Fix(o.waiting):
		o.waiting = o.queue.waiting.Push(j)
	}
	s.ask(o.queue)
}

// watch keeps the instant at which the priority of a job changes, as long as something of it
// waits: for room, or for other jobs to which it hands its priority on. If it was not watched
// meanwhile the instant may have passed, and renew, which follows, ranks the job anew.
func (s *Scheduler) watch(j *jobView) {
	o := &j.Own
	if j.Waiting == 0 && !s.heirs.hands(j.Job.ID) {
		s.changes.Remove(o.change)
		return
	}
	switch {
	case o.until == Never:
		s.changes.Remove(o.change)
	case !s.changes.Fix(o.change):
		o.change = s.changes.Push(j)
	}
}

// ask tells the tree what the first job of a queue wants. One that wants more than the queue may
// have waits until it has all of that.
func (s *Scheduler) ask(q *jobQueue) {
	j, ok := q.waiting.Peek()
	if !ok {
		if q.asking {
			q.asking = false
			s.asking--
			s.tree.Leave(q.handle)
		}
		return
	}
	stage, _ := j.Next()
	_, maximum, _ := s.tree.Limits(q.handle)
	asks := min(float64(j.Job.Stages[stage].Width()), maximum)
	if !q.asking {
		q.asking = true
		s.asking++
	} else if asks == q.asks {
		return
	}
	q.asks = asks
	s.tree.Join(q.handle, asks)
}

// resize takes note of the cores that a node has, 0 if it has left.
func (s *Scheduler) resize(n policy.NodeID, cores int64) {
	if int(n) >= len(s.cores) {
		s.cores = slices.Grow(s.cores, int(n)+1-len(s.cores))[:n+1]
	}
	s.total += cores - s.cores[n]
	s.cores[n] = cores
	if s.total == 0 {
		return // nothing can start, whatever the limits
	}
	s.tree.SetCapacity(float64(s.total))
	for _, q := range s.listed {
		s.ask(q)
	}
}

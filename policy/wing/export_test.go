package wing

import "example.com/augur/policy"

// Queues returns the turn.
func (s *Scheduler) Queues() *Turn { return s.queues }

// Priority returns the priority that a job goes by, and false if it is not there. Of a job of which
// nothing waits it is the one that it had last.
func (s *Scheduler) Priority(id policy.JobID) (priority float64, ok bool) {
	j := s.queues.jobs.Get(id)
	if j == nil {
		return 0, false
	}
	return j.priority, true
}

// Use returns how many cores the queue of a job uses, and how many it may use at most.
func (s *Scheduler) Use(id policy.JobID) (use, maximum float64, ok bool) {
	j := s.queues.jobs.Get(id)
	if j == nil {
		return 0, 0, false
	}
	state := s.queues.state(j.queue)
	return state.use, state.maximum, true
}

// Inherited returns the priority of a job by itself, and from whom it inherits.
func (s *Scheduler) Inherited(id policy.JobID) (own float64, from policy.JobID) {
	j := s.queues.jobs.Get(id)
	return j.own, j.from
}

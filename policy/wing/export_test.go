package wing

import "example.com/augur/policy"

// Queues returns the turn.
func (s *Scheduler) Queues() *Hierarchy { return s.queues }

// Priority returns the priority that a job goes by, and false if it is not there. Of a job of which
// nothing waits it is the one that it had last. Explain tells it too, in more time.
func (s *Scheduler) Priority(id policy.JobID) (priority float64, ok bool) {
	j := s.queues.jobs.Get(id)
	if j == nil {
		return 0, false
	}
	return j.priority, true
}

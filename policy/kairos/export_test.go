package kairos

import "example.com/augur/policy"

// What tests from without look at.

func (s *Scheduler) Where(c policy.Copy) (node policy.NodeID, ok bool) { return s.where(c) }

// TasksOn returns how many tasks a centre knows of on a node.
func (s *Scheduler) TasksOn(centre int, node policy.NodeID) int64 {
	tasks, _, _ := s.centres[centre].Node(node)
	return tasks
}

func (c *Central[T]) Give(task T) (a Assignment[T], ok bool) { return c.give(task) }

// Paused reports whether a job waits after a refusal, before a task of it is sent out again.
func (s *Scheduler) Paused(id policy.JobID) bool {
	j := s.view.Job(id)
	return j != nil && j.Own.until != 0
}

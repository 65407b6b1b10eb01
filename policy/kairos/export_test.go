package kairos

import (
	"example.com/augur/policy"
)

// What tests from without look at.

func (s *Scheduler) Where(c policy.Copy) (node policy.NodeID, ok bool) { return s.nodes.where(c) }

// Sent reports whether a copy of a task has been sent to a node and has not ended.
func (s *Nodes) Sent(t policy.Task) bool {
	for a := range s.sent(t.Job) {
		if a.Task.Task == t {
			return true
		}
	}
	return false
}

// TasksOn returns how many tasks a centre knows of on a node.
func (s *Scheduler) TasksOn(centre int, node policy.NodeID) int64 {
	tasks, _, _ := s.nodes.centres[centre].Node(node)
	return tasks
}

func (c *Central[T]) Give(task T) (a Assignment[T], ok bool) { return c.give(task) }

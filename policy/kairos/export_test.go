package kairos

import (
	"example.com/augur/policy"
)

// What tests from without look at.

func (s *Scheduler) Where(c policy.Copy) (node policy.NodeID, ok bool) { return s.nodes.where(c) }

// TasksOn returns how many tasks a centre knows of on a node.
func (s *Scheduler) TasksOn(centre int, node policy.NodeID) int64 {
	tasks, _, _ := s.nodes.centres[centre].Node(node)
	return tasks
}

func (c *Central[T]) Give(task T) (a Assignment[T], ok bool) { return c.give(task) }

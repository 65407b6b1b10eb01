package kairos

import (
	"iter"

	"example.com/augur/policy"
)

// Pending returns the number of tasks in the queue.
func (c *Central[T]) Pending() int { return c.line.len() }

// Full reports whether all nodes are full, so that nothing can be sent.
func (c *Central[T]) Full() bool { return !c.order.any() }

// Nodes yields the nodes that are there, by increasing ID. None may join or leave meanwhile.
func (c *Central[T]) Nodes() iter.Seq[policy.NodeID] {
	return func(yield func(policy.NodeID) bool) {
		for id := range c.workers.All() {
			if !yield(id) {
				return
			}
		}
	}
}

// A NodeState is what a centre knows of a node.
type NodeState struct {
	Cores int
	Tasks int64  // at most so many, on their way or there
	Held  int    // of this centre's assignments, those whose ends have not been heard
	Sent  uint64 // number of the last assignment, or of the node's joining

	// By the last heartbeat that was taken; all 0 before.
	Seen          uint64
	Others        int
	Variance, Sum float64 // in the units of the Report
}

// Node returns what the centre knows of a node, and false if that is not there.
func (c *Central[T]) Node(id policy.NodeID) (NodeState, bool) {
	w := c.workers.Get(id)
	if w == nil {
		return NodeState{}, false
	}
	return NodeState{
		Cores: int(w.cores), Tasks: w.tasks(), Held: len(w.held), Sent: w.sent,
		Seen: w.seen, Others: w.others, Variance: w.variance, Sum: w.sum,
	}, true
}

// On yields the assignments of a node whose ends have not been heard, by number; nothing if
// the node is not there. The centre must not change meanwhile.
func (c *Central[T]) On(node policy.NodeID) iter.Seq[Assignment[T]] {
	return func(yield func(Assignment[T]) bool) {
		w := c.workers.Get(node)
		if w == nil {
			return
		}
		for _, h := range w.held {
			if !yield(Assignment[T]{h.task, node, h.number}) {
				return
			}
		}
	}
}

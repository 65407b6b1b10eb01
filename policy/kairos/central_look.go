package kairos

import (
	"iter"

	"example.com/augur/policy"
)

// Pending returns the number of tasks in the queue.
func (c *Central[T]) Pending() int { return c.line.len() }

// full reports whether all nodes are full, so that nothing can be sent.
func (c *Central[T]) full() bool { return !c.order.any() }

// nodes yields the nodes that are there, by increasing ID. None may join or leave meanwhile.
func (c *Central[T]) nodes() iter.Seq[policy.NodeID] {
	return func(yield func(policy.NodeID) bool) {
		for id := range c.workers.All() {
			if !yield(id) {
				return
			}
		}
	}
}

// Node returns how many tasks a node has at most, on their way or there, and the number of the last
// assignment to it, or of its joining; and false if it is not there.
func (c *Central[T]) Node(id policy.NodeID) (tasks int64, sent uint64, ok bool) {
	w := c.workers.Get(id)
	if w == nil {
		return 0, 0, false
	}
	return w.tasks(), w.sent, true
}

// on yields the assignments of a node whose ends have not been heard, by number; nothing if
// the node is not there. The centre must not change meanwhile.
func (c *Central[T]) on(node policy.NodeID) iter.Seq[Assignment[T]] {
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

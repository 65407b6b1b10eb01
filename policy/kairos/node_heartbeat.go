package kairos

import "example.com/augur/policy"

// Heartbeat returns what the centre is to know of a node at an instant (lines 46 to 50): the
// number of tasks that it holds, running, suspended and waiting; the variance of their attained
// services as a population, in s²; and the sum of these services, in s. All are 0 if there are
// no tasks. An instant before the node's last event is taken as that.
//
// It takes O(cores) time. Only the services of tasks that run grow, so the others are kept in
// running sums, and those that run are added to a copy of these.
func (n *Node[K]) Heartbeat(now policy.Time) (tasks int, variance, sum float64) {
	clock := n.look(now)
	all := n.still
	for i := range n.cores {
		if c := &n.cores[i]; c.task != 0 {
			all.add(clock - c.birth)
		}
	}
	return n.len(), all.variance(), all.total()
}

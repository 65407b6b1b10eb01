package kairos

import (
	"iter"

	"example.com/augur/policy"
)

// A Status says how a task on a [Node] is at an instant, and so why it runs or waits.
type Status[K comparable] struct {
	Task     K
	State    State
	Core     int             // Running: where; else 0
	Attained policy.Duration // for how long it has run so far
	Since    policy.Time     // when it got its core; since when it has had no service; when it came to wait
	Timer    policy.Time     // Running: when its core's timer fires; else 0
	// Undisturbed: it had starved, and is now left alone until Timer.
	Undisturbed bool
	// Starving: it has had no service for Counter quanta, and the rule is NotServed.
	Starving bool
	// Preemptions is how often it has been preempted since it was last left Undisturbed.
	Preemptions int
}

// len returns the number of tasks on the node.
func (n *Node[K]) len() int { return n.held[Running] + n.held[Suspended] + n.held[Waiting] }

// stateOf returns what a task does, 0 if the node has no such task.
func (n *Node[K]) stateOf(id K) State {
	i, ok := n.find(id)
	if !ok {
		return 0
	}
	return n.tasks[i].state
}

// All yields how the tasks are at an instant: those that run by their cores, then those that
// are suspended, in no promised order, then those that wait, in the order in which they came.
// An instant before the node's last event is taken as that. The node must not change
// meanwhile.
func (n *Node[K]) All(now policy.Time) iter.Seq[Status[K]] {
	return func(yield func(Status[K]) bool) {
		clock := n.look(now)
		for i := range n.cores {
			if i := n.cores[i].task; i != 0 && !yield(n.status(clock, i)) {
				return
			}
		}
		for w := range n.youth.All() {
			if !yield(n.status(clock, w.task)) {
				return
			}
		}
		for i := n.tasks[0].next; i != 0; i = n.tasks[i].next {
			if !yield(n.status(clock, i)) {
				return
			}
		}
	}
}

// look returns an instant on the node's clock for those who change nothing.
func (n *Node[K]) look(now policy.Time) policy.Duration {
	clock, err := n.at(now)
	if err != nil || !n.began {
		return n.clock
	}
	return clock
}

func (n *Node[K]) status(clock policy.Duration, i uint32) Status[K] {
	t := &n.tasks[i]
	s := Status[K]{
		Task: t.id, State: t.state, Attained: t.attained, Since: n.instant(t.since), Preemptions: int(t.preemptions),
		Starving: t.state == Suspended && n.starves(clock, i),
	}
	if t.state == Running {
		c := &n.cores[t.core]
		s.Core, s.Attained, s.Timer, s.Undisturbed = int(t.core), clock-c.birth, n.instant(c.due), c.undisturbed
		if c.due < clock && n.held[Suspended] == 0 {
			s.Timer, s.Undisturbed = n.instant(n.renewed(c, clock)), false
		}
	}
	return s
}

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

package kairos

import (
	"cmp"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// A waiter is a suspended task as it is ranked for service, by its attained service or, with
// none for all, by its turn.
type waiter struct {
	attained policy.Duration
	turn     uint64
	task     uint32
}

func compareWaiters(a, b waiter) int {
	if c := cmp.Compare(a.attained, b.attained); c != 0 {
		return c
	}
	return cmp.Compare(a.turn, b.turn)
}

// A place is where a task is in Node.youth and in Node.unrest.
type place struct{ youth, unrest queue.Handle }

// age returns the key of a core with a task among the oldest. Since births do not change
// while tasks run, neither does the order.
func (c *core) age() uint64 {
	age := uint64(c.birth + maxSpan + 1) // not negative
	if c.undisturbed {
		age |= 1 << 63 // after all that may be disturbed
	}
	return age
}

// next returns the suspended task that is to run next, and whether it is then left
// undisturbed.
func (n *Node[K]) next() (i uint32, undisturbed, ok bool) {
	if n.starving() {
		longest, _ := n.unrest.Peek()
		return longest.task, true, true
	}
	youngest, ok := n.youth.Peek()
	if !ok {
		return 0, false, false
	}
	disturbed := uint64(n.tasks[youngest.task].preemptions) >= uint64(n.config.Counter)
	return youngest.task, disturbed && n.config.Starvation == Preempted, true
}

// starving reports whether the task that has had no service for longest starves.
func (n *Node[K]) starving() bool {
	longest, ok := n.unrest.Peek()
	return ok && n.starves(n.clock, longest.task)
}

// starves reports whether a suspended task starves.
func (n *Node[K]) starves(clock policy.Duration, i uint32) bool {
	return n.config.Starvation == NotServed &&
		clock-n.tasks[i].since >= policy.Duration(n.config.Counter)*n.config.Quantum
}

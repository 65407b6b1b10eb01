package kairos

import "example.com/augur/policy"

// TimersFired lets each core whose timer is due go on or change its task, in the order in which
// they were due, lower cores first, and appends what is to be done. If none is due it changes
// nothing. The error says that time goes back.
func (n *Node[K]) TimersFired(now policy.Time, moves []Move[K]) ([]Move[K], error) {
	clock, err := n.at(now)
	if err != nil {
		return moves, err
	}
	n.set(now, clock)
	for c, due := n.timers.first(); due <= uint64(clock); c, due = n.timers.first() {
		moves = n.ask(c, moves)
	}
	return moves, nil
}

// NextTimer returns the instant at which the next timer fires that may change anything, and false if
// no task runs or none is suspended. So a host need not wake for a task that has its core to
// itself: the node renews such timers itself before the next task comes, each as if it had
// fired in time.
func (n *Node[K]) NextTimer() (at policy.Time, ok bool) {
	_, due := n.timers.first()
	if due == last || n.held[Suspended] == 0 {
		return 0, false
	}
	return n.instant(policy.Duration(due)), true
}

// renew lets the timers fire that were due before an instant while no task was suspended,
// which a host need not have noticed: see Next.
func (n *Node[K]) renew(before policy.Duration) {
	if n.held[Suspended] > 0 {
		return
	}
	for c, due := n.timers.first(); due < uint64(before); c, due = n.timers.first() {
		n.occupy(c, n.renewed(&n.cores[c], before), false)
	}
}

// renewed returns when the timer of a core is due next that has fired, quantum by quantum, before
// an instant.
func (n *Node[K]) renewed(c *core, before policy.Duration) policy.Duration {
	quanta := (before-1-c.due)/n.config.Quantum + 1
	return c.due + quanta*n.config.Quantum
}

// ask lets the task on a core, whose timer fires, go on or give way (lines 30 to 45).
func (n *Node[K]) ask(c int32, moves []Move[K]) []Move[K] {
	at := &n.cores[c]
	if n.held[Suspended] == 0 {
		n.occupy(c, n.renewed(at, n.clock+1), false)
		return moves
	}
	if i, undisturbed, ok := n.next(); ok && (n.starving() || n.clock-at.birth-n.tasks[i].attained >= n.config.Lead) {
		moves = n.suspend(c, n.tasks[i].place, moves)
		n.rise(i)
		return n.run(i, c, undisturbed, moves)
	}
	n.occupy(c, n.clock+n.config.Quantum, false)
	return moves
}

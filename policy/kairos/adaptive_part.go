package kairos

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// A server is what serves the tasks of a node: a [Node], or an [AdaptiveNode].
type server interface {
	TaskArrived(now policy.Time, id policy.Copy, memory int64, moves []Move[policy.Copy]) ([]Move[policy.Copy], error)
	TaskEnded(now policy.Time, id policy.Copy, moves []Move[policy.Copy]) ([]Move[policy.Copy], error)
	TaskServed(now policy.Time, id policy.Copy, service policy.Duration) error
	TimersFired(now policy.Time, moves []Move[policy.Copy]) ([]Move[policy.Copy], error)
	NextTimer() (at policy.Time, ok bool)

	Accepts(now policy.Time, memory int64, claim policy.Duration) bool
	len() int
	stateOf(id policy.Copy) state
	restored(now policy.Time, id policy.Copy, memory int64, service policy.Duration, runs bool) error
	fill(now policy.Time, moves []Move[policy.Copy]) ([]Move[policy.Copy], error)
}

// len returns the number of tasks on the node.
func (n *AdaptiveNode[K]) len() (tasks int) {
	for i := range n.cores {
		if n.cores[i].runs.there {
			tasks++
		}
		if n.cores[i].waits.there {
			tasks++
		}
	}
	return tasks + len(n.loose)
}

// stateOf returns how a task is, 0 if the node has no such task.
func (n *AdaptiveNode[K]) stateOf(id K) state {
	m := n.find(id)
	if m == nil {
		return 0
	}
	for i := range n.cores {
		if m == &n.cores[i].runs {
			return running
		}
	}
	return suspended
}

// restored adds a task that is there already after a restart of the host, with the service that it has attained so
// far: on an idle core, or suspended. Its time suspended is unknown, and counts as equal to its service, so its
// credit is 0. When all are there, call fill. It returns an error if time goes back, if the node has the task
// already, if no idle core or no memory is left for it, or if the service is not 0 s to 2^62-1 ns.
func (n *AdaptiveNode[K]) restored(now policy.Time, id K, memory int64, service policy.Duration, runs bool) error {
	core := n.idle()
	switch {
	case n.find(id) != nil:
		return fmt.Errorf("kairos: task %v is on the node already", id)
	case memory < 0 || !n.fits(memory):
		return fmt.Errorf("kairos: task %v has %d bytes, but of %d only %d are left", id, memory, n.config.Memory, n.config.Memory-n.memory)
	case service < 0 || service > maxSpan:
		return fmt.Errorf("kairos: task %v has run for %v, want 0 s to %v", id, service, maxSpan)
	case runs && core < 0:
		return fmt.Errorf("kairos: task %v runs, but all %d cores have tasks", id, len(n.cores))
	}
	if err := n.advance(now); err != nil {
		return err
	}
	m := member[K]{id: id, there: true, memory: n.charge(memory), attained: service, since: n.clock, stood: service}
	if runs {
		n.cores[core].runs = m
	} else {
		n.loose = append(n.loose, m)
	}
	return nil
}

// fill lets suspended tasks go on as long as there are idle cores, the youngest first, makes pairs of the others, and
// appends the moves. It is only needed after restored. It returns an error if time goes back.
func (n *AdaptiveNode[K]) fill(now policy.Time, moves []Move[K]) ([]Move[K], error) {
	if err := n.advance(now); err != nil {
		return moves, err
	}
	slices.SortStableFunc(n.loose, func(a, b member[K]) int { return cmp.Compare(a.attained, b.attained) })
	for i := range n.loose {
		if core := n.idle(); core >= 0 {
			moves = n.resume(&n.loose[i], core, moves)
		} else if core := n.richest(); core >= 0 {
			n.cores[core].waits, n.loose[i] = n.loose[i], member[K]{}
		}
	}
	n.tidy()
	return moves, nil
}

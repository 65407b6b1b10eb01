package kairos

import (
	"fmt"

	"example.com/augur/policy"
)

// TaskServed says for how long a task has run so far, as the host has measured it, in place
// of what the node has counted: it counts a task as running from the instant at which it
// says so, though hosts may need time to suspend one and to let the other go on. It changes
// no timer. The error says that time goes back, that the node has no such task or that it has not
// begun, or that the service is not 0 s to 2^62-1 ns. It takes O(log n) time.
func (n *Node[K]) TaskServed(now policy.Time, id K, service policy.Duration) error {
	clock, err := n.at(now)
	if err != nil {
		return err
	}
	i, ok := n.find(id)
	if !ok {
		return fmt.Errorf("kairos: task %v has run for %v, but the node has no such task", id, service)
	}
	t := &n.tasks[i]
	if !t.begun {
		return fmt.Errorf("kairos: task %v has run for %v, but it waits to begin", id, service)
	}
	if service < 0 || service > maxSpan {
		return fmt.Errorf("kairos: task %v has run for %v, want 0 s to %v", id, service, maxSpan)
	}
	n.set(now, clock)
	if t.state == Running {
		at := &n.cores[t.core]
		at.birth = clock - service
		n.oldest.set(t.core, at.age())
		return nil
	}
	n.still.remove(t.attained)
	n.still.add(service)
	w, _ := n.youth.Get(t.place.youth)
	t.attained, w.attained = service, service
	n.youth.Update(t.place.youth, w)
	return nil
}

// restored gives the node, after a restart of its host, a task that is there already, with
// the service that it has attained so far: on an idle core, whose timer then fires a quantum
// from now (see Next), or suspended from now. The order of the calls is that in which
// the tasks would have been suspended. When all are there, call fill. The error
// says that time goes back, that the node has the task already or could never hold it, that
// there is no idle core or no memory left for it, or that the service is not 0 s to 2^62-1 ns.
func (n *Node[K]) restored(now policy.Time, id K, memory int64, service policy.Duration, running bool) error {
	clock, err := n.at(now)
	if err == nil {
		err = n.admissible(id, memory)
	}
	switch {
	case err != nil:
		return err
	case service < 0 || service > maxSpan:
		return fmt.Errorf("kairos: task %v has run for %v, want 0 s to %v", id, service, maxSpan)
	case running && len(n.idle) == 0:
		return fmt.Errorf("kairos: task %v runs, but all %d cores have tasks", id, len(n.cores))
	case n.config.Memory > 0 && memory > n.config.Memory-n.memory:
		return fmt.Errorf("kairos: task %v has %d bytes, but of %d only %d are left", id, memory, n.config.Memory, n.config.Memory-n.memory)
	}
	n.set(now, clock)
	i := n.add(id, memory)
	n.memory += n.tasks[i].memory
	n.tasks[i].attained, n.tasks[i].begun = service, true
	if !running {
		n.rest(i, place{})
		return nil
	}
	n.run(i, n.popIdle(), false, nil)
	return nil
}

// fill lets suspended tasks go on as long as there are idle cores, the youngest first, and appends
// the moves. That is only ever needed after restored. The error says that
// time goes back.
func (n *Node[K]) fill(now policy.Time, moves []Move[K]) ([]Move[K], error) {
	clock, err := n.at(now)
	if err != nil {
		return moves, err
	}
	n.set(now, clock)
	for len(n.idle) > 0 {
		i, undisturbed, ok := n.next()
		if !ok {
			break
		}
		n.wake(i)
		moves = n.run(i, n.popIdle(), undisturbed, moves)
	}
	return moves, nil
}

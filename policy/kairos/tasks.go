package kairos

import (
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// A task is what a Node knows of a task. Its spans are on the node's clock.
type task[K comparable] struct {
	id     K
	memory int64 // 0 if it is not accounted for
	state  state
	begun  bool

	core        int             // running: where
	start       policy.Duration // when it got that core
	attained    policy.Duration // service until start, or until now if it is not running; see TaskServed
	due         policy.Duration // running: when the timer fires
	undisturbed bool            // running: it had starved, and is left alone until then

	since       policy.Duration // suspended: since when it has had no service
	turn        uint64          // which suspension that was; 0: none yet
	preemptions uint32          // since it was last left undisturbed
}

// A state says in which list of a Node a task is.
type state uint8

const (
	_         state = iota
	running         // it has a core
	suspended       // it has its place in memory, and no core now; see also NodeConfig.ArrivalsWait
	waiting         // it has not begun: its memory is not free yet
)

// age returns the attained service of a running task.
func (n *Node[K]) age(t *task[K]) policy.Duration { return t.attained + n.clock - t.start }

// run puts a task that is in no list on a core.
func (n *Node[K]) run(t *task[K], core int, undisturbed bool, moves []Move[K]) []Move[K] {
	kind, quantum := Resume, n.config.Quantum
	if !t.begun {
		kind = Start
	}
	if undisturbed {
		quantum *= policy.Duration(n.config.Undisturbed)
		t.preemptions = 0
	}
	n.cores[core] = t
	t.state, t.begun, t.undisturbed = running, true, undisturbed
	t.core, t.start, t.due = core, n.clock, n.clock+quantum
	return append(moves, Move[K]{Kind: kind, Task: t.id, Core: core})
}

// suspend takes a task off its core, which another one gets at once.
func (n *Node[K]) suspend(t *task[K], moves []Move[K]) []Move[K] {
	t.attained = n.age(t)
	t.preemptions++
	n.rest(t)
	return append(moves, Move[K]{Kind: Suspend, Task: t.id, Core: t.core})
}

// rest puts a task without a core among the suspended. A task that got its core at this same instant has had no
// service, and keeps its turn.
func (n *Node[K]) rest(t *task[K]) {
	if t.turn == 0 || t.start < n.clock {
		n.turns++
		t.turn, t.since = n.turns, n.clock
	}
	t.state = suspended
	n.still.add(t.attained)
	i := len(n.suspended)
	for i > 0 && n.suspended[i-1].turn > t.turn {
		i--
	}
	n.suspended = slices.Insert(n.suspended, i, t)
}

// wake takes a task out of the suspended.
func (n *Node[K]) wake(t *task[K]) {
	n.still.remove(t.attained)
	n.suspended = without(n.suspended, t)
}

// admit gives a task that waits its place in memory.
func (n *Node[K]) admit(t *task[K]) {
	n.waiting = without(n.waiting, t)
	n.memory += t.memory
}

func without[K comparable](list []*task[K], t *task[K]) []*task[K] {
	i := slices.Index(list, t)
	return slices.Delete(list, i, i+1)
}

// fits reports whether there is room for a task in memory.
func (n *Node[K]) fits(t *task[K]) bool {
	return t.memory <= n.config.Memory-n.memory // both 0 if not accounted for
}

// firstWaiting returns the first task that waits, nil if there is none or no room for it.
func (n *Node[K]) firstWaiting() *task[K] {
	if len(n.waiting) == 0 || !n.fits(n.waiting[0]) {
		return nil
	}
	return n.waiting[0]
}

// popIdle returns a core without a task, of which there are some, to be given one.
func (n *Node[K]) popIdle() int {
	last := len(n.idle) - 1
	core := n.idle[last]
	n.idle = n.idle[:last]
	return core
}

// add makes a task, which is in no list yet.
func (n *Node[K]) add(id K, memory int64) (t *task[K]) {
	if last := len(n.spare) - 1; last >= 0 {
		t, n.spare = n.spare[last], n.spare[:last]
	} else {
		t = new(task[K])
	}
	t.id = id
	if n.config.Memory > 0 {
		t.memory = memory
	}
	return t
}

// forget takes a task out of its list and lets go of it.
func (n *Node[K]) forget(t *task[K]) {
	switch t.state {
	case running:
		n.cores[t.core] = nil
		n.memory -= t.memory
	case suspended:
		n.wake(t)
		n.memory -= t.memory
	case waiting:
		n.waiting = without(n.waiting, t)
	}
	*t = task[K]{}
	n.spare = append(n.spare, t)
}

// find returns the task of an ID, nil if the node has no such task.
func (n *Node[K]) find(id K) *task[K] {
	for _, list := range [...][]*task[K]{n.cores, n.suspended, n.waiting} {
		for _, t := range list {
			if t != nil && t.id == id {
				return t
			}
		}
	}
	return nil
}

// stateOf returns in which list a task is, 0 if the node has no such task.
func (n *Node[K]) stateOf(id K) state {
	if t := n.find(id); t != nil {
		return t.state
	}
	return 0
}

// len returns the number of tasks on the node.
func (n *Node[K]) len() int { return len(n.cores) - len(n.idle) + len(n.suspended) + len(n.waiting) }

// admissible returns an error if the node has a task already or could never hold it.
func (n *Node[K]) admissible(id K, memory int64) error {
	switch {
	case n.find(id) != nil:
		return fmt.Errorf("kairos: task %v is on the node already", id)
	case memory < 0:
		return fmt.Errorf("kairos: task %v wants %d bytes, want at least 0", id, memory)
	case n.config.Memory > 0 && memory > n.config.Memory:
		return fmt.Errorf("kairos: task %v wants %d bytes, and the node has %d", id, memory, n.config.Memory)
	}
	return nil
}

// Accepts always returns true: a task may arrive, and waits if there is no room for it. The node ignores the claim.
func (n *Node[K]) Accepts(policy.Time, int64, policy.Duration) bool { return true }

// TaskServed sets how long a task has run so far, as the host has measured it, in place of what the node has counted:
// the node counts a task as running from the move on, though hosts may need time to suspend one task and resume the
// other. It changes no timer. It returns an error if time goes back, if the node has no such task or the task has not
// begun, or if the service is not 0 s to 2^62-1 ns.
func (n *Node[K]) TaskServed(now policy.Time, id K, service policy.Duration) error {
	t := n.find(id)
	switch {
	case t == nil:
		return fmt.Errorf("kairos: task %v has run for %v, but the node has no such task", id, service)
	case !t.begun:
		return fmt.Errorf("kairos: task %v has run for %v, but it waits to begin", id, service)
	case service < 0 || service > maxSpan:
		return fmt.Errorf("kairos: task %v has run for %v, want 0 s to %v", id, service, maxSpan)
	}
	if err := n.advance(now); err != nil {
		return err
	}
	if t.state == running {
		t.attained = service - (n.clock - t.start)
		return nil
	}
	n.still.remove(t.attained)
	n.still.add(service)
	t.attained = service
	return nil
}

// restored adds a task that is there already after a restart of the host, with the service that it has attained so
// far: on an idle core, whose timer then fires a quantum from now (see NextTimer), or suspended from now. Call it in
// the order in which the tasks would have been suspended, and then call fill. It returns an error if time goes back,
// if the node has the task already or could never hold it, if no idle core or no memory is left for it, or if the
// service is not 0 s to 2^62-1 ns.
func (n *Node[K]) restored(now policy.Time, id K, memory int64, service policy.Duration, runs bool) error {
	err := n.admissible(id, memory)
	switch {
	case err != nil:
		return err
	case service < 0 || service > maxSpan:
		return fmt.Errorf("kairos: task %v has run for %v, want 0 s to %v", id, service, maxSpan)
	case runs && len(n.idle) == 0:
		return fmt.Errorf("kairos: task %v runs, but all %d cores have tasks", id, len(n.cores))
	case n.config.Memory > 0 && memory > n.config.Memory-n.memory:
		return fmt.Errorf("kairos: task %v has %d bytes, but of %d only %d are left", id, memory, n.config.Memory, n.config.Memory-n.memory)
	}
	if err := n.advance(now); err != nil {
		return err
	}
	t := n.add(id, memory)
	n.memory += t.memory
	t.attained, t.begun = service, true
	if runs {
		n.run(t, n.popIdle(), false, nil)
	} else {
		n.rest(t)
	}
	return nil
}

// fill lets suspended tasks go on as long as there are idle cores, the youngest first, and appends the moves. It is
// only needed after restored. It returns an error if time goes back.
func (n *Node[K]) fill(now policy.Time, moves []Move[K]) ([]Move[K], error) {
	if err := n.advance(now); err != nil {
		return moves, err
	}
	for len(n.idle) > 0 && len(n.suspended) > 0 {
		t, undisturbed := n.next()
		n.wake(t)
		moves = n.run(t, n.popIdle(), undisturbed, moves)
	}
	return moves, nil
}

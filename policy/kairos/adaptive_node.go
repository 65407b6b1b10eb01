package kairos

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// An adaptiveNode serves the tasks of one machine, at most two a core, as the comment of [NewAdaptive] says. An event takes
// O(n) time for n cores and allocates nothing. An error names the culprit and leaves the node as it was.
type adaptiveNode struct {
	roster[policy.Copy]
	floor policy.Duration // the least service by which two tasks of a core are compared, 1 s but in tests
	waits []*duty         // the suspended task of each core's pair, nil if there is none
}

type (
	duty = task[policy.Copy]
	move = Move[policy.Copy]
)

func newAdaptiveNode(cores int, memory int64) *adaptiveNode {
	return &adaptiveNode{roster: roster[policy.Copy]{cores: make([]*duty, cores), limit: memory}, floor: 1e9, waits: make([]*duty, cores)}
}

// accepts reports whether a task with this memory may arrive: whether a core is idle, or a task that runs without a
// pair has a credit of more than 0.
func (n *adaptiveNode) accepts(now policy.Time, memory int64) bool {
	if !n.fits(memory) {
		return false
	}
	credit, ok := n.says(now)
	return n.lowestIdle() >= 0 || ok && credit > 0
}

// says returns the greatest credit in ns of the tasks that run without a pair, and false if there are none.
func (n *adaptiveNode) says(now policy.Time) (credit float64, offers bool) {
	clock, err := n.at(now)
	core := n.richest()
	if err != nil || core < 0 {
		return 0, false
	}
	return float64(n.cores[core].credit(clock)), true
}

// silent reports whether there is no such task.
func (n *adaptiveNode) silent() bool { return n.richest() < 0 }

// credit returns that of a task that runs.
func (t *task[K]) credit(clock policy.Duration) policy.Duration {
	return t.attained + clock - t.start - t.stood
}

// richest returns the core without a suspended task whose task has the greatest credit, ties to the lowest, and -1 if
// there is none.
func (n *adaptiveNode) richest() int {
	best := -1
	for i, t := range n.cores {
		if t != nil && n.waits[i] == nil && (best < 0 || t.credit(0) > n.cores[best].credit(0)) {
			best = i
		}
	}
	return best
}

// lowestIdle returns the lowest core without a task, -1 if there is none.
func (n *adaptiveNode) lowestIdle() int { return slices.Index(n.cores, nil) }

// TaskArrived starts a task that the node accepts, and appends the moves that follow.
func (n *adaptiveNode) TaskArrived(now policy.Time, id policy.Copy, memory int64, moves []move) ([]move, error) {
	if err := n.advance(now); err != nil {
		return moves, err
	}
	core := n.lowestIdle()
	if core < 0 {
		core = n.richest()
		moves = n.suspend(core, moves)
	}
	t := n.add(id, memory)
	n.memory += t.memory
	return append(moves, n.put(t, core)), nil
}

// suspend takes the task off a core.
func (n *adaptiveNode) suspend(core int, moves []move) []move {
	t := n.cores[core]
	moves = append(moves, n.take(t))
	t.state, t.since = suspended, n.clock
	n.suspended = append(n.suspended, t)
	n.waits[core] = t
	return moves
}

// resume lets a suspended task go on, on a core where none runs.
func (n *adaptiveNode) resume(t *duty, core int, moves []move) []move {
	n.unpair(t)
	n.suspended = without(n.suspended, t)
	t.stood += n.clock - t.since
	return append(moves, n.put(t, core))
}

// unpair takes a suspended task out of its pair, if it has one.
func (n *adaptiveNode) unpair(t *duty) {
	if t.core >= 0 && n.waits[t.core] == t {
		n.waits[t.core] = nil
	}
}

// TaskEnded forgets a task that is gone, for whatever reason, and appends the moves that follow. It returns an error if
// time goes back or the node has no such task.
func (n *adaptiveNode) TaskEnded(now policy.Time, id policy.Copy, moves []move) ([]move, error) {
	t := n.find(id)
	if t == nil {
		return moves, fmt.Errorf("kairos: task %v ends, but the node has no such task", id)
	}
	if err := n.advance(now); err != nil {
		return moves, err
	}
	core, ran := t.core, t.state == running
	n.unpair(t)
	n.forget(t)
	if ran {
		if next := n.next(core); next != nil {
			moves = n.resume(next, core, moves)
		}
	}
	return moves, nil
}

// next returns the task that is to have a core where none runs, nil if there is none: a task without a core, else the
// other one of the pair, else the youngest of other pairs.
func (n *adaptiveNode) next(core int) (youngest *duty) {
	for _, t := range n.suspended {
		if t.core < 0 {
			return t
		}
	}
	if n.waits[core] != nil {
		return n.waits[core]
	}
	for _, t := range n.waits {
		if t != nil && (youngest == nil || t.attained < youngest.attained) {
			youngest = t
		}
	}
	return youngest
}

// TimersFired lets the tasks of each pair that is due change places, lower cores first, and appends the moves. It
// returns an error if time goes back.
func (n *adaptiveNode) TimersFired(now policy.Time, moves []move) ([]move, error) {
	if err := n.advance(now); err != nil {
		return moves, err
	}
	for core, other := range n.waits {
		if other != nil && n.due(core) <= n.clock {
			moves = n.suspend(core, moves)
			moves = n.resume(other, core, moves) // whose pair is the one that was suspended now
		}
	}
	return moves, nil
}

// NextTimer returns the instant at which the next pair is due, and false if there is no pair.
func (n *adaptiveNode) NextTimer() (at policy.Time, ok bool) {
	var first policy.Duration
	for core, other := range n.waits {
		if other != nil {
			if due := n.due(core); !ok || due < first {
				first, ok = due, true
			}
		}
	}
	return n.first.Add(first), ok
}

// due returns when the tasks of a pair change places.
func (n *adaptiveNode) due(core int) policy.Duration {
	t := n.cores[core]
	x := min(max(n.waits[core].attained, n.floor), maxSpan)
	return t.start + min(maxSpan, max(0, x+x-x/2-t.attained))
}

// restored adds a task that is there already after a restart of the host, with the service that it has attained so
// far: on an idle core, or suspended. Its time suspended is unknown, and counts as equal to its service, so its credit
// is 0. When all are there, call fill.
func (n *adaptiveNode) restored(now policy.Time, id policy.Copy, memory int64, service policy.Duration, runs bool) error {
	t, err := n.restore(now, id, memory, service, runs)
	switch {
	case err != nil:
		return err
	case runs:
		n.put(t, n.lowestIdle())
	default:
		t.state, t.core, t.since = suspended, -1, n.clock
		n.suspended = append(n.suspended, t)
	}
	t.stood = service
	return nil
}

// fill lets suspended tasks go on as long as there are idle cores, the youngest first, makes pairs of the others, and
// appends the moves. It is only needed after restored.
func (n *adaptiveNode) fill(now policy.Time, moves []move) ([]move, error) {
	if err := n.advance(now); err != nil {
		return moves, err
	}
	slices.SortStableFunc(n.suspended, func(a, b *duty) int { return cmp.Compare(a.attained, b.attained) })
	for _, t := range slices.Clone(n.suspended) {
		if core := n.lowestIdle(); core >= 0 {
			moves = n.resume(t, core, moves)
		} else if core := n.richest(); core >= 0 {
			n.waits[core], t.core = t, core
		}
	}
	return moves, nil
}

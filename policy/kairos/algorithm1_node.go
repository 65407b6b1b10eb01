package kairos

import (
	"fmt"
	"slices"

	"example.com/augur/estimate"
	"example.com/augur/policy"
)

// A Node is Algorithm 1 of the paper: it serves the tasks of one machine by least attained service, in quanta. It knows
// how long each task has run, and nothing else.
//
// # How to drive it
//
// Report what happens with [Node.TaskArrived] and [Node.TaskEnded], and carry out the moves that each appends to the
// caller's slice. Set one alarm for the instant that [Node.NextTimer] returns, and call [Node.TimersFired] then. At one
// instant, report first what ends, then timers, then arrivals. Time is what the host says, and never goes back.
//
//	node, err := kairos.NewNode[string](kairos.NodeConfig{Cores: 4, Quantum: 50 * time.Second})
//	...
//	moves, err = node.TaskArrived(now, "index", 0, moves[:0])
//	for _, m := range moves {
//		// m.Kind says: Suspend m.Task, Start it or Resume it
//	}
//
// The node considers a move as done when it returns the move.
//
// # The algorithm
//
// Let A be the service that a task has attained. A task that arrives takes an idle core, or else that of the running task
// with the greatest A, which is suspended. When a task ends, the suspended task j with the least A gets its core. When a
// running task i has had its core for a quantum W, j gets the core if
//
//	A(j) ≤ A(i)
//
// and otherwise i goes on for another quantum. So a task that needs less than W ends before any timer fires, however many
// long tasks there are, unless another one arrives, and tasks of equal service take turns. For example, if a task of 200 s
// and then one of 85 s arrive at 0 at a node with one core and W = 50 s, they have the core as
//
//	0 s     50     100    135                  285 s
//	| short | long | short | long               |
//
// while first come, first served would let the short one wait for 200 s. Example (Algorithm1) is the paper's
// pseudocode beside a Node.
//
// Attained service counts up to now, also within a quantum. Among running tasks with equal service the node preempts
// the one on the lower core; among suspended tasks with equal service the one that was suspended first goes first.
//
// # Starvation
//
// A long task could wait as long as others keep arriving. By [NotServed], the paper's rule, a task that has had no service
// for three quanta starves: it gets the next core whose task ends or whose timer fires, before any with less service. There
// it is protected for two quanta: the timer of its core does not fire, and a new task takes a core whose task is not
// protected. If all are protected, as on a node of one core, the new task takes one anyway, unless NodeConfig.ArrivalsWait is
// set. [StarvationRule] has other rules.
//
// # Memory
//
// A suspended task keeps its memory. A node without a memory limit ignores memory. With a limit a task waits, without
// having started, until the memory of all running and suspended tasks leaves room for it, and waiting tasks start in
// the order of their arrival. When its turn comes, such a task has the least A, 0, and takes a core.
//
// # Cost
//
// An event takes O(n) time with n tasks and cores on the node. Nothing allocates once the node has held as many tasks. An
// error names the culprit and leaves the node as it was. A Node is not safe for concurrent use.
//
// # Source
//
// Kairos, section 3.2 and Algorithm 1. Four of its lines need a correction. Lines 13 and 15 take the core of the
// preempted task, which is then no longer running. Line 22 resumes a task, which is then no longer suspended. Line 42
// omits that every core that gets a task gets a timer. The paper describes starvation in words, without numbers; ours
// are those of its authors' simulator.
type Node[K comparable] struct {
	roster[K]
	config NodeConfig
	tie    Tie    // what a heartbeat says
	idle   []int  // cores without a task, the next to be used last
	turns  uint64 // suspensions so far; suspended is by turn, so the first has had no service for longest
}

// NewNode returns a node without tasks. It returns an error that names the field that is out of range.
func NewNode[K comparable](c NodeConfig) (*Node[K], error) {
	if err := c.check("NodeConfig"); err != nil {
		return nil, err
	}
	n := &Node[K]{roster: roster[K]{cores: make([]*task[K], c.Cores), limit: c.Memory}, config: c, idle: make([]int, c.Cores)}
	for i := range n.idle {
		n.idle[i] = c.Cores - 1 - i
	}
	return n, nil
}

// TaskArrived reports that a task has arrived, and appends the moves that follow. Memory is in bytes, ≥ 0 and at most
// the node's limit; pass 0 if there is no limit. It returns an error if time goes back, if the node has the task
// already, or if it could never hold it.
func (n *Node[K]) TaskArrived(now policy.Time, id K, memory int64, moves []Move[K]) ([]Move[K], error) {
	switch {
	case n.find(id) != nil:
		return moves, fmt.Errorf("kairos: task %v is on the node already", id)
	case memory < 0 || n.limit > 0 && memory > n.limit:
		return moves, fmt.Errorf("kairos: task %v wants %d bytes, and the node has %d", id, memory, n.limit)
	}
	if err := n.advance(now); err != nil {
		return moves, err
	}
	n.renew(n.clock + 1)
	t := n.add(id, memory)
	if len(n.waiting) > 0 || !n.fits(memory) {
		t.state = waiting
		n.waiting = append(n.waiting, t)
		return moves, nil
	}
	n.memory += t.memory
	return n.begin(t, moves), nil
}

// begin starts a task that has its place in memory (lines 2 to 18).
func (n *Node[K]) begin(t *task[K], moves []Move[K]) []Move[K] {
	if len(n.idle) > 0 {
		return n.run(t, n.popIdle(), false, moves)
	}
	old := n.oldest()
	if n.config.ArrivalsWait && old.undisturbed {
		n.rest(t)
		return moves
	}
	moves = n.suspend(old, moves)
	return n.run(t, old.core, false, moves)
}

// TaskEnded reports that a task is gone, in any state and for any reason: finished, failed, killed, lost, or
// withdrawn before it had started. It appends the moves that follow. It returns an error if time goes back or the
// node has no such task.
func (n *Node[K]) TaskEnded(now policy.Time, id K, moves []Move[K]) ([]Move[K], error) {
	t := n.find(id)
	if t == nil {
		return moves, fmt.Errorf("kairos: task %v ends, but the node has no such task", id)
	}
	if err := n.advance(now); err != nil {
		return moves, err
	}
	state, core := t.state, t.core
	n.forget(t)
	if state == running {
		moves = n.handOn(core, moves)
	}
	for w := n.firstWaiting(); w != nil; w = n.firstWaiting() {
		n.admit(w)
		n.renew(n.clock)
		moves = n.begin(w, moves)
	}
	return moves, nil
}

// handOn gives a core whose task has ended to the next one (lines 19 to 29): the first waiting task, if there is
// room, as it is the youngest of all; or a suspended one; or none.
func (n *Node[K]) handOn(core int, moves []Move[K]) []Move[K] {
	if w := n.firstWaiting(); w != nil && n.starved() == nil {
		n.admit(w)
		return n.run(w, core, false, moves)
	}
	if t, undisturbed := n.next(); t != nil {
		n.suspended = without(n.suspended, t)
		return n.run(t, core, undisturbed, moves)
	}
	n.idle = append(n.idle, core)
	return moves
}

// TimersFired handles the cores whose timers are due, in the order in which they were due, lower cores first: each
// continues or changes its task. It appends the moves. If none is due it changes nothing. It returns an error if time
// goes back.
func (n *Node[K]) TimersFired(now policy.Time, moves []Move[K]) ([]Move[K], error) {
	if err := n.advance(now); err != nil {
		return moves, err
	}
	for t := n.firstTimer(); t != nil && t.due <= n.clock; t = n.firstTimer() {
		moves = n.ask(t, moves)
	}
	return moves, nil
}

// ask decides whether a task whose timer fires goes on or gives way (lines 30 to 45).
func (n *Node[K]) ask(t *task[K], moves []Move[K]) []Move[K] {
	if len(n.suspended) == 0 {
		n.goOn(t, n.clock+1)
		return moves
	}
	next, undisturbed := n.next()
	if n.starved() == nil && n.age(t)-next.attained < n.config.Hysteresis {
		t.due, t.undisturbed = n.clock+n.config.Quantum, false
		return moves
	}
	n.suspended = without(n.suspended, next)
	moves = n.suspend(t, moves)
	return n.run(next, t.core, undisturbed, moves)
}

// NextTimer returns the next instant at which a timer may change anything, and false if no task runs or none is
// suspended. So a host need not wake for a task that has its core to itself: the node renews such timers itself
// before the next task arrives, as if each had fired in time.
func (n *Node[K]) NextTimer() (at policy.Time, ok bool) {
	t := n.firstTimer()
	if t == nil || len(n.suspended) == 0 {
		return 0, false
	}
	return n.first.Add(t.due), true
}

// renew handles the timers that were due before an instant while no task was suspended, which the host need not have
// noticed: see NextTimer.
func (n *Node[K]) renew(before policy.Duration) {
	if len(n.suspended) > 0 {
		return
	}
	for _, t := range n.cores {
		if t != nil && t.due < before {
			n.goOn(t, before)
		}
	}
}

// goOn lets a task keep its core, quantum by quantum, until an instant and for the rest of the quantum then.
func (n *Node[K]) goOn(t *task[K], until policy.Duration) {
	quanta := (until-1-t.due)/n.config.Quantum + 1
	t.due, t.undisturbed = t.due+quanta*n.config.Quantum, false
}

// next returns the suspended task that is to run next, nil if there is none, and whether it is then left undisturbed.
func (n *Node[K]) next() (next *task[K], undisturbed bool) {
	if t := n.starved(); t != nil {
		return t, true
	}
	for _, t := range n.suspended {
		if next == nil || t.attained < next.attained {
			next = t
		}
	}
	return next, next != nil && n.config.Starvation == Preempted && next.preemptions >= counter
}

// starved returns the task that has had no service for longest if it starves, else nil.
func (n *Node[K]) starved() *task[K] {
	if n.config.Starvation != NotServed || len(n.suspended) == 0 {
		return nil
	}
	if t := n.suspended[0]; n.clock-t.since >= counter*n.config.Quantum {
		return t
	}
	return nil
}

// oldest returns the running task that an arrival preempts; there is one on each core.
func (n *Node[K]) oldest() (oldest *task[K]) {
	for _, t := range n.cores {
		if oldest == nil || !t.undisturbed && oldest.undisturbed ||
			t.undisturbed == oldest.undisturbed && n.age(t) > n.age(oldest) {
			oldest = t
		}
	}
	return oldest
}

// firstTimer returns the running task whose timer fires first, nil if none runs.
func (n *Node[K]) firstTimer() (first *task[K]) {
	for _, t := range n.cores {
		if t != nil && (first == nil || t.due < first.due) {
			first = t
		}
	}
	return first
}

// run puts a task that is in no list on a core.
func (n *Node[K]) run(t *task[K], core int, undisturbed bool, moves []Move[K]) []Move[K] {
	quantum := n.config.Quantum
	if undisturbed {
		quantum *= protection
		t.preemptions = 0
	}
	t.undisturbed, t.due = undisturbed, n.clock+quantum
	return append(moves, n.put(t, core))
}

// suspend takes a task off its core, which another one gets at once.
func (n *Node[K]) suspend(t *task[K], moves []Move[K]) []Move[K] {
	t.preemptions++
	moves = append(moves, n.take(t))
	n.rest(t)
	return moves
}

// rest puts a task without a core among the suspended. A task that got its core at this same instant has had no
// service, and keeps its turn.
func (n *Node[K]) rest(t *task[K]) {
	if t.turn == 0 || t.start < n.clock {
		n.turns++
		t.turn, t.since = n.turns, n.clock
	}
	t.state = suspended
	i := len(n.suspended)
	for i > 0 && n.suspended[i-1].turn > t.turn {
		i--
	}
	n.suspended = slices.Insert(n.suspended, i, t)
}

// admit gives a task that waits its place in memory.
func (n *Node[K]) admit(t *task[K]) {
	n.waiting = without(n.waiting, t)
	n.memory += t.memory
}

// firstWaiting returns the first task that waits, nil if there is none or no room for it.
func (n *Node[K]) firstWaiting() *task[K] {
	if len(n.waiting) == 0 || !n.fits(n.waiting[0].memory) {
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

// restored adds a task that is there already after a restart of the host, with the service that it has attained so
// far: on an idle core, whose timer then fires a quantum from now (see NextTimer), or suspended from now. Call it in
// the order in which the tasks would have been suspended, and then call fill.
func (n *Node[K]) restored(now policy.Time, id K, memory int64, service policy.Duration, runs bool) error {
	t, err := n.restore(now, id, memory, service, runs)
	switch {
	case err != nil:
		return err
	case runs:
		n.run(t, n.popIdle(), false, nil)
	default:
		n.rest(t)
	}
	return nil
}

// fill lets suspended tasks go on as long as there are idle cores, the youngest first, and appends the moves. It is
// only needed after restored.
func (n *Node[K]) fill(now policy.Time, moves []Move[K]) ([]Move[K], error) {
	if err := n.advance(now); err != nil {
		return moves, err
	}
	for len(n.idle) > 0 && len(n.suspended) > 0 {
		t, undisturbed := n.next()
		n.suspended = without(n.suspended, t)
		moves = n.run(t, n.popIdle(), undisturbed, moves)
	}
	return moves, nil
}

// accepts implements server: a task may arrive at any time, and waits if there is no room for it.
func (n *Node[K]) accepts(policy.Time, int64) bool { return true }

// says returns what the centre breaks ties by (lines 46 to 50): the variance of the attained services of all tasks, as
// a population, in s², or the sum of these, in s.
func (n *Node[K]) says(now policy.Time) (measure float64, offers bool) {
	var all estimate.Moments
	clock, err := n.at(now)
	for _, list := range [...][]*task[K]{n.cores, n.suspended, n.waiting} {
		for _, t := range list {
			if t != nil && err == nil {
				service := t.attained
				if t.state == running {
					service += clock - t.start
				}
				err = all.Add(float64(service))
			}
		}
	}
	switch n.tie {
	case LeastVariance:
		variance, _ := all.Variance()
		return variance / 1e18, false
	case LeastSum:
		return all.Sum() / 1e9, false
	}
	return 0, false
}

// silent reports whether a heartbeat would only say what the centre knows: a measure of 0.
func (n *Node[K]) silent() bool {
	switch n.tie {
	case LeastVariance:
		return n.len() <= 1
	case LeastSum:
		return n.len() == 0
	}
	return true
}

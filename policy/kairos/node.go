package kairos

import (
	"fmt"

	"example.com/augur/policy"
)

// A Node serves the tasks of one machine by least attained service, in quanta. It knows how long each task has run,
// and nothing else.
//
// # How to drive it
//
// A pool of workers needs four methods. Report what happens with [Node.TaskArrived] and
// [Node.TaskEnded], and carry out the moves that each appends to the caller's slice. Set one alarm
// for the instant that [Node.NextTimer] returns, and call [Node.TimersFired] then. At one instant,
// report first what ends, then timers, then arrivals. Time is what the host says, and never goes back.
//
//	node, err := kairos.NewNode[string](kairos.NodeConfig{Cores: 4, Quantum: 50 * time.Second})
//	...
//	moves, err = node.TaskArrived(now, "index", 0, moves[:0])
//	for _, m := range moves {
//		// m.Kind says: Suspend m.Task, Start it or Resume it
//	}
//
// The node considers a move as done when it returns the move. If tasks stop only at the end of a slice of their work,
// see the pool among the examples. A host that has measured how long a task has run calls [Node.TaskServed].
// [Node.Heartbeat] returns what a [Central] needs to know.
//
// # The algorithm
//
// A task that arrives runs at once. If no core is idle, it takes the core of the running task with the most attained
// service, and that task is suspended. When a task ends, the suspended task with the least attained service gets its
// core. And every core has a timer: when a task has had its core for a quantum W, the node compares it with the
// youngest suspended task, the one with the least attained service, which gets the core if it is no older.
//
// So young tasks overtake old ones: a task that needs less than W ends before any timer fires, however many long
// tasks there are, unless a still younger one arrives. Tasks of equal service take turns, quantum by quantum. For
// example, if a task of 200 s and then one of 85 s arrive at 0 at a node with one core and W = 50 s, they have the
// core as
//
//	0 s     50     100    135                  285 s
//	| short | long | short | long               |
//
// while first come, first served would let the short one wait for 200 s. Example (Algorithm1) is the paper's
// pseudocode beside a Node. A larger W means fewer changes; with a smaller one a preempted task waits less.
//
// Attained service counts up to now, also within a quantum. Among running tasks with equal service the node preempts
// the one on the lower core; among suspended tasks with equal service the one that was suspended first goes first.
//
// # Starvation
//
// A long task could wait as long as younger ones keep arriving. A task that has had no service for three quanta
// starves. The task that has waited longest then gets the next core whose task ends or whose timer fires, and is
// protected there for two quanta ([NodeConfig] calls them Undisturbed): the timer of its core does not fire, and a
// new task takes a core whose task is not protected. If all are protected, as on a node of one core, the new task
// takes one anyway, unless ArrivalsWait is set. NodeConfig has the numbers, and other rules.
//
// # Memory
//
// A suspended task keeps its memory. A node without a memory limit ignores memory. With a limit a task waits, without
// having started, until the memory of all running and suspended tasks leaves room for it, and waiting tasks start in
// the order of their arrival. When its turn comes, such a task is the youngest, and takes a core.
//
// # Cost
//
// An event takes O(n) time with n tasks and cores on the node. The tasks are in plain lists, which are as fast as
// heaps, or faster, up to some 200 tasks. Nothing allocates once the node has held as many tasks. An error names the
// culprit and leaves the node as it was. A Node is not safe for concurrent use.
//
// # Source
//
// Kairos, section 3.2 and Algorithm 1, which is an Example. Four of its lines need a correction. Lines 13 and 15 take
// the core of the preempted task, which is then no longer running. Line 22 resumes a task, which is then no longer
// suspended. Line 42 omits that every core that gets a task gets a timer. The paper describes starvation in words,
// without numbers; ours are those of its authors' simulator.
type Node[K comparable] struct {
	watch
	config NodeConfig

	cores     []*task[K] // what runs on each; nil if it is idle
	idle      []int      // cores without a task, the next to be used last
	suspended []*task[K] // by turn, so the first has had no service for longest
	waiting   []*task[K] // for memory, by arrival
	spare     []*task[K] // to be used again
	turns     uint64     // suspensions so far
	memory    int64      // of running and suspended tasks, bytes
	still     services   // attained services of suspended tasks
}

// NewNode returns a node without tasks. It returns an error that names the field that is out of range.
func NewNode[K comparable](c NodeConfig) (*Node[K], error) {
	c, err := c.checked("NodeConfig")
	if err != nil {
		return nil, err
	}
	n := &Node[K]{config: c, cores: make([]*task[K], c.Cores), idle: make([]int, c.Cores)}
	for i := range n.idle {
		n.idle[i] = c.Cores - 1 - i
	}
	return n, nil
}

// TaskArrived reports that a task has arrived, and appends the moves that follow. Memory is in bytes, ≥ 0 and at most
// the node's limit; pass 0 if there is no limit. It returns an error if time goes back, if the node has the task
// already, or if it could never hold it.
func (n *Node[K]) TaskArrived(now policy.Time, id K, memory int64, moves []Move[K]) ([]Move[K], error) {
	if err := n.admissible(id, memory); err != nil {
		return moves, err
	}
	if err := n.advance(now); err != nil {
		return moves, err
	}
	n.renew(n.clock + 1)
	t := n.add(id, memory)
	if len(n.waiting) > 0 || !n.fits(t) {
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
		n.wake(t)
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
	n.wake(next)
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
	return next, next != nil && n.config.Starvation == Preempted && uint64(next.preemptions) >= uint64(n.config.Counter)
}

// starved returns the task that has had no service for longest if it starves, else nil.
func (n *Node[K]) starved() *task[K] {
	if n.config.Starvation != NotServed || len(n.suspended) == 0 {
		return nil
	}
	if t := n.suspended[0]; n.clock-t.since >= policy.Duration(n.config.Counter)*n.config.Quantum {
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

package kairos

import (
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// A Node serves the tasks of one machine by least attained service, in quanta. It knows for
// how long each task has run, and nothing else.
//
// # How to drive it
//
// A pool of workers needs four methods. Say what happens with [Node.TaskArrived] and
// [Node.TaskEnded], and carry out the moves that each appends to the caller's slice; set one alarm
// for the instant that [Node.NextTimer] returns, and call [Node.TimersFired] then. At one instant,
// first what ends, then timers, then arrivals. Time is what the host says, and never goes back.
//
//	node, err := kairos.NewNode[string](kairos.NodeConfig{Cores: 4, Quantum: 50 * time.Second})
//	...
//	moves, err = node.TaskArrived(now, "index", 0, moves[:0])
//	for _, m := range moves {
//		// m.Kind says: Suspend m.Task, Start it or Resume it
//	}
//
// To the node a move is done when it is returned. A host whose tasks stop only at the end of a slice
// must see to it that none runs twice at once, since it may be resumed on another core while the slice
// goes on: the goroutine of a task should wait for its turn, and not that of a core for its next task. If it
// calls TimersFired after each slice it needs no alarm. The pool among the examples does both, on
// the wall clock: policy.Time(time.Since(begun)).
//
// A host that has measured for how long a task has run says so with [Node.TaskServed]. [Node.All]
// shows how the tasks are, and [Node.Heartbeat] is what a [Central] is to know.
//
// An event takes O(log n) time with n tasks and cores on the node, and that once more for each
// move; nothing allocates once the node has held as many tasks. An error names the culprit, and
// the node is as it was. Nothing is safe for concurrent use.
//
// # The algorithm
//
// A task that comes runs at once. If no core is idle it takes that of the running task with
// the most attained service, which is suspended. When a task ends, the suspended task with
// the least attained service gets its core. And every core has a timer: when a task has
// had its core for a quantum W, the node compares it with the youngest suspended task, the one
// with the least attained service, and if that is no older it gets the core.
//
// So the young pass by the old: a task that needs less than W once it runs is done before any
// timer asks, unless a still younger one comes, however many long ones are there. And tasks
// of equal service take turns, quantum by quantum. If a task of 200 s and then one of 85 s
// come at 0 to a node with one core and W = 50 s, the core is theirs as
//
//	0 s     50     100    135                  285 s
//	| short | long | short | long               |
//
// while first come, first served would let the short one wait for 200 s. A larger W means
// fewer changes, a smaller one that a task that was preempted waits less.
//
// Attained service is counted up to now, also within a quantum. Ties: of running tasks with
// equal service the one on the lower core is preempted, and of suspended ones the one that
// has been suspended first goes first, so that they take turns.
//
// # Starvation
//
// A long task could wait for as long as younger ones keep coming. If it has had no service for
// three quanta it starves: the one that has waited the longest gets the next core whose task
// ends or whose timer fires, and has it for two quanta. The timer does not ask before, and an
// arrival takes another core if there is one that is not left alone in this way. If there is
// none, as on a node of one core, it takes this one all the same, unless the node is Firm.
// [NodeConfig] has the numbers, and other rules.
//
// # Memory
//
// A suspended task keeps its memory. A node whose memory is not accounted for suspends as
// if it had no end. Otherwise a task waits, without having started, until the memory of all
// that are running or suspended leaves room for it, and those that wait start in the order
// in which they came, none before one that came earlier. When its turn comes, a task
// does as one that has just arrived: it is the youngest, and takes a core.
//
// Each task has one core: of one that wants several, who is to be suspended for it, and who to
// go on in the rest of their cores, the paper does not say.
//
// # Source
//
// Kairos, section 3.2 and Algorithm 1, where lines 13, 15, 22 and 42 must be mended: the core
// taken is that of the preempted task, which is no longer running; a task that is resumed is no
// longer suspended; every core that gets a task gets a timer. The rule of starvation is
// in words there, without its numbers, which are those of the simulations.
type Node[K comparable] struct {
	config NodeConfig
	began  bool
	first  policy.Time     // instant of the first event
	clock  policy.Duration // from it to the last event

	index map[K]uint32 // nil while there are so few tasks that to look through them is faster
	tasks []task[K]    // the first is the head of the list of those that wait, by arrival
	free  uint32       // first free task, linked by next; 0: none

	cores []core
	idle  []int32 // cores without a task, the next to be used last

	oldest tournament          // of the cores, the first that an arrival takes
	timers tournament          // of the cores, the first whose timer fires
	youth  *queue.Heap[waiter] // of the suspended, the youngest first
	unrest *queue.Heap[waiter] // of the suspended, the one without service for longest first; if NotServed
	turns  uint64              // suspensions so far
	still  services            // attained services of suspended and waiting tasks
	memory int64               // of running and suspended tasks, bytes
	held   [Waiting + 1]int    // tasks by state
}

type task[K comparable] struct {
	id          K
	state       State
	begun       bool
	core        int32           // if running
	preemptions uint32          // since it was last left undisturbed
	next, prev  uint32          // in the list of those that wait
	attained    policy.Duration // unless it is running
	since       policy.Duration // on the node's clock: when it came into this state
	served      policy.Duration // when it was last suspended after some service
	turn        uint64          // which suspension that was; 0: none
	memory      int64
	place       place // if suspended
}

type core struct {
	task        uint32 // 0: idle
	undisturbed bool
	// birth is when, on the node's clock, its task would have begun had it run ever since:
	// the attained service of a running task is clock - birth.
	birth policy.Duration
	due   policy.Duration // when its timer fires, on the node's clock
}

// NewNode returns a node without tasks. The error names the field that is outside its range.
func NewNode[K comparable](c NodeConfig) (*Node[K], error) {
	c, err := c.checked("NodeConfig")
	if err != nil {
		return nil, err
	}
	n := &Node[K]{
		config: c, tasks: make([]task[K], 1),
		cores: make([]core, c.Cores), idle: make([]int32, c.Cores),
		oldest: newTournament(c.Cores), timers: newTournament(c.Cores),
		youth: queue.NewHeap(compareWaiters), unrest: queue.NewHeap(compareWaiters),
	}
	for i := range n.idle {
		n.idle[i] = int32(c.Cores - 1 - i)
	}
	return n, nil
}

// TaskArrived says that a task has come, and appends what is to be done. Memory is in bytes, ≥ 0
// and at most the node's, if that is accounted for; else 0 will do. The error says that time goes
// back, that the node has the task already, or that it could never hold it.
func (n *Node[K]) TaskArrived(now policy.Time, id K, memory int64, moves []Move[K]) ([]Move[K], error) {
	clock, err := n.at(now)
	if err == nil {
		err = n.admissible(id, memory)
	}
	if err != nil {
		return moves, err
	}
	n.set(now, clock)
	n.renew(clock + 1)
	i := n.add(id, memory)
	if n.held[Waiting] > 0 || !n.fits(i) {
		n.wait(i)
		return moves, nil
	}
	n.memory += n.tasks[i].memory
	return n.begin(i, moves), nil
}

// TaskEnded says that a task is gone, in whatever state it was and for whatever reason:
// finished, failed, killed, lost, or withdrawn before it had started. It appends what is to
// be done. The error says that time goes back or that the node has no such task.
func (n *Node[K]) TaskEnded(now policy.Time, id K, moves []Move[K]) ([]Move[K], error) {
	clock, err := n.at(now)
	if err != nil {
		return moves, err
	}
	i, ok := n.find(id)
	if !ok {
		return moves, fmt.Errorf("kairos: task %v ends, but the node has no such task", id)
	}
	n.set(now, clock)
	t := &n.tasks[i]
	state, c := t.state, t.core
	switch state {
	case Running:
		n.leave(i)
	case Suspended:
		n.wake(i)
	case Waiting:
		n.admit(i)
	}
	n.memory -= t.memory
	n.forget(i)
	if state == Running {
		moves = n.hand(c, moves)
	}
	return n.beginWaiting(moves), nil
}

// hand gives a core whose task has ended to the next one: the first that waits, if there is
// room, as it is the youngest of all; or a suspended one; or none.
func (n *Node[K]) hand(c int32, moves []Move[K]) []Move[K] {
	if i, ok := n.firstWaiting(); ok && !n.starving() {
		n.admit(i)
		return n.run(i, c, false, moves)
	}
	if i, undisturbed, ok := n.next(); ok {
		n.wake(i)
		return n.run(i, c, undisturbed, moves)
	}
	n.vacate(c)
	return moves
}

// beginWaiting starts the tasks that wait, in their order, as long as there is room.
func (n *Node[K]) beginWaiting(moves []Move[K]) []Move[K] {
	for i, ok := n.firstWaiting(); ok; i, ok = n.firstWaiting() {
		n.admit(i)
		n.renew(n.clock)
		moves = n.begin(i, moves)
	}
	return moves
}

// begin starts a task that has a place in memory (lines 2 to 18).
func (n *Node[K]) begin(i uint32, moves []Move[K]) []Move[K] {
	if len(n.idle) > 0 {
		return n.run(i, n.popIdle(), false, moves)
	}
	c, _ := n.oldest.first()
	if n.config.Firm && n.cores[c].undisturbed {
		n.rest(i, place{})
		return moves
	}
	moves = n.suspend(c, place{}, moves)
	return n.run(i, c, false, moves)
}

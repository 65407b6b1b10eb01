package kairos

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/queue"
)

// A Central sends tasks to nodes: few to each, and so that tasks of different size meet. A [Node] then serves its
// tasks.
//
// # The algorithm
//
// Tasks wait in one queue, first come, first served. The first task goes to the node with the fewest tasks. Ties go
// to the node whose tasks vary least in attained service ([Tie] has other rules), and then at random. No node gets
// more than N + Q tasks, one for each of its N cores and Q more: when all nodes have as many, tasks wait at the
// centre. order.go chooses the node.
//
// With three nodes of N = 2 cores and Q = 2, and eight tasks a to h that arrive at once, the
// nodes have these numbers of tasks after each:
//
//	node  variance  tasks   a  b  c  d  e  f  g
//	   1      0 s²      1   2  3        4
//	   2     10 s²      2         3        4
//	   3    900 s²      2            3        4
//
// and h stays at the centre. Task a goes to an idle core. Node 3 comes last in each tie: it already has a short and a
// long task, which suits least attained service. Example (Algorithm2) is the paper's pseudocode beside a Central.
//
// Without a queue on the nodes (Q = 0) a short task could not overtake long ones, since that happens on nodes. With a
// long queue, tasks may wait on one node while others are idle.
//
// Nodes may differ in N, which the paper does not consider. The centre compares how many tasks they have beyond their
// cores, so that no busy node gets a task while another one has an idle core. Between nodes of the same N that is the
// number of tasks.
//
// # What the centre knows
//
// A node reports how many tasks it has in its heartbeats ([Central.Heartbeat]). These are late: with heartbeats alone
// a centre would send too much until one reported the flood. So the assignments to a node are numbered, and a
// heartbeat carries the number of the last one that the node had seen. The host also reports each end
// ([Central.Ended]). The centre may hear of an end before or after the heartbeat that shows it, so it uses whichever
// shows more ended tasks. If numbers count from 1,
//
//	tasks = sent - max(ends heard, seen - tasks of the heartbeat)
//
// is the largest number of tasks that the node may have, on their way or there. Both terms count only what has ended,
// so a node never has more than N + Q tasks, even if heartbeats are lost, late, doubled or out of order. Assignments
// must reach the node in their order while it is there, and each end must be reported some time: until then the
// centre remembers the task and its node.
//
// A node that leaves loses its tasks, which then wait for another node, each in its old turn. If one of them had
// ended but the report was still on its way, the report comes too late, and the task is done again. Numbers are never
// used again: when a node joins, that gets a number greater than all that the node was sent in an earlier life, and
// its assignments continue from there. The centre ignores heartbeats and ends of an earlier life, which have smaller
// numbers, and heartbeats of a node that has seen nothing in this life, which has no tasks.
//
// # Several centres
//
// Several centres may send tasks to the same nodes (section 7.2). Each has its own numbers, and a heartbeat to it
// says how many of the node's tasks come from other centres:
//
//	tasks = others + sent - max(ends heard, seen - (tasks - others))
//
// No centre knows what the others have just sent, so a node may be sent more than N + Q tasks. It should refuse the
// excess and report that in a heartbeat, before the host reports [Central.Ended] for the assignment and submits the
// task again. A node that knows the number of its joining ([Central.Node] returns it) can report that number as seen;
// its heartbeats then count before this centre has sent it a task.
//
// # How to drive it
//
// Report what happens, then call Next until it returns false. The paper's main loop does the same every Δ.
//
//	c.Submit(task)
//	for a, ok := c.Next(); ok; a, ok = c.Next() {
//		send(a.Node, a.Task, a.Number)
//	}
//
// T is the host's type of a task; the centre does not look at it. An assignment, an end and a heartbeat take O(log n)
// time for n nodes (an end O(N + Q) more), and allocate nothing once the centre has held as many tasks. Memory grows
// with the nodes and the tasks. Equal calls have equal results. A Central is not safe for concurrent use. Make it
// with [NewCentral].
//
// # Source
//
// Kairos, section 3.3 and Algorithm 2, which is an Example. Two of its lines need a correction. In line 11 i goes up
// to N + Q - 1. In line 13 the inner loop goes on while neither S_i nor the queue is empty, and a node that gets a
// task moves on to S_{i+1}. The numbers of assignments are ours.
type Central[T any] struct {
	config  CentralConfig
	workers policy.Table[policy.NodeID, worker[T]]
	order   order
	pairs   bool                 // nodes are adaptive
	line    *queue.Heap[turn[T]] // the tasks that wait, by turn
	turns   uint64               // the last one
	last    uint64               // the largest number that nodes which have left were sent
}

// A worker is the centre's record of a node.
type worker[T any] struct {
	spot
	cores  int32
	joined uint64    // the number of its joining
	sent   uint64    // that of the last assignment, or of its joining
	held   []held[T] // assignments whose ends have not been heard, by number

	// By the last heartbeat that was taken; 0 before.
	number, seen  uint64
	ended         uint64 // assignments of this life
	others        int
	variance, sum float64

	claimed uint64 // the last assignment that was sent though no core was idle
}

// A turn is a task and when it came. A task that comes back keeps its turn.
type turn[T any] struct {
	task T
	at   uint64
}

// held is an assignment whose end has not been heard.
type held[T any] struct {
	turn[T]
	number uint64
}

// An Assignment is a task that a node is to do.
type Assignment[T any] struct {
	Task   T
	Node   policy.NodeID
	Number uint64 // increases with each assignment to the node
}

// NewCentral returns a centre without nodes or tasks. It returns an error that names the field that is out of range.
func NewCentral[T any](c CentralConfig) (*Central[T], error) {
	if err := c.check("CentralConfig"); err != nil {
		return nil, err
	}
	return &Central[T]{config: c, order: newOrder(c), line: queue.NewHeap(func(a, b turn[T]) int { return cmp.Compare(a.at, b.at) })}, nil
}

// Submit puts a task at the end of the queue. One that is submitted twice is two tasks.
func (c *Central[T]) Submit(task T) {
	c.turns++
	c.line.Push(turn[T]{task, c.turns})
}

// Next sends the first task of the queue to a node. It returns false if the queue is empty
// or all nodes are full.
func (c *Central[T]) Next() (a Assignment[T], ok bool) {
	if c.line.Len() == 0 {
		return a, false
	}
	id, ok := c.order.next()
	if !ok {
		return a, false
	}
	first, _ := c.line.Pop()
	return c.send(c.workers.Get(id), first), true
}

// give sends a task to a node without the queue, as Submit and Next would if the queue were empty. It returns false
// if all nodes are full.
func (c *Central[T]) give(task T) (a Assignment[T], ok bool) {
	id, ok := c.order.next()
	if !ok {
		return a, false
	}
	c.turns++
	return c.send(c.workers.Get(id), turn[T]{task, c.turns}), true
}

// Adopt reports that a node, which has joined, has a task that this centre does not know, because the centre was
// restarted. The task counts even if the node is full, and gets a number as if it had just been sent. Tell the node
// the last of these numbers (see [Central.Node]) as the one that it has seen. Adopt returns an error, and changes
// nothing, if the node is not there.
func (c *Central[T]) Adopt(task T, node policy.NodeID) (Assignment[T], error) {
	w := c.workers.Get(node)
	if w == nil {
		return Assignment[T]{}, fmt.Errorf("kairos: node %d is to have a task but is not there; call Joined first", node)
	}
	c.turns++
	return c.send(w, turn[T]{task, c.turns}), nil
}

// Joined reports that a node is there, without tasks, and how many cores it has, 1 to MaxCores. It returns an error,
// and changes nothing, if the ID or the number of cores is out of range, or if the node is there already.
func (c *Central[T]) Joined(node policy.NodeID, cores int) error {
	switch {
	case node == 0 || node > policy.MaxID:
		return fmt.Errorf("kairos: node %d has joined, want an ID of 1 to %d", node, policy.MaxID)
	case cores < 1 || cores > MaxCores:
		return fmt.Errorf("kairos: node %d has joined with %d cores, want 1 to %d", node, cores, MaxCores)
	case c.workers.Get(node) != nil:
		return fmt.Errorf("kairos: node %d has joined, and is there already", node)
	}
	// What this node was sent in an earlier life had numbers up to c.last.
	w := &worker[T]{spot: spot{id: node}, cores: int32(cores), joined: c.last + 1, sent: c.last + 1}
	c.workers.Put(node, w)
	c.rank(w)
	return nil
}

// Left reports that a node is gone. Its tasks go back to the queue, each in its old turn. It returns an error if the
// node was not there.
func (c *Central[T]) Left(node policy.NodeID) error {
	w := c.workers.Get(node)
	if w == nil {
		return fmt.Errorf("kairos: node %d has left, and is not there", node)
	}
	for _, h := range w.held {
		c.line.Push(h.turn)
	}
	c.last = max(c.last, w.sent)
	w.offer.open = false
	c.order.set(&w.spot, 0, 0)
	c.workers.Delete(node)
	return nil
}

// Ended reports that an assignment is over, whether its task finished, failed or was killed: the task is no longer on
// its node, and the centre forgets it. It returns false, and changes nothing, if the assignment is over already or
// was lost with its node. It returns an error if the node was never sent the assignment.
func (c *Central[T]) Ended(node policy.NodeID, number uint64) (ok bool, err error) {
	if number == 0 {
		return false, fmt.Errorf("kairos: assignment 0 of node %d, want at least 1", node)
	}
	w := c.workers.Get(node)
	if w == nil {
		return false, nil
	}
	if number > w.sent {
		return false, fmt.Errorf("kairos: assignment %d of node %d has ended, but the last one sent is %d", number, node, w.sent)
	}
	i, ok := slices.BinarySearchFunc(w.held, number, func(h held[T], number uint64) int { return cmp.Compare(h.number, number) })
	if !ok {
		return false, nil
	}
	w.held = slices.Delete(w.held, i, i+1)
	w.offer.open = w.offer.open && w.shown()
	c.rank(w)
	return true, nil
}

func (c *Central[T]) send(w *worker[T], t turn[T]) Assignment[T] {
	full := w.tasks() >= int64(w.cores)
	w.sent++
	if full {
		w.claimed, w.offer.open = w.sent, false // it takes the core that the offer is about
	}
	w.held = append(w.held, held[T]{t, w.sent})
	c.rank(w)
	return Assignment[T]{t.task, w.id, w.sent}
}

// shown reports whether the last heartbeat shows all ends that were heard.
func (w *worker[T]) shown() bool { return w.ended >= w.sent-w.joined-uint64(len(w.held)) }

// tasks returns how many tasks the node has at most, on their way or there.
func (w *worker[T]) tasks() int64 {
	// held is what was sent less the ends heard.
	own := min(int64(len(w.held)), int64(w.sent-w.joined-w.ended))
	return int64(w.others) + own
}

// rank updates the place of a node in the order after a change of its tasks.
func (c *Central[T]) rank(w *worker[T]) {
	if c.pairs {
		c.order.set(&w.spot, int32(max(0, int64(w.cores)-w.tasks())), 0)
		return
	}
	free := int64(w.cores) + int64(c.config.Queue) - w.tasks()
	measure := w.variance
	if c.config.Tie == LeastSum {
		measure = w.sum
	}
	c.order.set(&w.spot, int32(max(0, free)), measure)
}

// Pending returns the number of tasks in the queue.
func (c *Central[T]) Pending() int { return c.line.Len() }

// full reports whether all nodes are full, so that nothing can be sent.
func (c *Central[T]) full() bool { return !c.order.any() }

// nodes yields the nodes that are there, by increasing ID. None may join or leave meanwhile.
func (c *Central[T]) nodes() iter.Seq[policy.NodeID] {
	return func(yield func(policy.NodeID) bool) {
		for id := range c.workers.All() {
			if !yield(id) {
				return
			}
		}
	}
}

// Node returns the largest number of tasks that a node may have, on their way or there, and the number of the last
// assignment to it, or of its joining. It returns false if the node is not there.
func (c *Central[T]) Node(id policy.NodeID) (tasks int64, sent uint64, ok bool) {
	w := c.workers.Get(id)
	if w == nil {
		return 0, 0, false
	}
	return w.tasks(), w.sent, true
}

// on yields the assignments of a node whose ends have not been heard, by number; nothing if
// the node is not there. The centre must not change meanwhile.
func (c *Central[T]) on(node policy.NodeID) iter.Seq[Assignment[T]] {
	return func(yield func(Assignment[T]) bool) {
		w := c.workers.Get(node)
		if w == nil {
			return
		}
		for _, h := range w.held {
			if !yield(Assignment[T]{h.task, node, h.number}) {
				return
			}
		}
	}
}

package kairos

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// A Central sends tasks to nodes: few to each, and where tasks of different size will meet.
// What a node then does with its tasks is the business of its [Node].
//
// # The algorithm
//
// Tasks wait in one queue, first come, first served. The first goes to the node with the
// fewest tasks, and among these to the one whose tasks vary the least in the service that
// they have attained ([Tie] has other ways); the last tie goes to the least ID. No node
// gets more than N + Q tasks, one for each of its N cores and Q more: when all nodes have as
// many, tasks wait at the centre.
//
// With three nodes of N = 2 cores and Q = 2, and eight tasks a to h that come at once, the
// nodes have these numbers of tasks after each:
//
//	node  variance  tasks   a  b  c  d  e  f  g
//	   1      0 s²      1   2  3        4
//	   2     10 s²      2         3        4
//	   3    900 s²      2            3        4
//
// and h stays at the centre. Task a goes where a core is idle. Node 3 comes last wherever there is a
// choice: a short and a long task are together there already, which is what least
// attained service is good at.
//
// It is Q that makes this more than a balance of numbers. Without a queue on the nodes (Q =
// 0) a short task could not overtake the long ones, since that happens on nodes. With a
// long one, tasks may wait on one node while others have run out of work.
//
// Nodes may differ in N, which the paper does not speak of. They are compared by how many
// tasks they have beyond their cores, so that no task is given to a busy node while another
// one has an idle core. Between nodes of the same N that is the number of tasks.
//
// # What the centre knows
//
// A node tells how many tasks it has in its heartbeats ([Central.Heartbeat]). These come
// late: a task that the node had not received yet when it sent one is not among them,
// and a centre that went by heartbeats alone would send and send, until one told of the
// flood. So the assignments to a node are numbered, and a heartbeat says the number of the
// last one that the node had seen. If these count from 1, then
//
//	sent - (seen - tasks)
//
// is how many tasks the node has at most, on their way or there: all that were sent, less those
// that it had seen and had no longer. The centre also hears of each end ([Central.Ended]),
// sooner or later than by a heartbeat, and goes by what tells of more ends:
//
//	tasks = sent - max(ends heard, seen - tasks of the heartbeat)
//
// Both count only what has ended, so in truth a node never has more than N + Q tasks,
// whatever becomes of heartbeats: they may be lost, late, doubled or out of order. Assignments
// must reach the node in their order while it is there, and each end must be heard of
// some time, for until then the centre remembers the task and where it is.
//
// A node that leaves loses its tasks, which then wait for another node, each in its old turn.
// Among them are those of which the end is still on its way: it comes too late, and what was
// done is done again.
// Numbers are never used again: its joining has a number, greater than all that it was sent in
// an earlier life, and its assignments go on from there. Heartbeats and ends of an earlier
// life have smaller numbers, and are ignored. A node that has seen nothing in this life says 0,
// which is ignored as well, and nothing is lost by it, since it has no tasks.
//
// # Several centres
//
// Several centres may send tasks to the same nodes (section 7.2). Each has numbers of its
// own, and a heartbeat to it says how many of the node's tasks came from others:
//
//	tasks = others + sent - max(ends heard, seen - (tasks - others))
//
// What the others have just sent it cannot know. A node may then be sent more than N + Q
// tasks; it should refuse what is too much and say so in a heartbeat, before the centre hears
// that the assignment has [Central.Ended] and that the task is submitted again. A node can be told
// the number of its joining, which is what [Central.Node] has as the last one sent then; if it says
// that it has seen that one, its heartbeats are heard before this centre has sent it a task.
//
// # How to drive it
//
// Tell it what happens, then call Next until it says that nothing can be sent. The paper's
// main loop does the same every Δ.
//
//	c.Submit(task)
//	for a, ok := c.Next(); ok; a, ok = c.Next() {
//		send(a.Node, a.Task, a.Number)
//	}
//
// T is whatever a task is to the host; the centre does not look at it. To send a task, an
// end and a heartbeat take O(log n) time for node IDs up to n (an end O(N + Q) more, to take the
// task from its node), and none of them allocates once the centre has held as many tasks, all in
// all and on each node. Memory grows with the largest ID, by 32 to 64 bytes for each, and with
// the nodes and the tasks. Equal calls have equal results. Nothing is safe for concurrent use.
// The zero Central is not usable; make one with [NewCentral].
//
// # Source
//
// Kairos, section 3.3 and Algorithm 2, where lines 11 and 13 must be mended: i goes up to
// N + Q - 1, and the inner loop goes on while neither S_i nor the queue is empty; a node that
// gets a task moves on to S_{i+1}. The numbers of assignments are ours.
type Central[T any] struct {
	config  CentralConfig
	workers policy.Table[policy.NodeID, worker[T]]
	order   order
	line    line[T]
	turns   uint64 // the last one
	last    uint64 // the largest number that nodes which have left were sent
}

// A worker is a node that is there, as the centre sees it.
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
	Number uint64 // greater than those of all before it on this node
}

// NewCentral returns a centre without nodes or tasks. The error names the field that is
// outside its range.
func NewCentral[T any](c CentralConfig) (*Central[T], error) {
	if err := c.check("CentralConfig"); err != nil {
		return nil, err
	}
	return &Central[T]{config: c, order: newOrder(c), line: newLine[T]()}, nil
}

// Submit puts a task at the end of the queue. One that is submitted twice is two tasks.
func (c *Central[T]) Submit(task T) {
	c.turns++
	c.line.push(turn[T]{task, c.turns})
}

// Next sends the first task of the queue to a node. It returns false if the queue is empty
// or all nodes are full.
func (c *Central[T]) Next() (a Assignment[T], ok bool) {
	if c.line.len() == 0 {
		return a, false
	}
	id, ok := c.order.next()
	if !ok {
		return a, false
	}
	return c.send(c.workers.Get(id), c.line.pop()), true
}

// give sends a task to a node, past the queue: as Submit and Next would if the queue were
// empty. It returns false if all nodes are full.
func (c *Central[T]) give(task T) (a Assignment[T], ok bool) {
	id, ok := c.order.next()
	if !ok {
		return a, false
	}
	c.turns++
	return c.send(c.workers.Get(id), turn[T]{task, c.turns}), true
}

// Adopt says that a node, which has joined, has a task that this centre does not know, as
// happens when the centre has been started anew. It is counted even if the node is full
// already, and has a number as if it had just been sent: the node is to be told the last of
// these (see [Central.Node]), as the one that it has seen. The error says that the node
// is not there; nothing has changed then.
func (c *Central[T]) Adopt(task T, node policy.NodeID) (Assignment[T], error) {
	w := c.workers.Get(node)
	if w == nil {
		return Assignment[T]{}, fmt.Errorf("kairos: node %d is to have a task, and is not there", node)
	}
	c.turns++
	return c.send(w, turn[T]{task, c.turns}), nil
}

// Joined says that a node is there, with no tasks, and how many cores it has, 1 to
// MaxCores. The error says that the ID or the number of cores is outside its range, or that
// the node is there already; nothing has changed then.
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

// Left says that a node is gone. Its tasks are in the queue again, each in its old turn. The
// error says that it was not there.
func (c *Central[T]) Left(node policy.NodeID) error {
	w := c.workers.Get(node)
	if w == nil {
		return fmt.Errorf("kairos: node %d has left, and is not there", node)
	}
	for _, h := range w.held {
		c.line.back.Push(h.turn)
	}
	c.last = max(c.last, w.sent)
	c.order.set(&w.spot, 0, 0)
	c.workers.Delete(node)
	return nil
}

// Ended says that an assignment is over, whether its task was done, failed or was killed: it
// is no longer on its node, and the centre forgets it. The result is false if it is over
// already, or was lost with its node; nothing changes then. An error says that the node has
// never been sent it.
func (c *Central[T]) Ended(node policy.NodeID, number uint64) (ok bool, err error) {
	if number == 0 {
		return false, fmt.Errorf("kairos: assignment 0 of node %d, want at least 1", node)
	}
	w := c.workers.Get(node)
	if w == nil {
		return false, nil
	}
	if number > w.sent {
		return false, fmt.Errorf("kairos: assignment %d of node %d, and the last one sent is %d", number, node, w.sent)
	}
	i, ok := slices.BinarySearchFunc(w.held, number, func(h held[T], number uint64) int { return cmp.Compare(h.number, number) })
	if !ok {
		return false, nil
	}
	w.held = slices.Delete(w.held, i, i+1)
	c.rank(w)
	return true, nil
}

func (c *Central[T]) send(w *worker[T], t turn[T]) Assignment[T] {
	w.sent++
	w.held = append(w.held, held[T]{t, w.sent})
	c.rank(w)
	return Assignment[T]{t.task, w.id, w.sent}
}

// tasks returns how many tasks the node has at most, on their way or there.
func (w *worker[T]) tasks() int64 {
	// held is what was sent less the ends heard.
	own := min(int64(len(w.held)), int64(w.sent-w.joined-w.ended))
	return int64(w.others) + own
}

// rank brings a node to where it belongs after a change of its tasks.
func (c *Central[T]) rank(w *worker[T]) {
	free := int64(w.cores) + int64(c.config.Queue) - w.tasks()
	measure := w.variance
	if c.config.Tie == LeastSum {
		measure = w.sum
	}
	c.order.set(&w.spot, int32(max(0, free)), measure)
}

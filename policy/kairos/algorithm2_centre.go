package kairos

import (
	"iter"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
	"example.com/augur/queue"
)

// A centre is Algorithm 2 of the paper, the central scheduler: it sends the next task to the node with the fewest tasks.
// Ties go to the node whose tasks vary least in attained service, or by another [Tie]. No node gets more than N + Q
// tasks, one for each of its N cores and Q more. The queue of the algorithm is the turn of package central, and order.go
// chooses the node. Example (Algorithm2) is the pseudocode beside a centre.
//
// Nodes may differ in N, which the paper does not consider. The centre compares how many free places nodes have, N + Q
// minus their tasks, so that no busy node gets a task while another one has an idle core.
//
// # What the centre knows
//
// Heartbeats are late: with these alone a centre would send too much until one reported the flood. So assignments to a
// node are numbered, and a heartbeat carries the number of the last one that the node had seen. The centre also hears
// of each end from the host, before or after the heartbeat that shows it, and uses whichever shows more ended tasks. The
// joining of the node has a number too, from which its assignments count on:
//
//	tasks ≤ (sent - joined) - max(heard, seen - joined - tasks of the heartbeat)
//
// Of the assignments that the node had seen, all but those tasks had ended. Both terms count only what has ended, so a node
// never has more than N + Q tasks, even if heartbeats are lost, late, doubled or out of order.
//
// A node that joins again gets a joining number above all that it was sent before. So a heartbeat with seen < joined is
// from an earlier life, and is ignored.
//
// # Source
//
// Kairos, section 3.3 and Algorithm 2. Two of its lines need a correction. In line 11 i goes up to N + Q - 1. In line 13
// the inner loop goes on while neither S_i nor the queue is empty, and a node that gets a task moves on to S_{i+1}. The
// numbers of assignments are ours.
type centre struct {
	queue   int // Q
	workers policy.Table[policy.NodeID, worker]
	order   order
	offers  *queue.Heap[*worker] // adaptive nodes with a core to offer, instead of order; nil for the paper's
	copies  map[policy.Task]int  // assignments whose ends have not been heard
	last    uint64               // the largest number that nodes which have left were sent
	least   int64                // memory of the smallest node, maxMemory if none accounts for memory
}

// A worker is the centre's record of a node.
type worker struct {
	spot
	places int64  // N + Q
	memory int64  // maxMemory if the node does not account for it
	joined uint64 // the number of its joining
	sent   uint64 // that of the last assignment, or of its joining
	held   []held // assignments whose ends have not been heard, the first sent first

	// By the last heartbeat that was taken; 0 before.
	beat  uint64 // its number
	ended uint64 // assignments of this life
	tie   float64

	// Of an adaptive node.
	offer   offer
	claimed uint64 // the last assignment that was sent though no core was idle
}

// held is an assignment whose end has not been heard.
type held struct {
	copy   policy.Copy
	memory int64
}

func newCentre(c Config) *centre {
	return &centre{queue: c.Queue, order: newOrder(c.Src), copies: make(map[policy.Task]int), least: maxMemory}
}

// joined adds a node without tasks.
func (c *centre) joined(n *policy.Node) {
	memory := n.Memory
	if memory == 0 {
		memory = maxMemory
	}
	// What this node was sent in an earlier life had numbers up to c.last.
	w := &worker{spot: spot{id: n.ID}, places: int64(n.Cores) + int64(c.queue), memory: memory, joined: c.last + 1, sent: c.last + 1}
	c.workers.Put(n.ID, w)
	c.least = min(c.least, memory)
	c.rank(w)
}

// left forgets a node.
func (c *centre) left(node policy.NodeID) {
	w := c.workers.Get(node)
	c.last = max(c.last, w.sent)
	w.places, w.tie, w.offer.open = 0, 0, false
	c.rank(w)
	c.workers.Delete(node)
	c.least = maxMemory
	for _, w := range c.workers.All() {
		c.least = min(c.least, w.memory)
	}
}

// send notes that a node is sent a copy, and returns the number of the assignment.
func (c *centre) send(node policy.NodeID, copy policy.Copy, memory int64) (number uint64) {
	w := c.workers.Get(node)
	w.sent++
	if w.free == 0 {
		w.claimed, w.offer.open = w.sent, false // it takes the core that the offer is about
	}
	w.held = append(w.held, held{copy, memory})
	c.copies[copy.Task]++
	c.rank(w)
	return w.sent
}

// release notes that an assignment is over. It returns false, and changes nothing, if the node has none for the copy. A
// node has so few that a scan is faster than a table.
func (c *centre) release(node policy.NodeID, copy policy.Copy) bool {
	w := c.workers.Get(node)
	if w == nil {
		return false
	}
	i := slices.IndexFunc(w.held, func(h held) bool { return h.copy == copy })
	if i < 0 {
		return false
	}
	w.held = slices.Delete(w.held, i, i+1)
	if c.copies[copy.Task]--; c.copies[copy.Task] == 0 {
		delete(c.copies, copy.Task)
	}
	w.offer.open = w.offer.open && w.shown()
	c.rank(w)
	return true
}

// A report is a heartbeat: the state of a node, and the last assignment that it had seen then.
type report struct {
	number uint64 // increases from each heartbeat to the next in the node's life
	seen   uint64
	tasks  uint64  // that it has received and that have not ended
	tie    float64 // what ties are broken by
	offer  offer   // of an adaptive node
}

// reportOf decodes a heartbeat. Value is what ties are broken by, or the credit in ns.
func reportOf(ev *policy.Event, adaptive bool) report {
	m := &ev.Msg
	r := report{number: uint64(m.Copy.N), seen: m.Seq, tasks: uint64(m.Count)}
	if !adaptive {
		r.tie = m.Value
		return r
	}
	credit := saturate.To[policy.Duration](min(max(m.Value, -float64(maxSpan)), float64(maxSpan)))
	r.offer = offer{m.Copy.Job == 1, ev.Time.Add(-credit)}
	return r
}

// hear updates the record of a node. It returns false, and changes nothing, if r says nothing about the present: if it
// is no newer than the last report, if the node is not there, or if r may be of an earlier life of the node, because it
// has seen nothing of this one.
func (c *centre) hear(node policy.NodeID, r report) bool {
	w := c.workers.Get(node)
	if w == nil || r.seen < w.joined || r.seen > w.sent || r.number <= w.beat || r.tasks > r.seen-w.joined {
		return false
	}
	w.beat, w.ended, w.tie = r.number, r.seen-w.joined-r.tasks, r.tie
	w.offer = r.offer
	w.offer.open = r.offer.open && r.seen >= w.claimed && w.shown()
	c.rank(w)
	return true
}

// shown reports whether the last heartbeat shows all ends that were heard.
func (w *worker) shown() bool { return w.ended >= w.sent-w.joined-uint64(len(w.held)) }

// tasks returns how many tasks the node has at most, on their way or there.
func (w *worker) tasks() int64 {
	// held is what was sent less the ends heard.
	return min(int64(len(w.held)), int64(w.sent-w.joined-w.ended))
}

// left returns the memory that the tasks of the node leave.
func (w *worker) left() int64 {
	left := w.memory
	if left == maxMemory {
		return left
	}
	for _, h := range w.held {
		left -= h.memory
	}
	return left
}

// rank updates the place of a node in the order after a change of its tasks.
func (c *centre) rank(w *worker) {
	free := int32(max(0, w.places-w.tasks()))
	if c.offers == nil {
		c.order.set(&w.spot, free, w.tie)
		return
	}
	w.free = free
	switch {
	case free == 0 && !w.offer.open:
		c.offers.Remove(w.handle)
	case !c.offers.Fix(w.handle):
		w.handle = c.offers.Push(w)
	}
}

// full reports whether no node can get a task.
func (c *centre) full() bool {
	if c.offers != nil {
		return c.offers.Len() == 0
	}
	return !c.order.any()
}

// roomy returns the node that gets the next task among those with enough memory for it, and false if all of these are
// full. It looks at all nodes.
func (c *centre) roomy(memory int64) (best policy.NodeID, ok bool) {
	var first *worker
	for id, w := range c.workers.All() {
		if w.memory >= memory && w.free > 0 && (first == nil || w.free > first.free || w.free == first.free && w.tie < first.tie) {
			best, first = id, w
		}
	}
	return best, first != nil
}

// on yields the assignments of a job whose ends have not been heard. It looks at all nodes.
func (c *centre) on(id policy.JobID) iter.Seq2[policy.NodeID, policy.Copy] {
	return func(yield func(policy.NodeID, policy.Copy) bool) {
		for node, w := range c.workers.All() {
			for _, h := range w.held {
				if h.copy.Job == id && !yield(node, h.copy) {
					return
				}
			}
		}
	}
}

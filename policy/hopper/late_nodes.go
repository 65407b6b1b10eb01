package hopper

import (
	"cmp"
	"fmt"
	"slices"

	"example.com/augur/policy"
)

// Nodes tells which nodes are slow, for [LATE]: those on which less work has been
// done than on others, SlowNodeThreshold. A copy that is started there is of little use.
//
// The work done on a node is the sum of the progress of all tasks that run on it or have
// succeeded there. A node is slow if that is below a quantile of that of all nodes,
// with linear interpolation; if it is equal on all, none is slow. A node that has just
// joined is slow until it has caught up, as in LATE, unless it is credited with some work.
//
// With n nodes, Slow takes O(1) time, and the others O(log n) and what it takes to move 16
// bytes for each node that is overtaken. Nothing allocates once there were as many nodes.
type Nodes struct {
	slow  float64
	done  []float64 // by NodeID; -1 if it is not there
	order []nodeWork
}

type nodeWork struct {
	done float64
	node policy.NodeID
}

func compareNodeWork(a, b nodeWork) int {
	return cmp.Or(cmp.Compare(a.done, b.done), cmp.Compare(a.node, b.node))
}

// NewNodes returns a Nodes without nodes. Slow is the quantile below which a node is slow, > 0 and
// at most 1; 0 means 0.25.
func NewNodes(slow float64) (*Nodes, error) {
	if slow == 0 {
		slow = 0.25
	}
	if !(slow > 0 && slow <= 1) {
		return nil, fmt.Errorf("hopper: quantile of slow nodes is %v, want more than 0, at most 1, or 0 for 0.25", slow)
	}
	return &Nodes{slow: slow}, nil
}

// Join adds a node on which no work has been done. One that is there already is left as it is.
// The error says that the ID is 0 or too large.
func (n *Nodes) Join(node policy.NodeID) error {
	if node == 0 || node > policy.MaxID {
		return fmt.Errorf("hopper: node is %d, want 1 to %d", node, policy.MaxID)
	}
	if n.has(node) {
		return nil
	}
	for len(n.done) <= int(node) {
		n.done = append(n.done, -1)
	}
	n.done[node] = 0
	at, _ := slices.BinarySearchFunc(n.order, nodeWork{0, node}, compareNodeWork)
	n.order = slices.Insert(n.order, at, nodeWork{0, node})
	return nil
}

// Leave takes a node out. One that is not there changes nothing.
func (n *Nodes) Leave(node policy.NodeID) {
	if !n.has(node) {
		return
	}
	at := n.place(node)
	n.order = slices.Delete(n.order, at, at+1)
	n.done[node] = -1
}

// Add says that some more work has been done on a node: by how much the progress of a copy,
// 1 in all, has grown. Less is for a copy that was killed, whose progress is lost. A node
// that is not there changes nothing. The error says that more is not -1 to 1.
func (n *Nodes) Add(node policy.NodeID, more float64) error {
	if !(more >= -1 && more <= 1) {
		return fmt.Errorf("hopper: progress on node %d grew by %v, want -1 to 1", node, more)
	}
	if !n.has(node) {
		return nil
	}
	from := n.place(node)
	n.done[node] = max(0, n.done[node]+more)
	moved := nodeWork{n.done[node], node}
	to, found := slices.BinarySearchFunc(n.order, moved, compareNodeWork)
	if found { // nothing has changed
		return nil
	}
	if to > from {
		to--
		copy(n.order[from:to], n.order[from+1:])
	} else {
		copy(n.order[to+1:from+1], n.order[to:])
	}
	n.order[to] = moved
	return nil
}

// Slow reports whether a node is there and slow.
func (n *Nodes) Slow(node policy.NodeID) bool {
	return n.has(node) && n.done[node] < quantileOf(len(n.order), n.slow, func(i int) float64 { return n.order[i].done })
}

func (n *Nodes) has(node policy.NodeID) bool {
	return int64(node) < int64(len(n.done)) && n.done[node] >= 0
}

func (n *Nodes) place(node policy.NodeID) int {
	at, _ := slices.BinarySearchFunc(n.order, nodeWork{n.done[node], node}, compareNodeWork)
	return at
}

// quantileOf returns the p quantile of n > 0 values of which the i-th least is at(i), by linear
// interpolation between the two nearest. p is in [0, 1].
func quantileOf(n int, p float64, at func(i int) float64) float64 {
	h := float64(p * float64(n-1))
	i := min(int(h), n-1)
	low, part := at(i), h-float64(i)
	if part == 0 || i == n-1 {
		return low
	}
	high := at(i + 1)
	if high == low { // also if both are infinite
		return low
	}
	return low + float64(part*(high-low))
}

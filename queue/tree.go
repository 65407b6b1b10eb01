package queue

import (
	"cmp"
	"fmt"
	"iter"
	"math"
)

// A Share is the part of its parent that a node of a [Tree] may use, as fractions. A node below its
// guaranteed share comes before all siblings that are above theirs. It may use more than its
// guarantee, up to its maximum, if others leave it free. If the two are equal, the limit is hard.
type Share struct {
	Guaranteed float64 // 0 to 1; those of siblings sum up to at most 1
	Maximum    float64 // Guaranteed to 1; 0 means 1
}

// A Tree is a hierarchy of queues with capacities, as in a capacity scheduler: an organisation
// divides a cluster among departments, and these among teams. Tasks wait in the leaves, where
// the caller orders them: let T be, or hold, a [Heap], a [Multilevel] or a list.
//
// Call [Tree.Join] with the demand of a leaf's first task, and call it again whenever that changes:
// when another task becomes the first, and after each start. When [Tree.Next] returns the leaf,
// remove its first task, charge the leaf with what the task uses, and Join with the next task, or
// call [Tree.Leave] if there is none. Take the charge back when the task has ended. Next returns
// the element, but the other methods need its handle, so let T be a pointer to a struct that keeps
// the handle.
//
// Next goes from the root down, at each node to the child with the least use / guarantee. Ties go
// to the child whose last charge is longest ago; being added counts as the first charge. Children
// without a guarantee come last, in turn, and may starve. Next skips a child if nothing waits below
// it, or if its next leaf asks for more than is left of the child's maximum. If a department is too
// full for its next leaf, the other leaves of the department wait with it, so that no wide task
// starves. Next skips a leaf that asks for more than its own maximum at once.
//
// So nothing stays free while the next task fits somewhere: limits are elastic. A node below its share gets what is
// returned before all siblings above theirs. So once every running task has ended, each node that always had tasks
// waiting has its guarantee, short by at most a few demands, unless a maximum prevents this.
//
// All amounts are in one unit, such as cores. Limits are kept to one part in 10^9, so that
// fractions may be summed in any order.
//
// A change takes O(d·log k) time, where d is the depth of the node and k the number of siblings
// on the way up. SetCapacity takes O(log k) for each node, and Next constant time. Only Add
// allocates, and a call by which more siblings wait at once than ever before. The zero Tree is not
// usable; make one with [NewTree].
//
// # Source
//
// The model is that of the CapacityScheduler of Apache Hadoop YARN, with its default order
// of queues, by relative use.
type Tree[T any] struct {
	nodes   table[treeNode[T]] // the root is at place 0
	charges uint64             // and nodes added so far
}

type treeNode[T any] struct {
	x        T
	share    Share
	parent   uint32
	children []uint32
	granted  float64 // sum of the children's guarantees

	relative            float64 // use by guaranteed share, when it had its place in the parent's turns
	guaranteed, maximum float64 // in the unit of the capacity; no maximum is above its parent's
	use                 sum
	charged             uint64 // number of the last charge

	ask   float64
	waits bool          // only a leaf
	ready bool          // something below, or the leaf itself, waits and does not ask for too much
	next  uint32        // the leaf that is next of those below, or itself, if ready
	turns *Heap[uint32] // of the children those that are ready and have room, least relative use first
	turn  Handle        // in the parent's turns
}

// NewTree returns a Tree with only a root, which stands for the whole capacity. Add nodes with
// [Tree.Add]. It returns an error if the capacity is not between 1e-100 and 1e100.
func NewTree[T any](root T, capacity float64) (*Tree[T], error) {
	if !goodWeight(capacity) {
		return nil, fmt.Errorf("queue: capacity is %v, want 1e-100 to 1e100", capacity)
	}
	t := new(Tree[T])
	t.nodes.add(treeNode[T]{x: root, share: Share{1, 1}, guaranteed: capacity, maximum: capacity, turns: t.newTurns()})
	return t, nil
}

func (t *Tree[T]) newTurns() *Heap[uint32] {
	return NewHeap(func(a, b uint32) int {
		x, y := t.nodes.at(a), t.nodes.at(b)
		if x.relative != y.relative {
			return cmp.Compare(x.relative, y.relative)
		}
		return cmp.Compare(x.charged, y.charged)
	})
}

// Root returns the handle of the root.
func (t *Tree[T]) Root() Handle { return Handle{0, t.nodes.places[0].gen} }

// Add adds a node below a parent. A parent that is still a leaf must neither wait nor be in use. The
// error names the parent or the field of share that is not allowed.
func (t *Tree[T]) Add(parent Handle, x T, share Share) (Handle, error) {
	p := t.nodes.get(parent)
	if share.Maximum == 0 {
		share.Maximum = 1
	}
	switch {
	case p == nil:
		return Handle{}, fmt.Errorf("queue: the parent is not in the tree, want Root or a handle that Add returned")
	case p.leaf() && (p.waits || p.use.hi != 0):
		return Handle{}, fmt.Errorf("queue: the parent is a leaf that waits or uses %v, want neither: add nodes before you Join or Charge it", p.use.hi)
	case !(share.Guaranteed >= 0 && share.Guaranteed <= 1):
		return Handle{}, fmt.Errorf("queue: Share.Guaranteed is %v, want 0 to 1", share.Guaranteed)
	case !(share.Maximum >= share.Guaranteed && share.Maximum <= 1):
		return Handle{}, fmt.Errorf("queue: Share.Maximum is %v, want Guaranteed = %v to 1, or 0 for 1", share.Maximum, share.Guaranteed)
	case p.granted+share.Guaranteed > 1+slack:
		return Handle{}, fmt.Errorf("queue: Share.Guaranteed is %v, want at most %v, what the siblings leave", share.Guaranteed, 1-p.granted)
	}
	p.granted += share.Guaranteed
	t.charges++
	child := t.nodes.add(treeNode[T]{x: x, share: share, parent: parent.slot, charged: t.charges, turns: t.newTurns()})
	p = t.nodes.get(parent) // it may have moved
	p.children = append(p.children, child.slot)
	t.measure(t.nodes.get(child))
	return child, nil
}

const slack = 1e-9 // relative

// measure computes the limits of a node from those of its parent.
func (t *Tree[T]) measure(c *treeNode[T]) {
	p := t.nodes.at(c.parent)
	c.guaranteed = p.guaranteed * c.share.Guaranteed
	c.maximum = p.maximum * c.share.Maximum
}

func (n *treeNode[T]) leaf() bool { return len(n.children) == 0 }

// fits reports whether a node has room for the leaf that is next.
func (t *Tree[T]) fits(n *treeNode[T]) bool {
	return n.ready && n.use.hi+t.nodes.at(n.next).ask <= n.maximum*(1+slack)
}

// update recomputes a node and its ancestors after a change.
func (t *Tree[T]) update(i uint32) {
	for i != 0 {
		t.choose(i)
		i = t.nodes.at(i).parent
	}
	t.choose(0)
}

// choose finds the next leaf below a node, and the place of the node among its siblings.
func (t *Tree[T]) choose(i uint32) {
	n := t.nodes.at(i)
	if n.leaf() {
		n.ready, n.next = n.waits && n.ask <= n.maximum*(1+slack), i
	} else {
		var child uint32
		if child, n.ready = n.turns.Peek(); n.ready {
			n.next = t.nodes.at(child).next
		}
	}
	if i == 0 {
		return
	}
	turns := t.nodes.at(n.parent).turns
	if !t.fits(n) {
		turns.Remove(n.turn)
		return
	}
	n.relative = math.Inf(1)
	if n.guaranteed > 0 {
		n.relative = max(0, n.use.hi) / n.guaranteed
	}
	if !turns.Fix(n.turn) {
		n.turn = turns.Push(i)
	}
}

// Join makes a leaf wait: its next task asks for the given amount. If the leaf waits already, the
// amount replaces the earlier one. If the handle is stale or not that of a leaf, or the amount is
// negative or not finite, Join changes nothing and returns false.
func (t *Tree[T]) Join(leaf Handle, ask float64) bool {
	n := t.nodes.get(leaf)
	if n == nil || leaf.slot == 0 || !n.leaf() || !(ask >= 0) || math.IsInf(ask, 1) {
		return false
	}
	n.waits, n.ask = true, ask
	t.update(leaf.slot)
	return true
}

// Leave ends the waiting of a leaf: it has nothing more to start. It returns false if the leaf did
// not wait.
func (t *Tree[T]) Leave(leaf Handle) bool {
	n := t.nodes.get(leaf)
	if n == nil || !n.waits {
		return false
	}
	n.waits = false
	t.update(leaf.slot)
	return true
}

// Next returns the leaf whose turn it is, and false if no waiting leaf has room. It changes nothing:
// [Tree.Charge] passes the turn on.
func (t *Tree[T]) Next() (leaf T, ok bool) {
	root := t.nodes.at(0)
	if !t.fits(root) {
		return leaf, false
	}
	return t.nodes.at(root.next).x, true
}

// Charge adds amount to the use of a leaf and its ancestors, when a task starts. A negative amount
// takes back, when the task has ended. Charge does not check the limits. If the handle is stale or
// not that of a leaf, or a use would not be finite, it changes nothing and returns false.
func (t *Tree[T]) Charge(leaf Handle, amount float64) bool {
	n := t.nodes.get(leaf)
	if n == nil || leaf.slot == 0 || !n.leaf() {
		return false
	}
	for i := range t.up(leaf.slot) {
		if _, ok := t.nodes.at(i).use.plus(amount); !ok {
			return false
		}
	}
	if amount > 0 {
		t.charges++
	}
	for i := range t.up(leaf.slot) {
		n := t.nodes.at(i)
		n.use, _ = n.use.plus(amount)
		if amount > 0 {
			n.charged = t.charges
		}
	}
	t.update(leaf.slot)
	return true
}

// up yields a node and its ancestors.
func (t *Tree[T]) up(i uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for yield(i) && i != 0 {
			i = t.nodes.at(i).parent
		}
	}
}

// SetCapacity changes the capacity, and with it the guarantees and maxima of all nodes. What is in
// use stays in use. It returns an error if the capacity is not between 1e-100 and 1e100.
func (t *Tree[T]) SetCapacity(capacity float64) error {
	if !goodWeight(capacity) {
		return fmt.Errorf("queue: capacity is %v, want 1e-100 to 1e100", capacity)
	}
	root := t.nodes.at(0)
	root.guaranteed, root.maximum = capacity, capacity
	t.renew(0)
	return nil
}

// renew recomputes the limits of all nodes below a node, and then the nodes and itself.
func (t *Tree[T]) renew(i uint32) {
	for _, child := range t.nodes.at(i).children {
		t.measure(t.nodes.at(child))
		t.renew(child)
	}
	t.choose(i)
}

// Use returns the use of a node, including the nodes below it, and false if the handle is stale.
func (t *Tree[T]) Use(node Handle) (use float64, ok bool) {
	n := t.nodes.get(node)
	if n == nil {
		return 0, false
	}
	return n.use.hi, true
}

// Limits returns the guarantee and the maximum of a node, in the unit of the capacity, and false if
// the handle is stale.
func (t *Tree[T]) Limits(node Handle) (guaranteed, maximum float64, ok bool) {
	n := t.nodes.get(node)
	if n == nil {
		return 0, 0, false
	}
	return n.guaranteed, n.maximum, true
}

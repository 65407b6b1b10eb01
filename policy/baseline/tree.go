package baseline

// A tree holds elements in an order, and lets each know a summary of the part of the tree
// below it, such as a sum or a least value, by which to search in logarithmic time. It is a
// treap: a search tree by less, and a heap by weights that are drawn from the number of
// insertions, so that a run repeats. Insert and remove take O(log n) time on average.
//
// # Source
//
// R. Seidel and C. Aragon, "Randomized search trees", Algorithmica 16, 1996.
type tree[E any] struct {
	less  func(a, b *E) bool      // a strict total order
	sum   func(e, left, right *E) // sets the summary of e from itself and those below it, nil if there is none
	nodes []treeNode[E]           // nodes[0] stands for none
	root  uint32
	free  uint32 // first free node; its left is the next one
	drawn uint64
}

type treeNode[E any] struct {
	e           E
	left, right uint32
	up          uint32 // 0: it is the root
	weight      uint32 // of a node at least those of its children
}

// insert adds e and returns the index of its node, which stays until it is removed.
func (t *tree[E]) insert(e E) uint32 {
	i := t.free
	switch {
	case i != 0:
		t.free = t.nodes[i].left
	default:
		if len(t.nodes) == 0 {
			t.nodes = append(t.nodes, treeNode[E]{})
		}
		i = uint32(len(t.nodes))
		t.nodes = append(t.nodes, treeNode[E]{})
	}
	t.nodes[i] = treeNode[E]{e: e, weight: t.draw()}
	t.root = t.put(t.root, i)
	t.nodes[t.root].up = 0
	return i
}

// draw returns a weight: SplitMix64 of the number of insertions so far.
func (t *tree[E]) draw() uint32 {
	t.drawn += 0x9e3779b97f4a7c15
	z := t.drawn
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return uint32(z >> 32)
}

// remove takes out the node i. It compares nothing, so that an element whose place in the order has changed
// can be removed and inserted again.
func (t *tree[E]) remove(i uint32) {
	n := t.nodes[i]
	below := t.join(n.left, n.right)
	t.nodes[below].up = n.up
	switch up := &t.nodes[n.up]; {
	case n.up == 0:
		t.root = below
	case up.left == i:
		up.left = below
	default:
		up.right = below
	}
	for at := n.up; at != 0; at = t.nodes[at].up {
		t.update(at)
	}
	t.nodes[i] = treeNode[E]{left: t.free}
	t.free = i
}

// replace puts e in place of the element of node i, which stays its node: insert takes the one that was freed last.
func (t *tree[E]) replace(i uint32, e E) {
	t.remove(i)
	t.insert(e)
}

// next returns the node after i in the order, 0 if there is none; before, the one before it.
func (t *tree[E]) next(i uint32) uint32 {
	if at := t.nodes[i].right; at != 0 {
		for t.nodes[at].left != 0 {
			at = t.nodes[at].left
		}
		return at
	}
	for t.nodes[i].up != 0 && t.nodes[t.nodes[i].up].right == i {
		i = t.nodes[i].up
	}
	return t.nodes[i].up
}

func (t *tree[E]) before(i uint32) uint32 {
	if at := t.nodes[i].left; at != 0 {
		for t.nodes[at].right != 0 {
			at = t.nodes[at].right
		}
		return at
	}
	for t.nodes[i].up != 0 && t.nodes[t.nodes[i].up].left == i {
		i = t.nodes[i].up
	}
	return t.nodes[i].up
}

// misplaced reports whether an element is no longer where the order has it, if all others are.
func (t *tree[E]) misplaced(i uint32) bool {
	e := &t.nodes[i].e
	if at := t.before(i); at != 0 && !t.less(&t.nodes[at].e, e) {
		return true
	}
	at := t.next(i)
	return at != 0 && !t.less(e, &t.nodes[at].e)
}

// put inserts node i into the part below at, and returns the new top of it.
func (t *tree[E]) put(at, i uint32) uint32 {
	if at == 0 {
		t.update(i)
		return i
	}
	n, m := &t.nodes[at], &t.nodes[i]
	switch {
	case m.weight > n.weight:
		m.left, m.right = t.split(at, &m.e)
		at = i
	case t.less(&m.e, &n.e):
		n.left = t.put(n.left, i)
	default:
		n.right = t.put(n.right, i)
	}
	t.update(at)
	return at
}

// split parts what is below at into what goes before e and what goes after it.
func (t *tree[E]) split(at uint32, e *E) (before, after uint32) {
	if at == 0 {
		return 0, 0
	}
	n := &t.nodes[at]
	if t.less(&n.e, e) {
		n.right, after = t.split(n.right, e)
		before = at
	} else {
		before, n.left = t.split(n.left, e)
		after = at
	}
	t.update(at)
	return before, after
}

// join makes one of two parts, of which the first goes before the second.
func (t *tree[E]) join(before, after uint32) uint32 {
	if before == 0 {
		return after
	}
	if after == 0 {
		return before
	}
	top := before
	if b, a := &t.nodes[before], &t.nodes[after]; b.weight >= a.weight {
		b.right = t.join(b.right, after)
	} else {
		a.left = t.join(before, a.left)
		top = after
	}
	t.update(top)
	return top
}

// each calls visit with the elements below at, in order.
func (t *tree[E]) each(at uint32, visit func(*E)) {
	for ; at != 0; at = t.nodes[at].right {
		t.each(t.nodes[at].left, visit)
		visit(&t.nodes[at].e)
	}
}

// update brings a node up to date with those below it.
func (t *tree[E]) update(i uint32) {
	n := &t.nodes[i]
	var left, right *E
	if n.left != 0 {
		left, t.nodes[n.left].up = &t.nodes[n.left].e, i
	}
	if n.right != 0 {
		right, t.nodes[n.right].up = &t.nodes[n.right].e, i
	}
	t.sum(&n.e, left, right)
}

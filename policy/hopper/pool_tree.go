package hopper

import "example.com/augur/policy"

// A forest holds the jobs of a pool in search trees, one for each class, by tasks and of equal
// ones by ID. Each node knows the number and the tasks of the jobs on either side below it, so
// that totals of the jobs up to any number of tasks take O(log n) time, and no look off the path.
//
// The trees are treaps: also heaps by a weight, here a hash of the ID. So a tree's shape, and with
// it the last bit of its sums, depends on the jobs in it, and not on the order in which they came.
//
// Source: R. Seidel and C. Aragon, "Randomized search trees", Algorithmica 16, 1996.
type forest struct {
	nodes []node // nodes[0] stands for none
	free  uint32 // first free node; its left is the next one
}

type node struct {
	tasks             float64
	leftSum, rightSum float64 // of tasks
	leftN, rightN     uint32  // of jobs
	left, right       uint32
	id                policy.JobID
	weight            uint32 // at least those of its children
}

// A total is the number of some jobs, and the sum of their tasks.
type total struct{ n, tasks float64 }

func (n *node) setLeft(f *forest, child uint32) {
	n.left, n.leftN, n.leftSum = child, 0, 0
	if child != 0 {
		c := &f.nodes[child]
		n.leftN, n.leftSum = c.n(), c.sum()
	}
}

func (n *node) setRight(f *forest, child uint32) {
	n.right, n.rightN, n.rightSum = child, 0, 0
	if child != 0 {
		c := &f.nodes[child]
		n.rightN, n.rightSum = c.n(), c.sum()
	}
}

func (n *node) n() uint32    { return n.leftN + 1 + n.rightN }
func (n *node) sum() float64 { return n.leftSum + n.tasks + n.rightSum }

// before reports whether a node goes before a job.
func (n *node) before(tasks float64, id policy.JobID) bool {
	return n.tasks < tasks || n.tasks == tasks && n.id < id
}

// above reports whether a node is to be above another.
func (n *node) above(other *node) bool {
	return n.weight > other.weight || n.weight == other.weight && n.id < other.id
}

// add puts a job into the tree at root and returns its new root.
func (f *forest) add(root uint32, tasks float64, id policy.JobID) uint32 {
	i := f.free
	if i != 0 {
		f.free = f.nodes[i].left
	} else {
		if len(f.nodes) == 0 {
			f.nodes = append(f.nodes, node{})
		}
		i = uint32(len(f.nodes))
		f.nodes = append(f.nodes, node{})
	}
	f.nodes[i] = node{tasks: tasks, id: id, weight: hash(id)}
	return f.put(root, i)
}

// hash is the upper half of SplitMix64's output for id.
func hash(id policy.JobID) uint32 {
	z := (uint64(id) + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return uint32((z ^ z>>31) >> 32)
}

func (f *forest) put(at, i uint32) uint32 {
	if at == 0 {
		return i
	}
	n, m := &f.nodes[at], &f.nodes[i]
	switch {
	case m.above(n):
		before, after := f.split(at, m.tasks, m.id)
		m.setLeft(f, before)
		m.setRight(f, after)
		return i
	case n.before(m.tasks, m.id):
		n.setRight(f, f.put(n.right, i))
	default:
		n.setLeft(f, f.put(n.left, i))
	}
	return at
}

// split parts the tree at a node into what goes before a job and what goes after it.
func (f *forest) split(at uint32, tasks float64, id policy.JobID) (before, after uint32) {
	if at == 0 {
		return 0, 0
	}
	n := &f.nodes[at]
	if n.before(tasks, id) {
		before, after = f.split(n.right, tasks, id)
		n.setRight(f, before)
		return at, after
	}
	before, after = f.split(n.left, tasks, id)
	n.setLeft(f, after)
	return before, at
}

// remove takes a job, which is there, out of the tree at a node and returns its new root.
func (f *forest) remove(at uint32, tasks float64, id policy.JobID) uint32 {
	n := &f.nodes[at]
	switch {
	case n.id == id:
		root := f.join(n.left, n.right)
		*n = node{left: f.free}
		f.free = at
		return root
	case n.before(tasks, id):
		n.setRight(f, f.remove(n.right, tasks, id))
	default:
		n.setLeft(f, f.remove(n.left, tasks, id))
	}
	return at
}

// join makes one of two trees, of which the first goes before the second.
func (f *forest) join(before, after uint32) uint32 {
	if before == 0 {
		return after
	}
	if after == 0 {
		return before
	}
	b, a := &f.nodes[before], &f.nodes[after]
	if b.above(a) {
		b.setRight(f, f.join(b.right, after))
		return before
	}
	a.setLeft(f, f.join(before, a.left))
	return after
}

// all returns the total of a tree.
func (f *forest) all(root uint32) total {
	if root == 0 {
		return total{}
	}
	n := &f.nodes[root]
	return total{float64(n.n()), n.sum()}
}

// upTo returns the total of the jobs of a tree for which factor * tasks is at most limit.
func (f *forest) upTo(root uint32, factor, limit float64) total {
	var n uint32
	sum := 0.0
	for at := root; at != 0; {
		x := &f.nodes[at]
		if factor*x.tasks <= limit {
			n += x.leftN + 1
			sum += x.leftSum + x.tasks
			at = x.right
		} else {
			at = x.left
		}
	}
	return total{float64(n), sum}
}

// ahead returns the total of the jobs of a tree that go before a job.
func (f *forest) ahead(root uint32, tasks float64, id policy.JobID) total {
	var n uint32
	sum := 0.0
	for at := root; at != 0; {
		x := &f.nodes[at]
		if x.before(tasks, id) {
			n += x.leftN + 1
			sum += x.leftSum + x.tasks
			at = x.right
		} else {
			at = x.left
		}
	}
	return total{float64(n), sum}
}

// share returns the total of the jobs of a tree that have a floor if slots are shared so that
// the others, the largest, have more than that, in proportion to their tasks.
func (f *forest) share(root uint32, slots, floor float64) total {
	if floor == 0 {
		return total{}
	}
	all := f.all(root)
	low := total{}
	for at := root; at != 0; {
		x := &f.nodes[at]
		before := total{low.n + float64(x.leftN), low.tasks + x.leftSum}
		if x.tasks*(slots-float64(before.n*floor)) >= floor*(all.tasks-before.tasks) {
			at = x.left
		} else {
			low = total{before.n + 1, before.tasks + x.tasks}
			at = x.right
		}
	}
	return low
}

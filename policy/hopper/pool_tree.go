package hopper

import "example.com/augur/policy"

// A forest holds the jobs of a pool in search trees, one for each class, by tasks and of equal
// ones by ID. Each node knows the number and the tasks of the jobs below it, so that sums over the
// jobs up to any number of tasks take O(log n) time.
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
	tasks       float64
	sum         float64 // of tasks, of the node and those below it
	n           uint32  // of nodes, likewise
	left, right uint32
	id          policy.JobID
	weight      uint32 // at least those of its children
}

// A total is the number of some jobs, and the sum of their tasks.
type total struct{ n, tasks float64 }

// before reports whether node i goes before a job.
func (f *forest) before(i uint32, tasks float64, id policy.JobID) bool {
	n := &f.nodes[i]
	return n.tasks < tasks || n.tasks == tasks && n.id < id
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
	f.nodes[i] = node{tasks: tasks, sum: tasks, n: 1, id: id, weight: hash(id)}
	return f.put(root, i)
}

// hash is the upper half of SplitMix64's output for id.
func hash(id policy.JobID) uint32 {
	z := (uint64(id) + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return uint32((z ^ z>>31) >> 32)
}

// above reports whether node i is to be above node j.
func (f *forest) above(i, j uint32) bool {
	a, b := &f.nodes[i], &f.nodes[j]
	return a.weight > b.weight || a.weight == b.weight && a.id < b.id
}

func (f *forest) put(at, i uint32) uint32 {
	if at == 0 {
		return i
	}
	n := &f.nodes[at]
	m := &f.nodes[i]
	if f.above(i, at) {
		m.left, m.right = f.split(at, m.tasks, m.id)
		f.update(i)
		return i
	}
	n.n++
	if f.before(at, m.tasks, m.id) {
		n.right = f.put(n.right, i)
	} else {
		n.left = f.put(n.left, i)
	}
	n.sum = n.tasks + f.nodes[n.left].sum + f.nodes[n.right].sum
	return at
}

// split parts the tree at a node into what goes before a job and what goes after it.
func (f *forest) split(at uint32, tasks float64, id policy.JobID) (before, after uint32) {
	if at == 0 {
		return 0, 0
	}
	if f.before(at, tasks, id) {
		f.nodes[at].right, after = f.split(f.nodes[at].right, tasks, id)
		before = at
	} else {
		before, f.nodes[at].left = f.split(f.nodes[at].left, tasks, id)
		after = at
	}
	f.update(at)
	return before, after
}

// remove takes a job, which is there, out of the tree at a node and returns its new root.
func (f *forest) remove(at uint32, tasks float64, id policy.JobID) uint32 {
	n := &f.nodes[at]
	if n.id == id {
		root := f.join(n.left, n.right)
		*n = node{left: f.free}
		f.free = at
		return root
	}
	if f.before(at, tasks, id) {
		n.right = f.remove(n.right, tasks, id)
	} else {
		n.left = f.remove(n.left, tasks, id)
	}
	n.n--
	n.sum = n.tasks + f.nodes[n.left].sum + f.nodes[n.right].sum
	return at
}

// join makes one of two trees, of which the first goes before the second.
func (f *forest) join(before, after uint32) uint32 {
	switch {
	case before == 0:
		return after
	case after == 0:
		return before
	case f.above(before, after):
		f.nodes[before].right = f.join(f.nodes[before].right, after)
		f.update(before)
		return before
	}
	f.nodes[after].left = f.join(before, f.nodes[after].left)
	f.update(after)
	return after
}

func (f *forest) update(i uint32) {
	n := &f.nodes[i]
	l, r := &f.nodes[n.left], &f.nodes[n.right]
	n.n = 1 + l.n + r.n
	n.sum = n.tasks + l.sum + r.sum
}

// all returns the total of a tree.
func (f *forest) all(root uint32) total {
	if root == 0 {
		return total{}
	}
	return total{float64(f.nodes[root].n), f.nodes[root].sum}
}

// upTo returns the total of the jobs of a tree for which factor * tasks is at most limit.
func (f *forest) upTo(root uint32, factor, limit float64) total {
	var n uint32
	sum := 0.0
	for at := root; at != 0; {
		x := &f.nodes[at]
		if factor*x.tasks <= limit {
			l := &f.nodes[x.left]
			n += l.n + 1
			sum += l.sum + x.tasks
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
		if f.before(at, tasks, id) {
			l := &f.nodes[x.left]
			n += l.n + 1
			sum += l.sum + x.tasks
			at = x.right
		} else {
			at = x.left
		}
	}
	return total{float64(n), sum}
}

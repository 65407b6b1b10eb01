package sim

import "math"

// room finds a node with room in one partition. It is a tournament tree over the partition's nodes by ID that keeps
// the most free cores and the most free memory below each inner node:
//
//	cores[i] = max(cores[2i], cores[2i+1]),  memory likewise;  node k is leaf size+k
//
// set takes O(log n). first takes O(log n) if only one of the two resources is scarce; if a subtree has the cores on
// one node and the memory on another, it searches both halves. With a scan instead, BenchmarkFIFO is as fast with 100
// nodes, a fifth slower with 2,500 and takes twice as long or more with 20,000.
type room struct {
	size   int // of the lowest level, a power of two
	cores  []int32
	memory []int64 // unlimited where it is not accounted for
	nodes  []int   // the node's place among all nodes, by leaf
}

func newRoom(nodes []int) *room {
	size := 1
	for size < len(nodes) {
		size *= 2
	}
	return &room{size: size, cores: make([]int32, 2*size), memory: make([]int64, 2*size), nodes: nodes}
}

// set sets what is free on the node at leaf k.
func (r *room) set(k int, cores int32, memory int64) {
	setLeaf(r.cores, r.size+k, cores)
	setLeaf(r.memory, r.size+k, memory)
}

func setLeaf[T int32 | int64](tree []T, i int, most T) {
	for tree[i] != most {
		tree[i] = most
		if i == 1 {
			return
		}
		most = max(most, tree[i^1])
		i /= 2
	}
}

// first returns the first leaf from from on with this much free, and false if there is none.
func (r *room) first(from int, cores int32, memory int64) (k int, ok bool) {
	if from >= len(r.nodes) {
		return 0, false
	}
	// Walk the subtrees that cover [from, size) from left to right.
	i := r.size + from
	for {
		if r.cores[i] >= cores && r.memory[i] >= memory {
			if i >= r.size {
				return i - r.size, true
			}
			i *= 2
			continue
		}
		for i&1 == 1 { // a right child: its parent is done with
			i /= 2
		}
		if i == 0 {
			return 0, false
		}
		i++
	}
}

// unlimited is the free memory of a node without a memory limit, whatever its tasks take.
const unlimited = math.MaxInt64

package dag

import (
	"fmt"
	"math/bits"
	"slices"
)

// A Weight is what a node counts: whole numbers, such as a time.Duration, or floats. Weights
// may be of any sign. Sums that leave the range of whole numbers wrap, and a NaN gives no
// sensible answer.
type Weight interface{ ~int64 | ~float64 }

// Depth returns the number of edges of the longest path, 0 if there are no edges: no walk of more hops
// finds more. It takes O(n + m) time and 4 bytes for each node.
func Depth(g *Graph) int {
	most := uint32(0)
	hops := make([]uint32, g.Len()) // of the longest path to each node
	for _, v := range g.order {
		for _, to := range g.Out(v) {
			hops[to] = max(hops[to], hops[v]+1)
			most = max(most, hops[to])
		}
	}
	return int(most)
}

// TopLevels appends to dst, for each node, the length of the longest path from a source to
// it, and returns the longer slice: the sum of the weights before the node, which counts not
// itself. If weights are runtimes, that is when the node can start at the earliest: its t-level,
// or downward rank.
//
// It takes O(n + m) time for n nodes and m edges, and allocates nothing if dst has room. It
// panics if there is not one weight for each node.
//
// # Source
//
// H. Topcuoglu, S. Hariri and M. Wu, "Performance-effective and low-complexity task
// scheduling for heterogeneous computing", IEEE Transactions on Parallel and Distributed
// Systems 13(3), 2002, section 4.1. There edges have weights too, which can be had by a node
// on the edge.
func TopLevels[W Weight](dst []W, g *Graph, weights []W) []W {
	dst, levels := room(dst, g, len(weights))
	for _, v := range g.order {
		in := g.In(v)
		if len(in) == 0 {
			levels[v] = 0
			continue
		}
		most := levels[in[0]] + weights[in[0]]
		for _, from := range in[1:] {
			most = max(most, levels[from]+weights[from])
		}
		levels[v] = most
	}
	return dst
}

// BottomLevels appends to dst, for each node, the length of the longest path from it to a
// sink, and returns the longer slice: the sum of the weights of the node and of those after
// it. If weights are runtimes, that is what remains of the whole when the node starts, however
// many machines there are: its b-level, or upward rank, by which list schedulers go, the
// greatest first.
//
// A node is on a critical path exactly if its top level and its bottom level add up to that
// path's length, which is the greatest bottom level of a source; what is missing is its slack.
//
// It takes O(n + m) time, and allocates nothing if dst has room. It panics if there is not one
// weight for each node.
//
// # Source
//
// Topcuoglu et al. (see [TopLevels]), section 4.1.
func BottomLevels[W Weight](dst []W, g *Graph, weights []W) []W {
	dst, levels := room(dst, g, len(weights))
	for _, v := range slices.Backward(g.order) {
		levels[v] = weights[v]
		if out := g.Out(v); len(out) > 0 {
			levels[v] += levels[longest(out, levels)]
		}
	}
	return dst
}

// CriticalPath appends to dst the nodes of a longest path from a source to a sink, in the
// order of its edges, and returns the longer slice. bottom holds the [BottomLevels] of the
// graph; that of the path's first node is its length. Of equal paths it takes the one that
// goes through the least node where they part. The graph without nodes has an empty path.
//
// It takes time in proportion to the nodes and to the edges that leave the path, and allocates
// nothing if dst has room. It panics if there is not one level for each node.
func CriticalPath[W Weight](dst []uint32, g *Graph, bottom []W) []uint32 {
	one(g, len(bottom))
	if g.Len() == 0 {
		return dst
	}
	sources := g.order
	for i, v := range g.order { // which begins with the sources
		if len(g.In(v)) > 0 {
			sources = g.order[:i]
			break
		}
	}
	for next := sources; len(next) > 0; {
		v := longest(next, bottom)
		dst = append(dst, v)
		next = g.Out(v)
	}
	return dst
}

// WorkBelow appends to dst, for each node, the sum of the weights of the node and of all that
// can be reached from it, each counted once, and returns the longer slice: the work that
// waits for the node, its own included.
//
// This is a sum over the closure, and costs as much: it takes O(n·(n + m)/64) time and as much
// again as pairs of nodes are tied by a path, and 8 bytes of memory for each node besides the
// result. So it is for the stages of jobs, or some ten thousand nodes, and not for graphs of
// millions; there, [BottomLevels] is a lower bound if no weight is negative. It panics if
// there is not one weight for each node.
func WorkBelow[W Weight](dst []W, g *Graph, weights []W) []W {
	dst, work := room(dst, g, len(weights))
	clear(work)
	reached := make([]uint64, g.Len()) // bit i: the i-th node of the block
	for end := g.Len(); end > 0; end -= 64 {
		start := max(0, end-64)
		block := g.order[start:end]
		for i := end - 1; i >= 0; i-- { // what comes later in the order reaches none of them
			v := g.order[i]
			set := uint64(0)
			if i >= start {
				set = 1 << (i - start)
			}
			for _, to := range g.Out(v) {
				set |= reached[to]
			}
			reached[v] = set
			for ; set != 0; set &= set - 1 {
				work[v] += weights[block[bits.TrailingZeros64(set)]]
			}
		}
		for _, v := range block { // seen from the blocks before, they are later
			reached[v] = 0
		}
	}
	return dst
}

// longest returns the first of some nodes, which are increasing, with the greatest level.
func longest[W Weight](nodes []uint32, levels []W) uint32 {
	best := nodes[0]
	for _, v := range nodes[1:] {
		if levels[v] > levels[best] {
			best = v
		}
	}
	return best
}

// room appends n elements to dst, one for each node, and returns them apart too.
func room[W Weight](dst []W, g *Graph, weights int) (all, levels []W) {
	one(g, weights)
	n := len(dst) + g.Len()
	all = slices.Grow(dst, g.Len())[:n]
	return all, all[n-g.Len():]
}

func one(g *Graph, n int) {
	if n != g.Len() {
		panic(fmt.Sprintf("dag: %d weights or levels for %d nodes, want one for each", n, g.Len()))
	}
}

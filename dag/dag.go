// Package dag holds directed acyclic graphs: the stages of a job, and jobs that read
// each other's output.
//
// A [Graph] is built once, from edges in any order, and never changes; it keeps its
// adjacency in flat arrays, so that millions of nodes are cheap. Build one with [New];
// edges that close a cycle are refused with the cycle in the error. [Graph.Order] visits each node
// after all that lead to it, so one pass over it finds longest paths and sums over what depends
// on a node. [Depth] is the length of the longest path; [Connected] says what hangs together.
//
// Three nodes in a row are
//
//	g, err := dag.New(3, []dag.Edge{{From: 0, To: 1}, {From: 1, To: 2}})
//
// # When not to use it
//
// A Graph does not change: where nodes come and go at each event, count inputs that are
// missing instead, or build anew, in linear time. Cycles are refused. For graphs of other
// kinds, and for what is not needed to schedule, there is gonum.org/v1/gonum/graph.
//
// # Cost
//
// A Graph takes 12 bytes a node and 8 an edge. To build it, and each pass over it, takes O(n +
// m) time for n nodes and m edges, but for the sorting of each node's neighbours.
//
// # Source
//
// [Graph.Order] is found as in A. B. Kahn, "Topological sorting of large networks", Communications
// of the ACM 5(11), 1962.
package dag

import (
	"fmt"
	"math"
	"slices"
)

// An Edge leads from one node to another, in the direction in which data flows: the
// producer is From, its reader is To.
type Edge struct{ From, To uint32 }

// A Graph is a directed acyclic graph over the nodes 0 .. n-1. It is immutable, and so
// safe for concurrent use. It takes 12 bytes a node and 8 bytes an edge.
type Graph struct {
	outStart, inStart []uint32 // n+1 each: the edges of node v are [start[v], start[v+1])
	out, in           []uint32
	order             []uint32
}

// A CycleError says that the edges close a cycle.
type CycleError struct {
	// Cycle holds the nodes of one cycle in the order of its edges; the last one has an
	// edge to the first.
	Cycle []uint32
}

// Error names the cycle, cut to its first nodes if it is long.
func (e *CycleError) Error() string {
	const most = 8
	if len(e.Cycle) > most {
		return fmt.Sprintf("dag: cycle of %d nodes through %v ...", len(e.Cycle), e.Cycle[:most])
	}
	return fmt.Sprintf("dag: cycle through %v", e.Cycle)
}

const maxNodes = 1 << 28 // so that a few numbers for each are not too much for an int of 32 bits

// New builds the graph of n nodes with the given edges. Edges may come in any order; an
// edge given twice is kept once. The error names an edge that leaves 0 .. n-1, or is a
// [*CycleError]; an edge from a node to itself is a cycle of one. The edges are left as
// they are. There are at most 2^28 nodes and 2^32-2 edges.
//
// It takes O(n + m) time for m edges, plus sorting the neighbours of each node.
func New(n int, edges []Edge) (*Graph, error) {
	if n < 0 || n > maxNodes {
		return nil, fmt.Errorf("dag: %d nodes, want 0 to 2^28", n)
	}
	if int64(len(edges)) > 1<<32-2 {
		return nil, fmt.Errorf("dag: %d edges, want at most 2^32-2", len(edges))
	}
	for i, e := range edges {
		if int64(e.From) >= int64(n) || int64(e.To) >= int64(n) {
			return nil, fmt.Errorf("dag: edge %d leads from %d to %d, want nodes below %d", i, e.From, e.To, n)
		}
	}
	g := new(Graph)
	g.outStart, g.out = adjacency(n, edges)
	g.inStart, g.in = reverse(n, g.outStart, g.out)
	g.order = g.sort()
	if len(g.order) < n {
		return nil, &CycleError{g.cycle()}
	}
	return g, nil
}

// Len returns the number of nodes.
func (g *Graph) Len() int { return len(g.order) }

// Edges returns the number of distinct edges.
func (g *Graph) Edges() int { return len(g.out) }

// Out returns the nodes that v has edges to, increasing. They are the graph's own, not
// to be changed. It panics if v is not a node.
func (g *Graph) Out(v uint32) []uint32 { return neighbours(g.outStart, g.out, v) }

// In returns the nodes that have edges to v, increasing. They are the graph's own, not
// to be changed. It panics if v is not a node.
func (g *Graph) In(v uint32) []uint32 { return neighbours(g.inStart, g.in, v) }

// Order returns the nodes so that every edge leads forwards: each node comes after all
// that have edges to it. Among nodes free to go next, the one set free first goes
// first, and the sources in increasing order. They are the graph's own, not to be
// changed.
func (g *Graph) Order() []uint32 { return g.order }

func neighbours(start, list []uint32, v uint32) []uint32 {
	lo, hi := start[v], start[v+1]
	return list[lo:hi:hi]
}

// adjacency sorts the edges by their origin (a counting sort) and drops the doubles.
func adjacency(n int, edges []Edge) (start, list []uint32) {
	start = make([]uint32, n+1)
	for _, e := range edges {
		start[e.From+1]++
	}
	for v := range n {
		start[v+1] += start[v]
	}
	list = make([]uint32, len(edges))
	next := slices.Clone(start[:n])
	for _, e := range edges {
		list[next[e.From]] = e.To
		next[e.From]++
	}
	kept, lo := uint32(0), uint32(0)
	for v := range n {
		hi := start[v+1]
		own := list[lo:hi]
		slices.Sort(own)
		own = slices.Compact(own)
		copy(list[kept:], own)
		start[v], lo, kept = kept, hi, kept+uint32(len(own))
	}
	start[n] = kept
	return start, list[:kept]
}

// reverse turns every edge round.
func reverse(n int, outStart, out []uint32) (start, list []uint32) {
	start = make([]uint32, n+1)
	for _, to := range out {
		start[to+1]++
	}
	for v := range n {
		start[v+1] += start[v]
	}
	list = make([]uint32, len(out))
	next := slices.Clone(start[:n])
	for from := range n {
		for _, to := range out[outStart[from]:outStart[from+1]] {
			list[next[to]] = uint32(from)
			next[to]++
		}
	}
	return start, list
}

// sort returns a topological order, by Kahn's algorithm, or less than all the nodes if there is a cycle.
func (g *Graph) sort() []uint32 {
	n := len(g.outStart) - 1
	order := make([]uint32, 0, n)
	missing := make([]uint32, n) // edges into v from nodes that are not in order yet
	for v := range n {
		missing[v] = g.inStart[v+1] - g.inStart[v]
		if missing[v] == 0 {
			order = append(order, uint32(v))
		}
	}
	for i := 0; i < len(order); i++ {
		for _, to := range g.Out(order[i]) {
			if missing[to]--; missing[to] == 0 {
				order = append(order, to)
			}
		}
	}
	return order
}

// cycle finds a cycle among the nodes that sort could not place. Each of them has an
// edge from another of them, so walking backwards must come round.
func (g *Graph) cycle() []uint32 {
	left := make([]bool, len(g.outStart)-1)
	for v := range left {
		left[v] = true
	}
	for _, v := range g.order {
		left[v] = false
	}
	at := make(map[uint32]int) // place in the walk
	var walk []uint32
	v := uint32(slices.Index(left, true))
	for {
		if i, seen := at[v]; seen {
			cycle := walk[i:]
			slices.Reverse(cycle)
			return cycle
		}
		at[v] = len(walk)
		walk = append(walk, v)
		for _, from := range g.In(v) {
			if left[from] {
				v = from
				break
			}
		}
	}
}

// Depth returns the number of edges of the longest path, 0 if there are no edges. It takes O(n + m)
// time and 4 bytes for each node.
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

// Connected finds the weakly connected components of g: two nodes are in the same one exactly if
// edges lead from one to the other, whichever way each edge is taken. It returns the component of each
// node and the number of nodes in each component; components are numbered 0, 1, 2, ... by their
// least nodes. It takes O(n + m) time.
func Connected(g *Graph) (of, sizes []uint32) {
	const none = math.MaxUint32
	of = slices.Repeat([]uint32{none}, g.Len())
	var found []uint32 // nodes of this component whose neighbours have not been looked at
	for v := range of {
		if of[v] != none {
			continue
		}
		component := uint32(len(sizes))
		sizes = append(sizes, 0)
		of[v], found = component, append(found, uint32(v))
		for len(found) > 0 {
			at := found[len(found)-1]
			found = found[:len(found)-1]
			sizes[component]++
			for _, near := range [...][]uint32{g.Out(at), g.In(at)} {
				for _, u := range near {
					if of[u] == none {
						of[u], found = component, append(found, u)
					}
				}
			}
		}
	}
	return of, sizes
}

// Package dag holds directed acyclic graphs: the stages of a job, and jobs that read each other's output. Most callers
// make a [Graph] of edges and walk it in a topological order:
//
//	g, err := dag.New(3, []dag.Edge{{From: 0, To: 1}, {From: 1, To: 2}}) // three nodes in a row
//	...
//	for _, v := range g.Order() { ... }
//
// A [Graph] is built once, from edges in any order, and never changes. It keeps its adjacency in flat arrays, so that
// millions of nodes are cheap. Build one with [New], which refuses edges that close a cycle and returns the cycle in the
// error. [Graph.Order] is a topological order, so one pass over it finds longest paths, or sums over the dependents of each
// node. [Depth] is the length of the longest path, and [ConnectedComponents] finds the weakly connected components.
//
// # When not to use it
//
// A Graph does not change. If nodes come and go at each event, count missing inputs instead, or build a new graph in linear
// time. For graphs with cycles and for other algorithms use gonum.org/v1/gonum/graph.
//
// # Cost
//
// A Graph takes 12 bytes per node and 8 per edge. Building it and each pass over it take O(n + m)
// time for n nodes and m edges; building also sorts the neighbours of each node.
//
// # Source
//
// [Graph.Order] is found as in A. B. Kahn, "Topological sorting of large networks", Communications of the ACM 5(11), 1962.
package dag

import (
	"fmt"
	"math"
	"slices"
)

// An Edge leads from one node to another, in the direction in which data flows: the producer is From, its reader is To.
type Edge struct{ From, To uint32 }

// A Graph is a directed acyclic graph over the nodes 0 .. n-1. It is immutable, and so
// safe for concurrent use. It takes 12 bytes per node and 8 bytes per edge.
type Graph struct {
	outStart, inStart []uint32 // n+1 each: the edges of node v are [start[v], start[v+1])
	out, in           []uint32
	order             []uint32
}

// A CycleError reports that the edges close a cycle.
type CycleError struct {
	// Cycle holds the nodes of one cycle in the order of its edges; the last one has an edge to the first.
	Cycle []uint32
}

// Error names the nodes of the cycle, or the first eight if it is longer.
func (e *CycleError) Error() string {
	const most = 8
	if len(e.Cycle) > most {
		return fmt.Sprintf("dag: cycle of %d nodes through %v ...", len(e.Cycle), e.Cycle[:most])
	}
	return fmt.Sprintf("dag: cycle through %v", e.Cycle)
}

const maxNodes = 1 << 28 // so that a few numbers per node fit into an int of 32 bits

// New builds the graph of n nodes with the given edges. Edges may come in any order, and an edge given twice is kept once.
// The error names an edge with a node outside 0 .. n-1, or is a [*CycleError]; an edge from a node to itself is a cycle of
// one. New does not change edges. There may be at most 2^28 nodes and 2^32-2 edges.
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

// Out returns the nodes to which v has edges, in increasing order. The caller must not change
// them. Out panics if v is not a node.
func (g *Graph) Out(v uint32) []uint32 { return neighbours(g.outStart, g.out, v) }

// In returns the nodes that have edges to v, in increasing order. The caller must not change
// them. In panics if v is not a node.
func (g *Graph) In(v uint32) []uint32 { return neighbours(g.inStart, g.in, v) }

// Order returns the nodes in topological order: each node comes after all nodes that have edges
// to it. The sources come first, in increasing order; then each node in the order in which its
// last predecessor came. The caller must not change the slice.
func (g *Graph) Order() []uint32 { return g.order }

func neighbours(start, list []uint32, v uint32) []uint32 {
	lo, hi := start[v], start[v+1]
	return list[lo:hi:hi]
}

// adjacency sorts the edges by their origin (a counting sort) and drops duplicates.
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

// reverse reverses every edge.
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

// sort returns a topological order by Kahn's algorithm. If there is a cycle, some nodes are missing.
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
// edge from another of them, so a walk backwards must return to a node that it has visited.
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

// ConnectedComponents finds the weakly connected components of g: two nodes are in the same component exactly if there is a
// path between them that ignores the direction of edges. It returns the component of each node and the number of nodes of
// each component. Components are numbered 0, 1, 2, ... in the order of their least nodes. It takes O(n + m) time.
func ConnectedComponents(g *Graph) (of, sizes []uint32) {
	const none = math.MaxUint32
	of = slices.Repeat([]uint32{none}, g.Len())
	var found []uint32 // nodes of this component whose neighbours have not been visited
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

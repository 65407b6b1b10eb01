package dag

import "slices"

// Connected finds the weakly connected components of g: two nodes are in the same one exactly if
// edges lead from one to the other, whichever way each edge is taken. It returns the component of each
// node and the number of nodes in each component; components are numbered 0, 1, 2, ... by their
// least nodes.
//
// It takes O((n + m) log n) time for n nodes and m edges, and in practice O(n + m); the result takes
// 4 bytes a node and 4 a component, and nothing is needed beside it.
//
// # Source
//
// Trees of nodes that are joined by edge and halved by search: R. E. Tarjan and J. van Leeuwen,
// "Worst-case analysis of set union algorithms", Journal of the ACM 31(2), 1984. We differ: the
// root with the lesser number becomes that of both, whatever their sizes, so that a pass in
// increasing order can number the components in place.
func Connected(g *Graph) (of, sizes []uint32) {
	up := make([]uint32, g.Len()) // the parent of each node, which is less; a root is its own
	for v := range up {
		up[v] = uint32(v)
	}
	for v := range up {
		a := root(up, uint32(v))
		for _, to := range g.Out(uint32(v)) {
			b := root(up, to)
			if a < b {
				up[b] = a
			} else {
				up[a], a = b, b
			}
		}
	}
	of = up
	for v, parent := range up {
		if parent == uint32(v) {
			of[v] = uint32(len(sizes))
			sizes = append(sizes, 0)
		} else {
			of[v] = of[parent] // a number already
		}
		sizes[of[v]]++
	}
	return of, slices.Clip(sizes)
}

// root returns the root of the tree that a node is in, and halves the way there.
func root(up []uint32, v uint32) uint32 {
	for up[v] != v {
		up[v] = up[up[v]]
		v = up[v]
	}
	return v
}

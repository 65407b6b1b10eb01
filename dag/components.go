package dag

import "slices"

// Components are the weakly connected components of a graph: two nodes are in the same one
// exactly if edges lead from one to the other, whichever way each edge is taken. They are
// numbered 0, 1, 2, ... by their least nodes. They are immutable, and so safe for concurrent use.
type Components struct {
	of    []uint32 // by node
	sizes []uint32 // by component
}

// Connected finds the weakly connected components of g. It takes O((n + m) log n) time for n nodes
// and m edges, and in practice O(n + m); the result takes 4 bytes a node and 4 a component, and
// nothing is needed beside it.
//
// # Source
//
// Trees of nodes that are joined by edge and halved by search: R. E. Tarjan and J. van Leeuwen,
// "Worst-case analysis of set union algorithms", Journal of the ACM 31(2), 1984. We differ: the
// root with the lesser number becomes that of both, whatever their sizes, so that a pass in
// increasing order can number the components in place.
func Connected(g *Graph) *Components {
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
	c := &Components{of: up}
	for v, parent := range up {
		if parent == uint32(v) {
			c.of[v] = uint32(len(c.sizes))
			c.sizes = append(c.sizes, 0)
		} else {
			c.of[v] = c.of[parent] // a number already
		}
		c.sizes[c.of[v]]++
	}
	c.sizes = slices.Clip(c.sizes)
	return c
}

// root returns the root of the tree that a node is in, and halves the way there.
func root(up []uint32, v uint32) uint32 {
	for up[v] != v {
		up[v] = up[up[v]]
		v = up[v]
	}
	return v
}

// Len returns the number of components, which is 0 if there are no nodes.
func (c *Components) Len() int { return len(c.sizes) }

// Of returns the component of each node. They are the components' own, not to be changed.
func (c *Components) Of() []uint32 { return c.of }

// Sizes returns the number of nodes in each component, at least 1. They are the components' own,
// not to be changed.
func (c *Components) Sizes() []uint32 { return c.sizes }

// Largest returns the component with the most nodes, the first of several, and false if there is
// none. It looks at all of them.
func (c *Components) Largest() (component uint32, ok bool) {
	for i, size := range c.sizes {
		if size > c.sizes[component] {
			component = uint32(i)
		}
	}
	return component, len(c.sizes) > 0
}

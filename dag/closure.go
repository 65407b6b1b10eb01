package dag

import "fmt"

// AllPaths is a number of iterations after which [Paths] has found all paths: none of them has
// more than 2^32 edges.
const AllPaths = 32

// A Closure holds, for each node, the nodes that can be reached from it and the weight of each
// such pair over all the paths between the two. It is immutable, and so safe for concurrent use.
// It takes 8 bytes a node (4 where int is of 32 bits) and for each pair 4 and those of a weight.
type Closure[W any] struct {
	start   []int // n+1: the row of node v is [start[v], start[v+1])
	to      []uint32
	weights []W
}

// Len returns the number of nodes.
func (c *Closure[W]) Len() int { return len(c.start) - 1 }

// Pairs returns the number of pairs of nodes that are tied by a path.
func (c *Closure[W]) Pairs() int { return len(c.to) }

// From returns the nodes that can be reached from v, increasing, without v, and the weight of each.
// They are the closure's own, not to be changed. What is no node reaches nothing.
func (c *Closure[W]) From(v uint32) (nodes []uint32, weights []W) {
	if int64(v) >= int64(c.Len()) {
		return nil, nil
	}
	lo, hi := c.start[v], c.start[v+1]
	return c.to[lo:hi:hi], c.weights[lo:hi:hi]
}

// Paths finds the pairs of nodes that are tied by paths of 1 to 2^iterations edges, each with the
// weight of all these paths and of no others; weights has those of the edges in the order of
// [Weigh], and is not changed. With 0 iterations these are the edges alone, with [AllPaths] all
// paths; it takes no more iterations than are needed for the longest path. The error says that
// iterations are negative, that a function is missing, or that there is not one weight for each
// edge.
//
// Each iteration doubles the lengths: with the pairs F that are tied by paths of 2^i edges exactly,
// and B by shorter ones, one more has F F and B + F + F B, where the product goes along and the sum
// across. It takes time in proportion to the pairs (u, v) and (v, w) that are so put together, and
// the memory of four closures at most.
//
// Few iterations are what counts where each is a join over many machines. On one, doubling pays only
// if there are almost as many edges as pairs. If each of 1000 nodes has four edges, whose closure has
// 0.33 million pairs, [Walker.Closure] gives the same in a fiftieth of the time for all paths, and
// in a third for those of up to 4 or 16 edges. Both grow with the closure, which can be as large as
// the square of the nodes; [Walker.From] needs not hold it.
//
// # Source
//
// Wing, section 4.4, Algorithm 1. There one table has both the shorter paths and the longest, and
// these are taken out again by their weights. If tables are sets that loses a pair which is tied by
// both with equal weights; so we keep the two apart. Its iterations are counted as here. Fig. 6
// begins a step earlier, with no paths at all.
func Paths[W any](g *Graph, weights []W, a Algebra[W], iterations int) (*Closure[W], error) {
	if iterations < 0 {
		return nil, fmt.Errorf("dag: %d iterations, want 0 or more", iterations)
	}
	if err := a.check(g, len(weights)); err != nil {
		return nil, err
	}
	longest := &Closure[W]{start: make([]int, g.Len()+1), to: g.out, weights: weights} // F
	for v, at := range g.outStart {
		longest.start[v] = int(at)
	}
	shorter := &Closure[W]{start: make([]int, g.Len()+1)} // B
	sum := newTally(g.Len(), a.Across)
	for range iterations {
		if longest.Pairs() == 0 {
			break
		}
		both := multiply(sum, a.Along, longest, shorter, shorter, longest)
		longest = multiply(sum, a.Along, longest, longest)
		shorter = both
	}
	return multiply(sum, a.Along, nil, nil, shorter, longest), nil
}

// multiply returns the product of two closures, which goes along, and what is to be added to it.
func multiply[W any](sum *tally[W], along func(first, rest W) W, first, rest *Closure[W], plus ...*Closure[W]) *Closure[W] {
	n := len(sum.total)
	c := &Closure[W]{start: make([]int, n+1)}
	for v := range uint32(n) {
		for _, p := range plus {
			nodes, weights := p.From(v)
			for i, to := range nodes {
				sum.add(to, weights[i])
			}
		}
		if first != nil {
			vias, firsts := first.From(v)
			for i, via := range vias {
				nodes, rests := rest.From(via)
				for j, to := range nodes {
					sum.add(to, along(firsts[i], rests[j]))
				}
			}
		}
		c.append(v, sum)
	}
	return c
}

// append makes what a tally holds the row of v, the next node. It empties the tally.
func (c *Closure[W]) append(v uint32, row *tally[W]) {
	for to, w, ok := row.take(); ok; to, w, ok = row.take() {
		c.to = append(c.to, to)
		c.weights = append(c.weights, w)
	}
	c.start[v+1] = len(c.to)
}

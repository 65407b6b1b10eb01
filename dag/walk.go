package dag

import (
	"errors"
	"fmt"
)

// A Walk says what a [Walker] adds up. Algebra and Weight are required.
type Walk[W any] struct {
	Algebra Algebra[W]

	// Weight is that of an edge. It is asked once for each, when the walker is made.
	Weight func(e Edge) W

	// Keep says whether a node counts for a source that it can be reached from: whether it comes
	// within a window of time after it, say. No path goes on through a node that does not count; if
	// those after it do not count either, as in a window, nothing else is lost. It
	// may be asked again, for another edge to the node, and must then say the same. Nil keeps all.
	Keep func(source, node uint32) bool

	// Hops is the greatest number of edges of a path that counts, ≥ 0; 0 means any. A question
	// then costs up to Hops times as much as without, since paths of different lengths that meet
	// must be kept apart; a limit that no path exceeds costs nothing.
	Hops int
}

// A Walker finds, from one source at a time, the nodes that can be reached and the weight of each
// over all paths from the source. So the closure of millions of nodes, which fits in no memory, can
// be gone through row by row. A walker answers one question at a time; for several at once make a
// walker each.
type Walker[W any] struct {
	g     *Graph
	walk  Walk[W]
	edges []W       // their weights, in the order of the nodes that they leave
	order []uint32  // in which all edges lead forwards
	place []uint32  // of each node in order
	ahead *tally[W] // by place: nodes that have been met, with the weight of the paths so far

	now, next *tally[W] // by place: the paths of one length; nil if no length is too great

	nodes   []uint32
	weights []W
}

// NewWalker returns a walker over g. It takes O(n + m) time, and for each node 8 bytes, those of a
// weight, and a bit; three times the latter two if Hops is less than the longest path; and for each edge
// those of a weight. The error says what is missing, or what is wrong with Hops.
func NewWalker[W any](g *Graph, walk Walk[W]) (*Walker[W], error) {
	switch {
	case g == nil:
		return nil, errors.New("dag: the graph is nil")
	case walk.Algebra.Along == nil:
		return nil, errors.New("dag: Along is nil, want a function")
	case walk.Algebra.Across == nil:
		return nil, errors.New("dag: Across is nil, want a function")
	case walk.Weight == nil:
		return nil, errors.New("dag: Weight is nil, want a function")
	case walk.Hops < 0:
		return nil, fmt.Errorf("dag: Hops is %d, want 0 or more", walk.Hops)
	}
	edges := make([]W, 0, g.Edges())
	for from := range uint32(g.Len()) {
		for _, to := range g.Out(from) {
			edges = append(edges, walk.Weight(Edge{from, to}))
		}
	}
	order := forwards(g)
	w := &Walker[W]{
		g: g, walk: walk, edges: edges, order: order, place: places(order),
		ahead: newTally(g.Len(), walk.Algebra.Across),
	}
	if walk.Hops > 0 && walk.Hops < Depth(g) {
		w.now = newTally(g.Len(), walk.Algebra.Across)
		w.next = newTally(g.Len(), walk.Algebra.Across)
	}
	return w, nil
}

// forwards returns an order in which all edges lead forwards: that of the numbers of nodes if it is
// one, since nodes near in time are then near in memory, else that of the graph.
func forwards(g *Graph) []uint32 {
	order := make([]uint32, g.Len())
	for v := range order {
		order[v] = uint32(v)
		if out := g.Out(uint32(v)); len(out) > 0 && out[0] < uint32(v) {
			return g.order
		}
	}
	return order
}

// From returns the nodes that can be reached from a source, without it, each with the weight of
// all paths from the source. Each node comes after all that lead to it: they are increasing if
// every edge of the graph leads from a lesser node to a greater one, as jobs do that are numbered as
// they are submitted, and else in the order of [Graph.Order]. They are the walker's own and valid
// until its next question. What is no node reaches nothing.
//
// It takes time in proportion to the nodes found and to the edges that leave them, and allocates
// nothing once it has found as much before.
func (w *Walker[W]) From(source uint32) (nodes []uint32, weights []W) {
	w.nodes, w.weights = w.nodes[:0], w.weights[:0]
	if int64(source) >= int64(w.g.Len()) {
		return nil, nil
	}
	if w.now != nil {
		w.layers(source)
	} else {
		w.begin(w.ahead, source)
	}
	// All edges lead forwards in the order, so that the first node ahead has its whole weight.
	for place, weight, ok := w.ahead.take(); ok; place, weight, ok = w.ahead.take() {
		v := w.order[place]
		w.nodes, w.weights = append(w.nodes, v), append(w.weights, weight)
		if w.now == nil { // else what lies beyond is ahead already
			w.extend(w.ahead, source, v, weight)
		}
	}
	return w.nodes, w.weights
}

// layers adds up all paths from a source that are not too long, one length after the other.
func (w *Walker[W]) layers(source uint32) {
	w.begin(w.now, source)
	for hops := 1; ; hops++ {
		found := false
		for place, weight, ok := w.now.take(); ok; place, weight, ok = w.now.take() {
			found = true
			w.ahead.add(place, weight)
			if hops < w.walk.Hops {
				w.extend(w.next, source, w.order[place], weight)
			}
		}
		if !found {
			return
		}
		w.now, w.next = w.next, w.now
	}
}

// begin adds the edges from a source to the paths that are known.
func (w *Walker[W]) begin(to *tally[W], source uint32) {
	first := w.g.outStart[source]
	for i, v := range w.g.Out(source) {
		if place := w.place[v]; w.counts(to, source, place, v) {
			to.add(place, w.edges[int(first)+i])
		}
	}
}

// extend adds the paths from a source to a node, of the given weight, with each edge from there.
func (w *Walker[W]) extend(to *tally[W], source, via uint32, weight W) {
	first := w.g.outStart[via]
	for i, v := range w.g.Out(via) {
		if place := w.place[v]; w.counts(to, source, place, v) {
			to.add(place, w.walk.Algebra.Along(weight, w.edges[int(first)+i]))
		}
	}
}

// counts reports whether a node that an edge leads to counts for a source.
func (w *Walker[W]) counts(known *tally[W], source, place, v uint32) bool {
	return w.walk.Keep == nil || known.has(place) || w.walk.Keep(source, v)
}

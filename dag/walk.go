package dag

// A Walk says what a [Walker] adds up. Algebra and Weights are required.
type Walk[W any] struct {
	Algebra Algebra[W]

	// Weights has the weights of the edges, in the order of [Weigh]. The walker reads them and
	// keeps them.
	Weights []W

	// Keep says whether a node counts for a source that it can be reached from: whether it comes
	// within a window of time after it, say. No path goes on through a node that does not count; if
	// those after it do not count either, as in a window, nothing else is lost. It is
	// asked once for each edge to the node until it has said yes, and must then say the same. Nil
	// keeps all.
	Keep func(source, node uint32) bool

	// Stop says whether the weight of a node is too small to go on from there. It is asked once
	// for each node that is found, with the weight that the node is given. Nil never stops.
	Stop func(weight W) bool
}

// A Walker finds, from one source at a time, the nodes that can be reached and the weight of each
// over all paths from the source. The closure of millions of nodes that fits in no memory can so
// be gone through, row by row. A walker answers one question at a time; for several at
// once make a walker each.
type Walker[W any] struct {
	g     *Graph
	walk  Walk[W]
	place []uint32  // of each node in g.Order
	ahead *tally[W] // by place: nodes that have been met, with the weight of the paths so far

	nodes, ends         []uint32
	weights, endWeights []W
}

// NewWalker returns a walker over g. It takes O(n + m) time, and 4 bytes a node, those of a weight
// for each and a bit. The error says that a function of the algebra is missing, or that there is
// not one weight for each edge.
func NewWalker[W any](g *Graph, walk Walk[W]) (*Walker[W], error) {
	if err := walk.Algebra.check(g, len(walk.Weights)); err != nil {
		return nil, err
	}
	return &Walker[W]{
		g: g, walk: walk, place: places(g),
		ahead: newTally(g.Len(), walk.Algebra.Across),
	}, nil
}

// From returns the nodes that can be reached from a source, without it, each with the weight of
// all paths from the source; each node comes after all that lead to it, in the order of
// [Graph.Order]. They are the walker's own and valid until its next question. What is no node
// reaches nothing.
//
// It takes time in proportion to the nodes found and to the edges that leave them, and allocates
// nothing once it has found as much before.
func (w *Walker[W]) From(source uint32) (nodes []uint32, weights []W) {
	w.nodes, w.weights = w.nodes[:0], w.weights[:0]
	w.ends, w.endWeights = w.ends[:0], w.endWeights[:0]
	if int64(source) >= int64(w.g.Len()) {
		return nil, nil
	}
	along := w.walk.Algebra.Along
	edges := w.edges(source)
	for i, to := range w.g.Out(source) {
		if w.counts(source, to) {
			w.ahead.add(w.place[to], edges[i])
		}
	}
	// All edges lead forwards in the order, so that the first node ahead has its whole weight.
	for place, weight, ok := w.ahead.take(); ok; place, weight, ok = w.ahead.take() {
		v := w.g.order[place]
		w.nodes, w.weights = append(w.nodes, v), append(w.weights, weight)
		out := w.g.Out(v)
		if len(out) > 0 && w.walk.Stop != nil && w.walk.Stop(weight) {
			w.ends, w.endWeights = append(w.ends, v), append(w.endWeights, weight)
			continue
		}
		edges := w.edges(v)
		for i, to := range out {
			if w.counts(source, to) {
				w.ahead.add(w.place[to], along(weight, edges[i]))
			}
		}
	}
	return w.nodes, w.weights
}

// Ends returns the nodes from which [Walk].Stop kept the last question from going on, each with its
// weight; nodes without edges are not among them. They are some of those that From returned, and
// valid as long.
//
// They tell what is missing. The weight that From gives to a node d, taken across with the weight
// of each end e along that of the paths from e to d (through nodes that count for the source), is
// what it would be without Stop. With [Shares] and [SumProduct] the paths from e to d weigh 1 at
// most, so that no node misses more than the sum of the ends' weights. If shares of values are
// added up, what is missing is the sum over the ends of the weight times the value of all that is
// below, which one pass over the graph tells for all nodes; this is exact without Keep, and
// with it a bound if no value is negative.
func (w *Walker[W]) Ends() (nodes []uint32, weights []W) { return w.ends, w.endWeights }

// counts reports whether a node that an edge leads to counts for a source.
func (w *Walker[W]) counts(source, v uint32) bool {
	return w.walk.Keep == nil || w.ahead.has(w.place[v]) || w.walk.Keep(source, v)
}

// edges returns the weights of the edges that leave a node.
func (w *Walker[W]) edges(v uint32) []W {
	return w.walk.Weights[w.g.outStart[v]:w.g.outStart[v+1]]
}

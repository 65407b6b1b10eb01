package dag

// Reach answers what can be reached in a graph, downstream and upstream. It remembers nothing
// between questions but the memory that they took, so that later ones allocate nothing. One
// question may be asked at a time; for several at once make a Reach each.
type Reach struct {
	g     *Graph
	place []uint32 // of each node in g.Order
	seen  []uint32 // by node: the last question that met it
	now   uint32   // this question
	queue []uint32
}

// NewReach returns a Reach over g. It takes O(n) time and 8 bytes a node.
func NewReach(g *Graph) *Reach {
	return &Reach{g: g, place: places(g.order), seen: make([]uint32, g.Len())}
}

// Below appends to dst the nodes that can be reached from v, without v, each once, and returns
// the longer slice. The nearest come first; those of equal distance in the order in which they
// are found, from near nodes in turn, each one's increasing. What is no node reaches nothing.
//
// It takes time in proportion to the nodes found and to the edges that leave them, and allocates
// nothing if dst has room.
func (r *Reach) Below(dst []uint32, v uint32) []uint32 { return r.collect(dst, v, (*Graph).Out) }

// Above appends to dst the nodes from which v can be reached, without v, each once, and returns
// the longer slice. It is Below with all edges turned round.
func (r *Reach) Above(dst []uint32, v uint32) []uint32 { return r.collect(dst, v, (*Graph).In) }

func (r *Reach) collect(dst []uint32, v uint32, next func(*Graph, uint32) []uint32) []uint32 {
	if int64(v) >= int64(r.g.Len()) {
		return dst
	}
	r.ask(v)
	for i := len(dst); ; i++ {
		for _, u := range next(r.g, v) {
			if r.meet(u) {
				dst = append(dst, u)
			}
		}
		if i == len(dst) {
			return dst
		}
		v = dst[i]
	}
}

// Path reports whether a path of one edge or more leads from one node to another; none leads
// from a node to itself, nor to or from what is no node.
//
// It takes time in proportion to the nodes found that come before to in the [Graph.Order] and to
// the edges that leave them. It allocates at most until its queue is as long as the longest yet.
func (r *Reach) Path(from, to uint32) bool {
	n := int64(r.g.Len())
	if int64(from) >= n || int64(to) >= n {
		return false
	}
	last := r.place[to]
	if r.place[from] >= last {
		return false
	}
	r.ask(from)
	r.queue = append(r.queue[:0], from)
	for i := 0; i < len(r.queue); i++ {
		for _, u := range r.g.Out(r.queue[i]) {
			if u == to {
				return true
			}
			if r.place[u] < last && r.meet(u) { // from later ones no path leads back
				r.queue = append(r.queue, u)
			}
		}
	}
	return false
}

// ask begins a question at a node.
func (r *Reach) ask(v uint32) {
	r.now++
	if r.now == 0 { // 2^32 questions later, old marks would look new
		clear(r.seen)
		r.now = 1
	}
	r.seen[v] = r.now
}

// meet reports whether this question meets a node for the first time.
func (r *Reach) meet(v uint32) bool {
	if r.seen[v] == r.now {
		return false
	}
	r.seen[v] = r.now
	return true
}

// places returns where in an order each node stands.
func places(order []uint32) []uint32 {
	place := make([]uint32, len(order))
	for i, v := range order {
		place[v] = uint32(i)
	}
	return place
}

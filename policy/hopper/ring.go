package hopper

// A ring is a list whose links lie in what they link, so that nothing is allocated for them. All calls take
// constant time.
type ring[T any] struct {
	ends link[T] // of it is nil; newer is the first of the list, older the last
}

// A link is the place of something in a ring. It must not move while it is there.
type link[T any] struct {
	newer, older *link[T]
	of           *T
}

// pushBack puts something in at the end, at a link of its own that is in no ring.
func (r *ring[T]) pushBack(l *link[T], of *T) {
	if r.ends.newer == nil {
		r.ends.newer, r.ends.older = &r.ends, &r.ends
	}
	l.of = of
	l.newer, l.older = &r.ends, r.ends.older
	l.older.newer, l.newer.older = l, l
}

// front returns the first, nil if there is none.
func (r *ring[T]) front() *T {
	if r.ends.newer == nil {
		return nil
	}
	return r.ends.newer.of
}

// remove takes something out. It is a no-op if the link is in no ring.
func (l *link[T]) remove() {
	if l.of == nil {
		return
	}
	l.older.newer, l.newer.older = l.newer, l.older
	*l = link[T]{}
}

package hopper

// A ring is a list whose links lie in what they link, so that nothing is allocated for them. All calls take
// constant time. The zero ring is empty; it must not be copied.
type ring[T any] struct {
	ends link[T] // before the first and behind the last, and of nothing
}

// A link is the place of something in a ring, where it must stay while it is there.
type link[T any] struct {
	next, last *link[T]
	of         *T
}

// pushBack puts something in at the end, at a link of its own that is in no ring.
func (r *ring[T]) pushBack(l *link[T], of *T) {
	if r.ends.next == nil {
		r.ends.next, r.ends.last = &r.ends, &r.ends
	}
	*l = link[T]{&r.ends, r.ends.last, of}
	l.last.next, l.next.last = l, l
}

// front returns the first, nil if there is none.
func (r *ring[T]) front() *T {
	if r.ends.next == nil {
		return nil
	}
	return r.ends.next.of
}

// remove takes something out. It is a no-op if the link is in no ring.
func (l *link[T]) remove() {
	if l.of == nil {
		return
	}
	l.last.next, l.next.last = l.next, l.last
	*l = link[T]{}
}

package queue

import "slices"

// A table keeps each element at a fixed place, where its handle finds it.
type table[E any] struct {
	places []place[E]
	free   uint32 // first free place plus one; the next of a free place is the next one
	n      int
}

type place[E any] struct {
	e    E
	next uint32
	gen  uint32 // odd while the place is in use
}

func (p *place[E]) there() bool { return p.gen&1 == 1 }

func (t *table[E]) add(e E) Handle {
	i := t.free
	if i != 0 {
		i--
		t.free = t.places[i].next
	} else {
		i = uint32(len(t.places))
		t.places = append(t.places, place[E]{})
	}
	p := &t.places[i]
	p.e = e
	p.gen++
	t.n++
	return Handle{i, p.gen}
}

func (t *table[E]) clone() table[E] { return table[E]{slices.Clone(t.places), t.free, t.n} }

// get returns the element of a handle, or nil if the handle is stale.
func (t *table[E]) get(handle Handle) *E {
	if uint(handle.slot) >= uint(len(t.places)) || handle.gen&1 == 0 || t.places[handle.slot].gen != handle.gen {
		return nil
	}
	return &t.places[handle.slot].e
}

// at returns the element at a place in use.
func (t *table[E]) at(i uint32) *E { return &t.places[i].e }

// remove removes the element of a handle, which must not be stale.
func (t *table[E]) remove(handle Handle) {
	p := &t.places[handle.slot]
	*p = place[E]{next: t.free, gen: p.gen + 1} // let go of what the element points to
	t.free = handle.slot + 1
	t.n--
}

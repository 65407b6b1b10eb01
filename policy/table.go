package policy

import "iter"

// A Table maps small IDs to values. It is a slice of pages: Get costs two loads, and a page is freed with its last
// entry, so memory follows the live IDs. The zero Table is empty and ready to use.
type Table[K ~uint32, V any] struct {
	pages []*page[V]
	n     int
}

const pageSize = 256

type page[V any] struct {
	at [pageSize]*V
	n  int
}

// Len returns the number of entries.
func (t *Table[K, V]) Len() int { return t.n }

// Get returns the value under id, nil if there is none.
func (t *Table[K, V]) Get(id K) *V {
	if i := int(id / pageSize); i < len(t.pages) && t.pages[i] != nil {
		return t.pages[i].at[id%pageSize]
	}
	return nil
}

// Put sets the value under id. v must not be nil.
func (t *Table[K, V]) Put(id K, v *V) {
	i := int(id / pageSize)
	if i >= len(t.pages) {
		t.pages = append(t.pages, make([]*page[V], i+1-len(t.pages))...)
	}
	if t.pages[i] == nil {
		t.pages[i] = new(page[V])
	}
	p := t.pages[i]
	if p.at[id%pageSize] == nil {
		p.n++
		t.n++
	}
	p.at[id%pageSize] = v
}

// Delete removes the value under id, if there is one.
func (t *Table[K, V]) Delete(id K) {
	if t.Get(id) == nil {
		return
	}
	p := t.pages[id/pageSize]
	p.at[id%pageSize] = nil
	t.n--
	if p.n--; p.n == 0 {
		t.pages[id/pageSize] = nil
	}
}

// All yields the entries by increasing ID. Entries may be deleted meanwhile.
func (t *Table[K, V]) All() iter.Seq2[K, *V] {
	return func(yield func(K, *V) bool) {
		for i, p := range t.pages {
			if p == nil {
				continue
			}
			for j := range p.at {
				if v := p.at[j]; v != nil && !yield(K(i*pageSize+j), v) {
					return
				}
			}
		}
	}
}

package pool

import "example.com/augur/queue"

// ages are the tasks of a group that wait, the oldest first. Almost all come in this order, and are in a list. Those that come
// later than a younger one, as the rows of a table may after a restart, are in a heap.
type ages struct {
	oldest, newest *entry             // of the list
	strays         *queue.Heap[place] // nil if there never was one
}

func (e *entry) byAge() place { return place{float64(e.at), e.number, e} }

// push adds a task.
func (a *ages) push(e *entry) {
	last := a.newest
	switch {
	case last == nil:
		a.oldest = e
	case compare(last.byAge(), e.byAge()) < 0:
		last.newer = e
	default:
		if a.strays == nil {
			a.strays = queue.NewHeap(compare)
		}
		e.age = a.strays.Push(e.byAge())
		return
	}
	e.older, a.newest = last, e
}

// remove removes a task.
func (a *ages) remove(e *entry) {
	if a.strays != nil {
		if _, ok := a.strays.Remove(e.age); ok {
			return
		}
	}
	if e.older == nil {
		a.oldest = e.newer
	} else {
		e.older.newer = e.newer
	}
	if e.newer == nil {
		a.newest = e.older
	} else {
		e.newer.older = e.older
	}
	e.older, e.newer = nil, nil
}

// first returns the oldest task; nil if there is none.
func (a *ages) first() *entry {
	if a.strays == nil || a.strays.Len() == 0 {
		return a.oldest
	}
	p, _ := a.strays.Peek()
	if a.oldest != nil && compare(a.oldest.byAge(), p) < 0 {
		return a.oldest
	}
	return p.entry
}

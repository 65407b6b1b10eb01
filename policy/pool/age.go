package pool

import "example.com/augur/queue"

// ages are the tasks of a group that wait, the oldest first. Almost all come in this order, or are older than all, as one that is put
// back is, and are in a list. Others, as the rows of a table may be after a restart, are in a heap.
type ages struct {
	oldest, newest *entry             // of the list
	strays         *queue.Heap[place] // nil if there never was one
}

func (e *entry) byAge() place { return place{float64(e.at), e.number, e} }

// push adds a task.
func (a *ages) push(e *entry) {
	switch {
	case a.newest == nil:
		a.oldest, a.newest = e, e
	case compare(a.newest.byAge(), e.byAge()) < 0:
		e.older, a.newest.newer = a.newest, e
		a.newest = e
	case compare(e.byAge(), a.oldest.byAge()) < 0:
		e.newer, a.oldest.older = a.oldest, e
		a.oldest = e
	default:
		if a.strays == nil {
			a.strays = queue.NewHeap(compare)
		}
		e.age = a.strays.Push(e.byAge())
	}
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

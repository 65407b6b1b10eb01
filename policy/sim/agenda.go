package sim

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
)

// timed is an event that will happen at a known instant.
type timed struct {
	at    policy.Time
	order uint64 // the class in the highest byte, then the order of making
	index uint32 // of what it concerns
	what  happening
}

func (t *timed) before(u *timed) bool {
	return t.at < u.at || t.at == u.at && t.order < u.order
}

func (t *timed) ticket() ticket { return ticket(t.order) }

// An agenda is a heap of timed events, a 4-ary tree. It has no handles, unlike [queue.Heap], which cost a memory write
// for each move of an entry: hardly anything is ever cancelled.
type agenda []timed

func (a *agenda) push(t timed) {
	*a = append(*a, t)
	a.up(len(*a)-1, t)
}

// pop takes out the first entry.
func (a *agenda) pop() {
	heap := *a
	n := len(heap) - 1
	last := heap[n]
	*a = heap[:n]
	if n > 0 {
		a.up(a.sink(0), last)
	}
}

// up moves the hole at i towards the root until t fits into it.
func (a *agenda) up(i int, t timed) {
	heap := *a
	for i > 0 {
		parent := (i - 1) / 4
		if !t.before(&heap[parent]) {
			break
		}
		heap[i] = heap[parent]
		i = parent
	}
	heap[i] = t
}

// sink moves the hole at i to a leaf, whose index it returns.
func (a *agenda) sink(i int) int {
	heap := *a
	for {
		first := 4*i + 1
		if first >= len(heap) {
			return i
		}
		least := first
		for j := first + 1; j < min(first+4, len(heap)); j++ {
			if heap[j].before(&heap[least]) {
				least = j
			}
		}
		heap[i] = heap[least]
		i = least
	}
}

// drop takes out the entries with these tickets.
func (a *agenda) drop(tickets map[ticket]struct{}) {
	*a = slices.DeleteFunc(*a, func(t timed) bool {
		_, gone := tickets[t.ticket()]
		return gone
	})
	slices.SortFunc(*a, func(t, u timed) int { return cmp.Or(cmp.Compare(t.at, u.at), cmp.Compare(t.order, u.order)) }) // a heap
}

package kairos

import (
	"cmp"

	"example.com/augur/queue"
)

// A line holds tasks that wait, by their turns, which grow as tasks come. A task that comes
// back still has the turn that it had.
type line[T any] struct {
	fresh []turn[T] // turns increasing, from first on
	first int
	back  *queue.Heap[turn[T]] // those that have come back
}

type turn[T any] struct {
	task T
	at   uint64
}

func newLine[T any]() line[T] {
	return line[T]{back: queue.NewHeap(func(a, b turn[T]) int { return cmp.Compare(a.at, b.at) })}
}

func (l *line[T]) len() int { return len(l.fresh) - l.first + l.back.Len() }

// push adds a task whose turn is after those of all that have been pushed.
func (l *line[T]) push(t turn[T]) {
	if len(l.fresh) == cap(l.fresh) && l.first > len(l.fresh)/2 {
		n := copy(l.fresh, l.fresh[l.first:])
		clear(l.fresh[n:])
		l.fresh, l.first = l.fresh[:n], 0
	}
	l.fresh = append(l.fresh, t)
}

// pop takes out the task whose turn it is. There is one.
func (l *line[T]) pop() turn[T] {
	back, ok := l.back.Peek()
	if l.first == len(l.fresh) || ok && back.at < l.fresh[l.first].at {
		l.back.Pop()
		return back
	}
	t := l.fresh[l.first]
	l.fresh[l.first] = turn[T]{} // let go of what it points to
	if l.first++; l.first == len(l.fresh) {
		l.fresh, l.first = l.fresh[:0], 0
	}
	return t
}

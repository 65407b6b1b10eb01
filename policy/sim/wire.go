package sim

import "example.com/augur/policy"

// A wire carries things with the same delay for all, so they come out in the order in which they went in.
type wire[T any] struct {
	clock *clock
	delay policy.Duration
	queue []timedItem[T]
	head  int
}

type timedItem[T any] struct {
	at policy.Time
	x  T
}

func (w *wire[T]) push(x *T) {
	if w.head > 64 && 2*w.head > len(w.queue) {
		n := copy(w.queue, w.queue[w.head:])
		clear(w.queue[n:])
		w.queue, w.head = w.queue[:n], 0
	}
	w.queue = append(w.queue, timedItem[T]{w.clock.now.Add(w.delay), *x})
}

// under returns what is under way.
func (w *wire[T]) under() []timedItem[T] { return w.queue[w.head:] }

// some reports whether anything is under way.
func (w *wire[T]) some() bool { return w.head < len(w.queue) }

// clear takes out everything.
func (w *wire[T]) clear() { w.queue, w.head = nil, 0 }

// next returns when the next thing is due, or t if that is earlier.
func (w *wire[T]) next(t policy.Time) policy.Time {
	if !w.some() {
		return t
	}
	return min(t, w.queue[w.head].at)
}

// has reports whether something is due now.
func (w *wire[T]) has() bool { return w.some() && w.queue[w.head].at <= w.clock.now }

// pop takes out what is due next.
func (w *wire[T]) pop() T {
	x := w.queue[w.head].x
	w.head++
	if w.head == len(w.queue) {
		w.queue, w.head = w.queue[:0], 0
	}
	return x
}

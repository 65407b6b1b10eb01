package queue

import "cmp"

// A Multilevel is a multilevel queue. Each level is FIFO, and an element's key gives its level, as [Levels] says.
// So a growing key changes its level rarely, and elements with similar keys do not take turns. If
// an element's key changes, the element keeps its place in its level, or goes to the tail of
// another level.
//
// It has two uses. If nothing is known about the elements, use the attained service as the key:
// each element starts in level 0, and [Multilevel.Move] demotes it as it is served (multilevel
// feedback queue, least attained service first). If their work can be estimated, use the estimate
// as the key: [Multilevel.Push] puts an element directly into its final level, and Move corrects
// this if the estimate changes.
//
// Pop serves lower levels first, so higher levels may starve. To give each level a share instead,
// keep a queue for each of [Levels], and let a [Sharing] choose the level.
//
// It is a [Heap] of the elements by level and turn, with the cost of one. The zero Multilevel is not usable; make one
// with [NewMultilevel].
//
// # Source
//
// F. Corbató, M. Merwin-Daggett and R. Daley, "An experimental time-sharing system", AFIPS
// Spring Joint Computer Conference 1962. Exponential thresholds, ten levels and a growth of
// ten are those of SLearn, sections 5.1.1 and 5.2, whose first threshold is 10^6 ms.
type Multilevel[T any] struct {
	Levels
	waiting      *Heap[placed[T]]
	heads, tails int64 // how often an element has joined the head of a level, and the tail
}

// A placed element is at a level, behind those with a smaller turn.
type placed[T any] struct {
	x     T
	level int
	turn  int64
}

// NewMultilevel returns an empty queue. The error names the field that is outside its
// range.
func NewMultilevel[T any](c MultilevelConfig) (*Multilevel[T], error) {
	levels, err := NewLevels(c)
	if err != nil {
		return nil, err
	}
	return &Multilevel[T]{Levels: levels, waiting: NewHeap(func(a, b placed[T]) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.turn, b.turn))
	})}, nil
}

// Len returns the number of elements.
func (q *Multilevel[T]) Len() int { return q.waiting.Len() }

// Push adds x at the tail of the level of its key and returns its handle. If the key is NaN, it adds
// nothing and returns false.
func (q *Multilevel[T]) Push(x T, key float64) (handle Handle, ok bool) {
	level, ok := q.Level(key)
	if !ok {
		return Handle{}, false
	}
	q.tails++
	return q.waiting.Push(placed[T]{x, level, q.tails}), true
}

// PushFront is like [Multilevel.Push], but adds x at the head of the level. Use it for an element
// that was popped but could not be served, so that it does not lose its turn.
func (q *Multilevel[T]) PushFront(x T, key float64) (handle Handle, ok bool) {
	level, ok := q.Level(key)
	if !ok {
		return Handle{}, false
	}
	q.heads++
	return q.waiting.Push(placed[T]{x, level, -q.heads}), true
}

// Move changes the key of an element. If the new key is in another level, the element goes to the
// tail of that level. If the handle is stale or the key is NaN, Move changes nothing and returns
// false.
func (q *Multilevel[T]) Move(handle Handle, key float64) bool {
	p := q.waiting.players.get(handle)
	if p == nil {
		return false
	}
	level, ok := q.Level(key)
	if ok && level != p.level {
		q.tails++
		p.level, p.turn = level, q.tails
		q.waiting.Fix(handle)
	}
	return ok
}

// Peek returns the first element of the first level that is not empty, and false if all
// are.
func (q *Multilevel[T]) Peek() (x T, ok bool) {
	p, ok := q.waiting.Peek()
	return p.x, ok
}

// Pop removes the element that [Multilevel.Peek] returns.
func (q *Multilevel[T]) Pop() (x T, ok bool) {
	p, ok := q.waiting.Pop()
	return p.x, ok
}

// Place returns the level of an element, and its turn there: those with a smaller turn come before it. It returns false
// if the handle is stale.
func (q *Multilevel[T]) Place(handle Handle) (level int, turn int64, ok bool) {
	p, ok := q.waiting.Get(handle)
	return p.level, p.turn, ok
}

// Remove removes the element of a handle and returns it. If the handle is stale, it changes nothing
// and returns false.
func (q *Multilevel[T]) Remove(handle Handle) (x T, ok bool) {
	p, ok := q.waiting.Remove(handle)
	return p.x, ok
}

package queue

import "iter"

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
// let a [Sharing] choose the level, and take its first element by [Multilevel.PopIn].
//
// Every call takes constant time, and none allocates once the queue has grown to the number of
// elements that it holds. The zero Multilevel is not usable; make one with [NewMultilevel].
//
// # Source
//
// F. Corbató, M. Merwin-Daggett and R. Daley, "An experimental time-sharing system", AFIPS
// Spring Joint Computer Conference 1962. Exponential thresholds, ten levels and a growth of
// ten are those of SLearn, sections 5.1.1 and 5.2, whose first threshold is 10^6 ms.
type Multilevel[T any] struct {
	Levels
	// links holds a ring of links for each level. The first places, one for each level, are sentinels between the
	// tail and the head of their rings.
	links table[link[T]]
}

type link[T any] struct {
	x          T
	next, prev uint32 // places
	level      uint8
}

// NewMultilevel returns an empty queue. The error names the field that is outside its
// range.
func NewMultilevel[T any](c MultilevelConfig) (*Multilevel[T], error) {
	levels, err := NewLevels(c)
	if err != nil {
		return nil, err
	}
	q := &Multilevel[T]{Levels: levels}
	for k := range len(q.ends) + 1 {
		own := uint32(k)
		q.links.places = append(q.links.places, place[link[T]]{e: link[T]{next: own, prev: own, level: uint8(k)}})
	}
	return q, nil
}

// Len returns the number of elements.
func (q *Multilevel[T]) Len() int { return q.links.n }

// Push adds x at the tail of the level of its key and returns its handle. If the key is NaN, it adds
// nothing and returns false.
func (q *Multilevel[T]) Push(x T, key float64) (handle Handle, ok bool) {
	to, ok := q.Level(key)
	if !ok {
		return Handle{}, false
	}
	handle = q.links.add(link[T]{x: x})
	q.insert(handle.slot, uint32(to))
	return handle, true
}

// PushFront is like [Multilevel.Push], but adds x at the head of the level. Use it for an element
// that was popped but could not be served, so that it does not lose its turn.
func (q *Multilevel[T]) PushFront(x T, key float64) (handle Handle, ok bool) {
	to, ok := q.Level(key)
	if !ok {
		return Handle{}, false
	}
	handle = q.links.add(link[T]{x: x})
	q.insert(handle.slot, q.links.at(uint32(to)).next)
	return handle, true
}

// Move changes the key of an element. If the new key is in another level, the element goes to the
// tail of that level. If the handle is stale or the key is NaN, Move changes nothing and returns
// false.
func (q *Multilevel[T]) Move(handle Handle, key float64) bool {
	l := q.links.get(handle)
	if l == nil {
		return false
	}
	to, ok := q.Level(key)
	if ok && to != int(l.level) {
		q.cut(handle.slot)
		q.insert(handle.slot, uint32(to))
	}
	return ok
}

// Peek returns the first element of the first level that is not empty, and false if all
// are.
func (q *Multilevel[T]) Peek() (x T, ok bool) { return q.PeekIn(q.first()) }

// Pop removes the element that [Multilevel.Peek] returns.
func (q *Multilevel[T]) Pop() (x T, ok bool) { return q.PopIn(q.first()) }

// PeekIn returns the first element of one level, and false if it is empty or there is no
// such level.
func (q *Multilevel[T]) PeekIn(level int) (x T, ok bool) {
	if q.empty(level) {
		return x, false
	}
	return q.links.at(q.links.at(uint32(level)).next).x, true
}

// PopIn removes the element that [Multilevel.PeekIn] returns.
func (q *Multilevel[T]) PopIn(level int) (x T, ok bool) {
	if q.empty(level) {
		return x, false
	}
	return q.take(q.links.at(uint32(level)).next), true
}

// Get returns the element of a handle and its level, and false if the handle is stale.
func (q *Multilevel[T]) Get(handle Handle) (x T, level int, ok bool) {
	l := q.links.get(handle)
	if l == nil {
		return x, 0, false
	}
	return l.x, int(l.level), true
}

// Remove removes the element of a handle and returns it. If the handle is stale, it changes nothing
// and returns false.
func (q *Multilevel[T]) Remove(handle Handle) (x T, ok bool) {
	if q.links.get(handle) == nil {
		return x, false
	}
	return q.take(handle.slot), true
}

// All yields the levels and their elements, in order. The queue must not change meanwhile.
func (q *Multilevel[T]) All() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for k := range len(q.ends) + 1 {
			for i := q.links.at(uint32(k)).next; i != uint32(k); i = q.links.at(i).next {
				if !yield(k, q.links.at(i).x) {
					return
				}
			}
		}
	}
}

// first returns the first level that is not empty, or -1.
func (q *Multilevel[T]) first() int {
	for k := range len(q.ends) + 1 {
		if !q.empty(k) {
			return k
		}
	}
	return -1
}

// empty reports whether a level has no elements, or does not exist.
func (q *Multilevel[T]) empty(level int) bool {
	return level < 0 || level > len(q.ends) || q.links.at(uint32(level)).next == uint32(level)
}

// take removes a link.
func (q *Multilevel[T]) take(i uint32) T {
	q.cut(i)
	x := q.links.at(i).x
	q.links.remove(Handle{i, q.links.places[i].gen})
	return x
}

// insert puts a link before another one of a level. If that is the level's sentinel, the link becomes the tail.
func (q *Multilevel[T]) insert(i, before uint32) {
	l, b := q.links.at(i), q.links.at(before)
	l.level, l.prev, l.next = b.level, b.prev, before
	q.links.at(b.prev).next = i
	b.prev = i
}

// cut takes a link out of its level.
func (q *Multilevel[T]) cut(i uint32) {
	l := q.links.at(i)
	q.links.at(l.prev).next = l.next
	q.links.at(l.next).prev = l.prev
}

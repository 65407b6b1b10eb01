package queue

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
)

const maxLevels = 64

// MultilevelConfig describes the levels of a [Multilevel]. First is required.
type MultilevelConfig struct {
	Levels int     // number of levels, the last one without limit, 1 to 64; 0 means 10
	First  float64 // where level 0 ends, in the unit of the keys, > 0 and finite
	Growth float64 // ratio of neighbouring thresholds, > 1 and finite; 0 means 10
}

// A Multilevel is a queue of several levels, each first in, first out. A key says in which
// level an element is:
//
//	level 0                        key < First
//	level i    First*Growth^(i-1) ≤ key < First*Growth^i
//	the last   First*Growth^(i-1) ≤ key
//
// so there are few changes of level while a key grows, and elements of like keys are not
// made to take turns. An element whose key changes stays where it is in its level, or goes
// to the tail of another.
//
// It has two uses. If nothing is known of the elements, the key is the service that one has
// attained: each begins in level 0, and [Multilevel.Move] demotes it as it is served (least
// attained service first, with feedback). If their work can be estimated, the key is the
// estimate: [Multilevel.Push] places an element at once in the level in which it will end,
// and Move corrects that if the estimate changes.
//
// Pop serves a lower level before all higher ones, which may starve these. To give each
// level a share instead, let a [Sharing] choose the level, and take its first element by
// [Multilevel.PopIn].
//
// Every call takes constant time, and none allocates once the queue has grown to the number
// of elements that it holds. The zero Multilevel is not usable; make one with
// [NewMultilevel].
//
// # Source
//
// F. Corbató, M. Merwin-Daggett and R. Daley, "An experimental time-sharing system", AFIPS
// Spring Joint Computer Conference 1962. Exponential thresholds, ten levels and a growth of
// ten are those of SLearn, sections 5.1.1 and 5.2, whose first threshold is 10^6 ms.
type Multilevel[T any] struct {
	ends []float64 // of all levels but the last
	// links holds a ring of links for each level. The first places, one for each level, hold no elements: they
	// stand between the tail and the head of their rings.
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
	c.Levels, c.Growth = cmp.Or(c.Levels, 10), cmp.Or(c.Growth, 10)
	if c.Levels < 1 || c.Levels > maxLevels {
		return nil, fmt.Errorf("queue: MultilevelConfig.Levels is %d, want 1 to %d, or 0 for 10", c.Levels, maxLevels)
	}
	if !(c.First > 0) || math.IsInf(c.First, 0) {
		return nil, fmt.Errorf("queue: MultilevelConfig.First is %v, want a finite number above 0", c.First)
	}
	if !(c.Growth > 1) || math.IsInf(c.Growth, 0) {
		return nil, fmt.Errorf("queue: MultilevelConfig.Growth is %v, want a finite number above 1, or 0 for 10", c.Growth)
	}
	q := new(Multilevel[T])
	for k := range c.Levels {
		own := uint32(k)
		q.links.places = append(q.links.places, place[link[T]]{e: link[T]{next: own, prev: own, level: uint8(k)}})
	}
	for end := c.First; len(q.ends) < c.Levels-1; end *= c.Growth {
		q.ends = append(q.ends, end)
	}
	return q, nil
}

// Level returns the level of elements with the given key, and false if it is not a number.
func (q *Multilevel[T]) Level(key float64) (level int, ok bool) {
	if math.IsNaN(key) {
		return 0, false
	}
	level, found := slices.BinarySearch(q.ends, key)
	if found {
		level++ // a level ends just before its end
	}
	for level < len(q.ends) && q.ends[level] <= key {
		level++ // thresholds so large that they are the same
	}
	return level, true
}

// End returns the key at which a level ends, the least that is too large for it: +Inf for
// the last level, and NaN if there is no such level.
func (q *Multilevel[T]) End(level int) float64 {
	switch {
	case level < 0 || level > len(q.ends):
		return math.NaN()
	case level == len(q.ends):
		return math.Inf(1)
	}
	return q.ends[level]
}

// Len returns the number of elements.
func (q *Multilevel[T]) Len() int { return q.links.n }

// Push adds x at the tail of the level of its key and returns its handle. If the key is not
// a number it adds nothing and returns false.
func (q *Multilevel[T]) Push(x T, key float64) (handle Handle, ok bool) {
	to, ok := q.Level(key)
	if !ok {
		return Handle{}, false
	}
	handle = q.links.add(link[T]{x: x})
	q.insert(handle.slot, uint32(to))
	return handle, true
}

// PushFront is as [Multilevel.Push], but adds x at the head of the level: it is for one that
// was taken out and could not be served, and should not lose its turn.
func (q *Multilevel[T]) PushFront(x T, key float64) (handle Handle, ok bool) {
	to, ok := q.Level(key)
	if !ok {
		return Handle{}, false
	}
	handle = q.links.add(link[T]{x: x})
	q.insert(handle.slot, q.links.at(uint32(to)).next)
	return handle, true
}

// Move says that the element that handle names has a new key: if that is in another level,
// the element goes to its tail. If the handle is stale or the key is not a number, nothing
// changes and the result is false.
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

// Pop takes out the element that [Multilevel.Peek] returns.
func (q *Multilevel[T]) Pop() (x T, ok bool) { return q.PopIn(q.first()) }

// PeekIn returns the first element of one level, and false if it is empty or there is no
// such level.
func (q *Multilevel[T]) PeekIn(level int) (x T, ok bool) {
	if q.empty(level) {
		return x, false
	}
	return q.links.at(q.links.at(uint32(level)).next).x, true
}

// PopIn takes out the element that [Multilevel.PeekIn] returns.
func (q *Multilevel[T]) PopIn(level int) (x T, ok bool) {
	if q.empty(level) {
		return x, false
	}
	return q.take(q.links.at(uint32(level)).next), true
}

// Get returns the element that handle names and its level, and false if the handle is
// stale.
func (q *Multilevel[T]) Get(handle Handle) (x T, level int, ok bool) {
	l := q.links.get(handle)
	if l == nil {
		return x, 0, false
	}
	return l.x, int(l.level), true
}

// Remove takes out the element that handle names and returns it. A stale handle changes
// nothing, and the result is false.
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

// insert puts a link before another one of a level: at the tail if that is the place of the level itself.
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

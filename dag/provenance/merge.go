package provenance

import (
	"cmp"
	"container/heap"
	"fmt"
	"iter"
	"time"
)

// Of yields the operations of a list.
func Of(ops []Op) iter.Seq2[Op, error] {
	return func(yield func(Op, error) bool) {
		for _, op := range ops {
			if !yield(op, nil) {
				return
			}
		}
	}
}

// Merge merges sources, each in order of time, into one in order of time. Operations at one
// instant come by source and in the order in which they come there. The error of a source ends
// all, as does one that is not in order; it tells the number of the source, from 0.
//
// It holds one operation of each of k sources, and takes O(log k) time for the next.
func Merge(sources ...iter.Seq2[Op, error]) iter.Seq2[Op, error] {
	return func(yield func(Op, error) bool) {
		var heads heads
		for i, source := range sources {
			next, stop := iter.Pull2(source)
			defer stop()
			op, err, ok := next()
			if err != nil {
				yield(Op{}, fmt.Errorf("provenance: source %d: %w", i, err))
				return
			}
			if ok {
				heads = append(heads, head{op, i, next})
			}
		}
		heap.Init(&heads)
		for len(heads) > 0 {
			h := &heads[0]
			if !yield(h.op, nil) {
				return
			}
			op, err, ok := h.next()
			if ok && err == nil && op.Time < h.op.Time {
				err = op.late(h.op.Time)
			}
			if err != nil {
				yield(Op{}, fmt.Errorf("provenance: source %d: %w", h.source, err))
				return
			}
			if !ok {
				heap.Pop(&heads)
				continue
			}
			h.op = op
			heap.Fix(&heads, 0)
		}
	}
}

// A head is the operation of a source that comes next.
type head struct {
	op     Op
	source int
	next   func() (Op, error, bool)
}

type heads []head

func (h heads) Len() int { return len(h) }
func (h heads) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(h[i].op.Time, h[j].op.Time), cmp.Compare(h[i].source, h[j].source)) < 0
}
func (h heads) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *heads) Push(x any)   { *h = append(*h, x.(head)) }
func (h *heads) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// InOrder puts operations in order of time that come late by at most the given time, at least
// 0: none is further before the latest of those that came before it. Operations at one instant
// stay in order. One that comes later still is an error, which ends all.
//
// It holds the operations of the last lateness, and takes O(log n) time for each if these
// are n.
func InOrder(ops iter.Seq2[Op, error], lateness time.Duration) iter.Seq2[Op, error] {
	return func(yield func(Op, error) bool) {
		if lateness < 0 {
			yield(Op{}, fmt.Errorf("provenance: lateness is %v, want at least 0", lateness))
			return
		}
		var (
			held   held
			latest Time
			row    uint64
		)
		for op, err := range ops {
			if err == nil && row > 0 && op.Time < latest && since(latest, op.Time) > uint64(lateness) {
				err = op.late(latest)
			}
			if err != nil {
				yield(Op{}, err)
				return
			}
			if row == 0 {
				latest = op.Time
			}
			latest = max(latest, op.Time)
			held.push(numbered{op, row})
			row++
			// One that is exactly so late may still come, and one of the same instant goes behind those
			// that came before it: it cannot go before what is yielded here.
			for len(held) > 0 && since(latest, held[0].op.Time) >= uint64(lateness) {
				if !yield(held.pop().op, nil) {
					return
				}
			}
		}
		for len(held) > 0 {
			if !yield(held.pop().op, nil) {
				return
			}
		}
	}
}

type numbered struct {
	op  Op
	row uint64
}

func (a *numbered) before(b *numbered) bool {
	return a.op.Time < b.op.Time || a.op.Time == b.op.Time && a.row < b.row
}

// held is a binary heap, the first at the top.
type held []numbered

func (h *held) push(x numbered) {
	*h = append(*h, x)
	s := *h
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 2
		if !s[i].before(&s[up]) {
			break
		}
		s[i], s[up] = s[up], s[i]
		i = up
	}
}

func (h *held) pop() numbered {
	s := *h
	top, n := s[0], len(s)-1
	s[0] = s[n]
	*h = s[:n]
	s = s[:n]
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < n; c++ {
			if s[c].before(&s[least]) {
				least = c
			}
		}
		if least == i {
			return top
		}
		s[i], s[least] = s[least], s[i]
		i = least
	}
}

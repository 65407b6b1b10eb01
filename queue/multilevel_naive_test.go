package queue

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"
)

// A levelTrial does to a Multilevel and to plain lists what a trial does to a heap.
type levelTrial struct {
	q     *Multilevel[*item]
	lists [][]*item
	given []Handle
	named []*item // nil: the handle is stale
}

const (
	levelPush = iota
	levelPop
	levelRemove
	levelMove
	levelPushFront
	levelOps
)

// keyOf makes a key of a byte, over all levels from 1 to beyond the last.
func keyOf(b byte) float64 { return math.Pow(2, float64(b)/16) - 2 }

func (tr *levelTrial) run(data []byte) error {
	tr.lists = make([][]*item, len(tr.q.ends)+1)
	for i := 0; len(data) >= stepBytes; i++ {
		op, which, key := data[0]%levelOps, int(binary.LittleEndian.Uint16(data[1:])), keyOf(data[3])
		data = data[stepBytes:]
		err := tr.step(op, which, key)
		if err == nil {
			err = tr.check()
		}
		if err != nil {
			return fmt.Errorf("step %d (op %d, handle %d, key %v): %w", i, op, which, key, err)
		}
	}
	return nil
}

func (tr *levelTrial) step(op byte, which int, key float64) error {
	to := 0
	for to < len(tr.lists)-1 && key >= tr.q.Threshold(to) {
		to++
	}
	drop := func(x *item) (from int) {
		for k := range tr.lists {
			if i := slices.Index(tr.lists[k], x); i >= 0 {
				tr.lists[k] = slices.Delete(tr.lists[k], i, i+1)
				from = k
			}
		}
		return from
	}
	var x *item
	handle := Handle{}
	if len(tr.given) > 0 {
		which %= len(tr.given)
		handle, x = tr.given[which], tr.named[which]
	}
	switch op {
	case levelPush, levelPushFront:
		x, push, at := &item{id: len(tr.given)}, tr.q.Push, len(tr.lists[to])
		if op == levelPushFront {
			push, at = tr.q.PushFront, 0
		}
		handle, ok := push(x, key)
		if !ok {
			return fmt.Errorf("got false, want true")
		}
		tr.given, tr.named = append(tr.given, handle), append(tr.named, x)
		tr.lists[to] = slices.Insert(tr.lists[to], at, x)
	case levelPop:
		var want *item
		for _, l := range tr.lists {
			if len(l) > 0 {
				want = l[0]
				break
			}
		}
		if got, ok := tr.q.Peek(); got != want || ok != (want != nil) {
			return fmt.Errorf("Peek: got %v, %v, want %v", got, ok, want)
		}
		if got, ok := tr.q.Pop(); got != want || ok != (want != nil) {
			return fmt.Errorf("Pop: got %v, %v, want %v", got, ok, want)
		}
		if want == nil {
			return nil
		}
		drop(want)
		tr.named[want.id] = nil
	case levelRemove:
		if got, ok := tr.q.Remove(handle); got != x || ok != (x != nil) {
			return fmt.Errorf("Remove: got %v, %v, want %v", got, ok, x)
		}
		if x == nil {
			return nil
		}
		drop(x)
		tr.named[which] = nil
	case levelMove:
		if ok := tr.q.Move(handle, key); ok != (x != nil) {
			return fmt.Errorf("Move: got %v, want %v", ok, x != nil)
		}
		if x == nil {
			return nil
		}
		if slices.Contains(tr.lists[to], x) {
			return nil
		}
		drop(x)
		tr.lists[to] = append(tr.lists[to], x)
	}
	return nil
}

func (tr *levelTrial) check() error {
	q, n, reached := tr.q, 0, make([][]*item, len(tr.lists))
	turns := make(map[*item]int64)
	for i, handle := range tr.given {
		level, turn, ok := q.Place(handle)
		if ok != (tr.named[i] != nil) {
			return fmt.Errorf("Place of handle %d: got %v, want %v", i, ok, tr.named[i])
		}
		if ok {
			reached[level] = append(reached[level], tr.named[i])
			turns[tr.named[i]] = turn
		}
	}
	for k, want := range tr.lists {
		slices.SortFunc(reached[k], func(a, b *item) int { return cmp.Compare(turns[a], turns[b]) })
		if got := reached[k]; !slices.Equal(got, want) {
			return fmt.Errorf("level %d: got %v, want %v", k, got, want)
		}
		n += len(want)
	}
	if q.Len() != n {
		return fmt.Errorf("Len: got %d, want %d", q.Len(), n)
	}
	return nil
}

var levelConfigs = []MultilevelConfig{{First: 1, Levels: 1}, {First: 3, Levels: 3}, {First: 1, Levels: 64, Growth: 1.5}}

func FuzzMultilevel(f *testing.F) {
	f.Add([]byte{levelPush, 0, 0, 2, levelPush, 0, 0, 90, levelMove, 0, 0, 200, levelRemove, 1, 0, 0, levelPop, 0, 0, 0, levelPop, 0, 0, 0})
	for seed := range uint64(40) {
		f.Add(randomSteps(seed, levelOps))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = data[:min(len(data), 2000*stepBytes)]
		for _, c := range levelConfigs {
			tr := levelTrial{q: newLevels(t, c)}
			if err := tr.run(data); err != nil {
				t.Fatalf("%+v: %v", c, err)
			}
		}
	})
}

package queue

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// freePlaces says what is wrong with the places of h that are not in use, and nothing if all is well.
func freePlaces[T comparable](h *Heap[T]) error {
	places, free := h.players.places, 0
	for f := h.players.free; f != 0; f = places[f-1].next {
		if free++; free > len(places) {
			return fmt.Errorf("the list of free places comes round")
		}
		var none T
		if p := places[f-1]; p.there() || p.e != none {
			return fmt.Errorf("free place %d: got %+v, want it let go", f-1, p)
		}
	}
	if want := len(places) - h.players.n; free != want {
		return fmt.Errorf("free places: got %d, want %d", free, want)
	}
	return nil
}

// A trial does the same to a heap and to a naive version of it: every handle that was
// ever given, with the item that it names, or nil. The least is found by looking at all.
type trial struct {
	heap   *Heap[*item]
	given  []Handle
	named  []*item
	items  int // made so far
	checks int
}

// A step of a trial is an operation, two bytes that choose a handle, and a key.
const stepBytes = 4

// The operations in the order of their numbers. Change is a Fix after the key of the
// item has changed.
const (
	opPush = iota
	opPop
	opRemove
	opChange
	opFix
	ops
)

// run does what data says, and says at which step the heap first differs from the naive
// version.
func (tr *trial) run(data []byte) error {
	for i := 0; len(data) >= stepBytes; i++ {
		op, which, key := data[0]%ops, int(binary.LittleEndian.Uint16(data[1:])), int(data[3])
		data = data[stepBytes:]
		if err := tr.step(op, which, key); err != nil {
			return fmt.Errorf("step %d (op %d, handle %d, key %d): %w", i, op, which, key, err)
		}
		if err := tr.check(); err != nil {
			return fmt.Errorf("after step %d (op %d, handle %d, key %d): %w", i, op, which, key, err)
		}
	}
	return nil
}

func (tr *trial) step(op byte, which, key int) error {
	h := tr.heap
	switch op {
	case opPush:
		return tr.push(key)
	case opPop:
		return tr.pop()
	}

	// The last choice is the zero handle.
	handle, x := Handle{}, (*item)(nil)
	which %= len(tr.given) + 1
	if which < len(tr.given) {
		handle, x = tr.given[which], tr.named[which]
	}
	var ok bool
	switch op {
	case opRemove:
		var got *item
		if got, ok = h.Remove(handle); got != x {
			return fmt.Errorf("removed item: got %v, want %v", got, x)
		}
		if x != nil {
			tr.named[which], x.gone = nil, true
		}
	case opChange:
		if x != nil {
			x.key = key
		}
		ok = h.Fix(handle)
	case opFix:
		ok = h.Fix(handle)
	}
	if want := x != nil; ok != want {
		return fmt.Errorf("got %v, want %v", ok, want)
	}
	return nil
}

func (tr *trial) item(key int) *item {
	tr.items++
	return &item{key: key, id: tr.items}
}

func (tr *trial) push(key int) error {
	x := tr.item(key)
	handle := tr.heap.Push(x)
	if handle == (Handle{}) {
		return fmt.Errorf("got the zero handle, want another")
	}
	if slices.Contains(tr.given, handle) {
		return fmt.Errorf("got handle %v again, want a new one", handle)
	}
	tr.given, tr.named = append(tr.given, handle), append(tr.named, x)
	return nil
}

func (tr *trial) pop() error {
	least := tr.least()
	got, ok := tr.heap.Pop()
	if least == nil {
		if ok {
			return fmt.Errorf("got %v, want nothing", got)
		}
		return nil
	}
	if !ok || tr.heap.compare(got, least) != 0 {
		return fmt.Errorf("got %v, want %v or its equal", got, least)
	}
	i := slices.Index(tr.named, got)
	if i < 0 {
		return fmt.Errorf("got %v, which is not in the heap", got)
	}
	tr.named[i], got.gone = nil, true
	return nil
}

func (tr *trial) least() *item {
	var least *item
	for _, x := range tr.named {
		if x != nil && (least == nil || tr.heap.compare(x, least) < 0) {
			least = x
		}
	}
	return least
}

// check looks at everything that can be seen of the heap, and at its free places.
func (tr *trial) check() error {
	h := tr.heap
	if err := freePlaces(h); err != nil {
		return err
	}
	size := 0
	for i, x := range tr.named {
		if got, ok := h.Get(tr.given[i]); got != x || ok != (x != nil) {
			return fmt.Errorf("handle %v: got %v, %v, want %v", tr.given[i], got, ok, x)
		}
		if x != nil {
			size++
		}
	}
	if got := h.Len(); got != size {
		return fmt.Errorf("Len: got %d, want %d", got, size)
	}
	tr.checks++
	for x := range h.All() {
		if x.gone || x.seen == tr.checks {
			return fmt.Errorf("All: got %v, want each item once", x)
		}
		x.seen = tr.checks
		size--
	}
	if size != 0 {
		return fmt.Errorf("All: got too few items, want %d more", size)
	}
	least := tr.least()
	if got, ok := h.Peek(); ok != (least != nil) || ok && (got.seen != tr.checks || h.compare(got, least) != 0) {
		return fmt.Errorf("Peek: got %v, %v, want %v or its equal", got, ok, least)
	}
	return nil
}

// orders are those that trials are made in: with equal elements, and total.
var orders = []struct {
	name    string
	compare func(a, b *item) int
}{
	{"equal", byKey},
	{"total", byKeyAndID},
}

// randomSteps makes steps for a trial with so many operations. Each stretch of them has its own taste for
// operations, so that heaps grow large and become empty, and its own range of keys.
func randomSteps(seed uint64, ops int) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	var data []byte
	for range 1 + rng.IntN(8) {
		weights := make([]int, ops)
		total := 0
		for op := range weights {
			weights[op] = rng.IntN(10)
			if rng.IntN(4) == 0 {
				weights[op] *= 10
			}
			total += weights[op]
		}
		keys := 1 + rng.IntN(255)
		for range rng.IntN(250) {
			op := 0
			for r := rng.IntN(total + 1); op < ops-1 && r >= weights[op]; op++ {
				r -= weights[op]
			}
			data = append(data, byte(op))
			data = binary.LittleEndian.AppendUint16(data, uint16(rng.Uint32()))
			data = append(data, byte(rng.IntN(keys)))
		}
	}
	return data
}

func FuzzHeap(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{
		opPush, 0, 0, 2, opPush, 0, 0, 1, opPush, 0, 0, 3, opChange, 2, 0, 0,
		opRemove, 1, 0, 0, opPush, 0, 0, 1, opChange, 3, 0, 9,
		opPop, 0, 0, 0, opFix, 7, 0, 0, opPop, 0, 0, 0, opPop, 0, 0, 0,
	})
	for seed := range uint64(60) {
		f.Add(randomSteps(seed, ops))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// Each step looks at every handle so far, so long inputs would be slow.
		data = data[:min(len(data), 2000*stepBytes)]
		for _, order := range orders {
			tr := trial{heap: NewHeap(order.compare)}
			if err := tr.run(data); err != nil {
				t.Fatalf("%s: %v", order.name, err)
			}
		}
	})
}

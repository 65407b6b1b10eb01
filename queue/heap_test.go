package queue

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// An item is an element whose key changes while it is in a heap. The id tells items
// with equal keys apart.
type item struct {
	key, id int

	// for a trial
	gone bool // has left the heap
	seen int  // the last check that saw it in the heap
}

func (x *item) String() string { return fmt.Sprintf("%d/%d", x.key, x.id) }

func byKey(a, b *item) int { return cmp.Compare(a.key, b.key) }

func byKeyAndID(a, b *item) int {
	if c := byKey(a, b); c != 0 {
		return c
	}
	return cmp.Compare(a.id, b.id)
}

// drain takes everything out of h and returns the keys.
func drain(h *Heap[*item]) []int {
	var keys []int
	for x, ok := h.Pop(); ok; x, ok = h.Pop() {
		keys = append(keys, x.key)
	}
	return keys
}

func TestEmptyHeap(t *testing.T) {
	for _, test := range []struct {
		name string
		make func() *Heap[int]
	}{
		{"new", func() *Heap[int] { return NewHeap(cmp.Compare[int]) }},
		{"grown", func() *Heap[int] {
			h := NewHeap(cmp.Compare[int])
			h.Grow(0)
			h.Grow(10)
			return h
		}},
		{"emptied", func() *Heap[int] {
			h := NewHeap(cmp.Compare[int])
			h.Remove(h.Push(1))
			h.Push(2)
			h.Pop()
			return h
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := test.make()
			if got := h.Len(); got != 0 {
				t.Errorf("Len: got %d, want 0", got)
			}
			if got, ok := h.Peek(); got != 0 || ok {
				t.Errorf("Peek: got %d, %v, want 0, false", got, ok)
			}
			if got, ok := h.Pop(); got != 0 || ok {
				t.Errorf("Pop: got %d, %v, want 0, false", got, ok)
			}
			for got := range h.All() {
				t.Errorf("All: got %d, want nothing", got)
			}
			if err := invariant(h); err != nil {
				t.Error(err)
			}
			h.Push(3)
			if got, ok := h.Peek(); got != 3 || !ok {
				t.Errorf("Peek after Push(3): got %d, %v, want 3, true", got, ok)
			}
		})
	}
}

// Each call is made on a heap with the keys 10, 20, ..., 90, and the handle of 50.
func TestGoodHandle(t *testing.T) {
	for _, test := range []struct {
		name string
		call func(h *Heap[*item], handle Handle) (key int, ok bool)
		key  int   // that call returns; 0 if it returns no item
		left []int // keys in the heap afterwards
		good bool  // whether the handle still names something
	}{
		{"Get", get, 50, []int{10, 20, 30, 40, 50, 60, 70, 80, 90}, true},
		{"Remove", remove, 50, []int{10, 20, 30, 40, 60, 70, 80, 90}, false},
		{"Update to least", updateTo(5), 0, []int{5, 10, 20, 30, 40, 60, 70, 80, 90}, true},
		{"Update to greatest", updateTo(95), 0, []int{10, 20, 30, 40, 60, 70, 80, 90, 95}, true},
		{"Update to equal", updateTo(50), 0, []int{10, 20, 30, 40, 50, 60, 70, 80, 90}, true},
		{"Fix to least", fixTo(5), 0, []int{5, 10, 20, 30, 40, 60, 70, 80, 90}, true},
		{"Fix to greatest", fixTo(95), 0, []int{10, 20, 30, 40, 60, 70, 80, 90, 95}, true},
		{"Fix of nothing", fixTo(50), 0, []int{10, 20, 30, 40, 50, 60, 70, 80, 90}, true},
	} {
		// The order of the pushes decides where in the tree the element stands.
		for rotated := range 9 {
			t.Run(fmt.Sprintf("%s/rotated=%d", test.name, rotated), func(t *testing.T) {
				h := NewHeap(byKey)
				var handle Handle
				for i := range 9 {
					key := 10 + 10*((i+rotated)%9)
					if pushed := h.Push(&item{key: key}); key == 50 {
						handle = pushed
					}
				}
				if key, ok := test.call(h, handle); key != test.key || !ok {
					t.Errorf("got key %d, %v, want %d, true", key, ok, test.key)
				}
				if err := invariant(h); err != nil {
					t.Error(err)
				}
				if _, good := h.Get(handle); good != test.good {
					t.Errorf("handle afterwards: got good = %v, want %v", good, test.good)
				}
				if got := drain(h); !slices.Equal(got, test.left) {
					t.Errorf("keys left: got %v, want %v", got, test.left)
				}
			})
		}
	}
}

func get(h *Heap[*item], handle Handle) (int, bool) {
	x, ok := h.Get(handle)
	return x.key, ok
}

func remove(h *Heap[*item], handle Handle) (int, bool) {
	x, ok := h.Remove(handle)
	return x.key, ok
}

func updateTo(key int) func(*Heap[*item], Handle) (int, bool) {
	return func(h *Heap[*item], handle Handle) (int, bool) {
		return 0, h.Update(handle, &item{key: key})
	}
}

func fixTo(key int) func(*Heap[*item], Handle) (int, bool) {
	return func(h *Heap[*item], handle Handle) (int, bool) {
		x, _ := h.Get(handle)
		x.key = key
		return 0, h.Fix(handle)
	}
}

// No call with a handle that names nothing changes anything.
func TestBadHandle(t *testing.T) {
	for _, test := range []struct {
		name string
		make func(h *Heap[*item]) Handle // the heap has the keys 10, 20, 30 before
		left []int
	}{
		{"zero", func(*Heap[*item]) Handle { return Handle{} }, []int{10, 20, 30}},
		{"popped", func(h *Heap[*item]) Handle {
			handle := h.Push(&item{key: 1})
			h.Pop()
			return handle
		}, []int{10, 20, 30}},
		{"removed", func(h *Heap[*item]) Handle {
			handle := h.Push(&item{key: 25})
			h.Remove(handle)
			return handle
		}, []int{10, 20, 30}},
		{"place reused", func(h *Heap[*item]) Handle {
			handle := h.Push(&item{key: 25})
			h.Remove(handle)
			if next := h.Push(&item{key: 26}); next.slot != handle.slot {
				panic("the place is not reused")
			}
			return handle
		}, []int{10, 20, 26, 30}},
		{"heap emptied", func(h *Heap[*item]) Handle {
			handle := h.Push(&item{key: 25})
			drain(h)
			return handle
		}, nil},
		{"of a larger heap", func(*Heap[*item]) Handle { return Handle{slot: 3, gen: 1} }, []int{10, 20, 30}},
		{"grown, not used", func(h *Heap[*item]) Handle {
			h.Grow(10)
			return Handle{slot: 3, gen: 1}
		}, []int{10, 20, 30}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := NewHeap(byKey)
			for _, key := range []int{20, 10, 30} {
				h.Push(&item{key: key})
			}
			handle := test.make(h)
			if x, ok := h.Get(handle); x != nil || ok {
				t.Errorf("Get: got %v, %v, want nil, false", x, ok)
			}
			if x, ok := h.Remove(handle); x != nil || ok {
				t.Errorf("Remove: got %v, %v, want nil, false", x, ok)
			}
			if h.Update(handle, &item{key: 1}) {
				t.Error("Update: got true, want false")
			}
			if h.Fix(handle) {
				t.Error("Fix: got true, want false")
			}
			if err := invariant(h); err != nil {
				t.Error(err)
			}
			if got := drain(h); !slices.Equal(got, test.left) {
				t.Errorf("keys left: got %v, want %v", got, test.left)
			}
		})
	}
}

// When the generations of a place have run out they begin again; the zero handle, which
// has the generation of the first place just then, still names nothing.
func TestGenerationsBeginAgain(t *testing.T) {
	h := NewHeap(byKey)
	h.Remove(h.Push(&item{key: 1}))
	h.slots[0].gen = math.MaxUint32 - 1
	last := h.Push(&item{key: 2})
	if x, ok := h.Get(last); !ok || x.key != 2 {
		t.Errorf("last generation: got %v, %v, want key 2, true", x, ok)
	}
	h.Remove(last)
	if x, ok := h.Get(Handle{}); ok {
		t.Errorf("zero handle: got %v, true, want false", x)
	}
	if x, ok := h.Get(h.Push(&item{key: 3})); !ok || x.key != 3 {
		t.Errorf("first generation: got %v, %v, want key 3, true", x, ok)
	}
	if _, ok := h.Get(last); ok {
		t.Error("stale handle: got true, want false")
	}
}

func TestAll(t *testing.T) {
	h := NewHeap(cmp.Compare[int])
	want := []int{1, 1, 2, 3, 5, 8, 13}
	for _, x := range want {
		h.Push(x)
	}
	if got := slices.Sorted(h.All()); !slices.Equal(got, want) {
		t.Errorf("elements: got %v, want %v", got, want)
	}
	if got := h.Len(); got != len(want) {
		t.Errorf("Len after All: got %d, want %d", got, len(want))
	}
	calls := 0
	for range h.All() {
		if calls++; calls == 3 {
			break
		}
	}
	if calls != 3 {
		t.Errorf("broken off: got %d elements, want 3", calls)
	}
}

func TestGrow(t *testing.T) {
	const n = 1000
	h := NewHeap(cmp.Compare[int])
	handle := h.Push(7)
	h.Grow(2 * n) // AllocsPerRun runs what it measures twice
	if x, ok := h.Get(handle); x != 7 || !ok {
		t.Errorf("element from before: got %d, %v, want 7, true", x, ok)
	}
	allocs := testing.AllocsPerRun(1, func() {
		for i := range n {
			h.Push(i)
		}
	})
	if allocs != 0 {
		t.Errorf("%d pushes after Grow: got %v allocations, want 0", n, allocs)
	}
	if got := h.Len(); got != 2*n+1 {
		t.Errorf("Len: got %d, want %d", got, 2*n+1)
	}
	if err := invariant(h); err != nil {
		t.Error(err)
	}

	defer func() {
		if recover() == nil {
			t.Error("Grow(-1): got no panic, want one")
		}
	}()
	h.Grow(-1)
}

func TestHeapSorts(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		n := rng.IntN(5000)
		h := NewHeap(cmp.Compare[int])
		want := make([]int, n)
		for i := range want {
			want[i] = rng.IntN(n)
			h.Push(want[i])
		}
		slices.Sort(want)
		var got []int
		for x, ok := h.Pop(); ok; x, ok = h.Pop() {
			got = append(got, x)
		}
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: %d elements do not come out in order", seed, n)
		}
	}
}

// Trials rarely stay large for long, and some mistakes show only where the parents of
// two neighbours in the array are not neighbours themselves.
func TestHeapStaysInOrder(t *testing.T) {
	const n = 300
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 0))
		h := NewHeap(byKey)
		items, handles := make([]*item, n), make([]Handle, n)
		for i := range n {
			items[i] = &item{key: rng.IntN(10 * n), id: i}
			handles[i] = h.Push(items[i])
		}
		for step := range 2000 {
			i := rng.IntN(n)
			before := items[i].key
			if rng.IntN(2) == 0 {
				items[i].key = rng.IntN(10 * n)
				h.Fix(handles[i])
			} else {
				x, _ := h.Remove(handles[i])
				if err := invariant(h); err != nil {
					t.Fatalf("seed %d, step %d: key %d removed: %v", seed, step, before, err)
				}
				x.key = rng.IntN(10 * n)
				handles[i] = h.Push(x)
			}
			if err := invariant(h); err != nil {
				t.Fatalf("seed %d, step %d: key %d becomes %d: %v", seed, step, before, items[i].key, err)
			}
		}
	}
}

// At each level below the root three calls choose among four children, and one compares
// the least of them, or a parent, with what moves. Fix has one more, which chooses between
// up and down.
func TestCallsOfCompare(t *testing.T) {
	const (
		n     = 10_000
		below = 7 // levels: 4^0 + ... + 4^6 = 5461 < n
		most  = 4*below + 1
	)
	calls := 0
	h := NewHeap(func(a, b *item) int {
		calls++
		return byKey(a, b)
	})
	rng := rand.New(rand.NewPCG(1, 2))
	items, handles := make([]*item, n), make([]Handle, n)
	check := func(call string) {
		if calls > most {
			t.Errorf("%s: got %d calls of compare, want at most %d", call, calls, most)
		}
		calls = 0
	}
	for i := range n {
		items[i] = &item{key: -i, id: i} // each becomes the least
		handles[i] = h.Push(items[i])
		check("Push")
	}
	for i := range n {
		items[i].key = rng.IntN(n)
		h.Fix(handles[i])
		check("Fix")
	}
	for i := 0; i < n; i += 2 {
		h.Remove(handles[i])
		check("Remove")
	}
	for h.Len() > 0 {
		h.Pop()
		check("Pop")
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	const n = 1000
	rng := rand.New(rand.NewPCG(1, 2))
	h := NewHeap(byKeyAndID)
	items, handles := make([]*item, n), make([]Handle, n)
	for i := range n {
		items[i] = &item{key: rng.IntN(n), id: i}
		handles[i] = h.Push(items[i])
	}
	missed, sum := 0, 0
	count := func(ok bool) {
		if !ok {
			missed++
		}
	}
	allocs := testing.AllocsPerRun(100, func() {
		for range n {
			x, ok := h.Peek()
			count(ok)
			y, ok := h.Pop()
			count(ok && x == y)
			y.key += rng.IntN(n)
			handles[y.id] = h.Push(y)

			i := rng.IntN(n)
			items[i].key += rng.IntN(n) - n/2
			count(h.Fix(handles[i]))
			count(h.Update(handles[i], items[i]))
			x, ok = h.Get(handles[i])
			count(ok && x == items[i])
			x, ok = h.Remove(handles[i])
			count(ok && x == items[i])
			handles[i] = h.Push(x)
		}
		for x := range h.All() {
			sum += x.id
		}
	})
	if allocs != 0 {
		t.Errorf("got %v allocations, want 0", allocs)
	}
	if missed != 0 {
		t.Errorf("got %d wrong answers, want 0", missed)
	}
	if want := 101 * n * (n - 1) / 2; sum != want {
		t.Errorf("sum of ids over all rounds: got %d, want %d", sum, want)
	}
}

// invariant says what is wrong with the arrays of h, and nothing if all is well.
func invariant[T comparable](h *Heap[T]) error {
	for i, e := range h.heap {
		if parent := (i - 1) / 4; i > 0 && h.compare(e.x, h.heap[parent].x) < 0 {
			return fmt.Errorf("heap[%d] = %v goes before its parent heap[%d] = %v", i, e.x, parent, h.heap[parent].x)
		}
		if int(e.slot) >= len(h.slots) {
			return fmt.Errorf("heap[%d]: got slot %d, want less than %d", i, e.slot, len(h.slots))
		}
		if s := h.slots[e.slot]; int(s.pos) != i || s.gen%2 == 0 {
			return fmt.Errorf("heap[%d] has slot %d: got %+v, want pos %d and gen odd", i, e.slot, s, i)
		}
	}
	free := 0
	for f := h.free; f != 0; f = h.slots[f-1].pos {
		if free++; free > len(h.slots) {
			return fmt.Errorf("the list of free slots comes round")
		}
		if gen := h.slots[f-1].gen; gen%2 != 0 {
			return fmt.Errorf("free slot %d: got gen %d, want it even", f-1, gen)
		}
	}
	if got, want := free, len(h.slots)-len(h.heap); got != want {
		return fmt.Errorf("free slots: got %d, want %d", got, want)
	}
	for i, e := range h.heap[len(h.heap):cap(h.heap)] {
		if e != (entry[T]{}) {
			return fmt.Errorf("entry %d after the last: got %v, want it let go", i, e)
		}
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

	// what happened, to see that the operations reach the edges
	size, stale, reused, equal, empty int
}

// A step of a trial is an operation, two bytes that choose a handle, and a key.
const stepBytes = 4

// The operations in the order of their numbers. Change is a Fix after the key of the
// item has changed.
const (
	opPush = iota
	opPop
	opRemove
	opUpdate
	opChange
	opFix
	opGrow
	ops
)

// run does what data says, and says at which step the heap first differs from the naive
// version or breaks its invariant.
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
	case opGrow:
		h.Grow(key % 8)
		return nil
	}

	// The last choice is the zero handle.
	handle, x := Handle{}, (*item)(nil)
	which %= len(tr.given) + 1
	if which < len(tr.given) {
		handle, x = tr.given[which], tr.named[which]
	}
	if x == nil {
		tr.stale++
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
	case opUpdate:
		next := tr.item(key)
		if ok = h.Update(handle, next); x != nil {
			tr.named[which], x.gone = next, true
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
	for _, before := range tr.given {
		if handle == before {
			return fmt.Errorf("got handle %v again, want a new one", handle)
		}
		if handle.slot == before.slot {
			tr.reused++
		}
	}
	tr.given, tr.named = append(tr.given, handle), append(tr.named, x)
	return nil
}

func (tr *trial) pop() error {
	least := tr.least()
	got, ok := tr.heap.Pop()
	if least == nil {
		tr.empty++
		if ok {
			return fmt.Errorf("got %v, want nothing", got)
		}
		return nil
	}
	if !ok || tr.heap.compare(got, least) != 0 {
		return fmt.Errorf("got %v, want %v or its equal", got, least)
	}
	if got != least {
		tr.equal++
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

// check looks at everything that can be seen of the heap, and at its arrays.
func (tr *trial) check() error {
	h := tr.heap
	if err := invariant(h); err != nil {
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
	tr.size = max(tr.size, size)
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

func TestHeapAgainstNaive(t *testing.T) {
	for _, order := range orders {
		t.Run(order.name, func(t *testing.T) {
			var most trial
			for seed := range uint64(60) {
				tr := trial{heap: NewHeap(order.compare)}
				if err := tr.run(randomSteps(seed)); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				most.size = max(most.size, tr.size)
				most.stale += tr.stale
				most.reused += tr.reused
				most.equal += tr.equal
				most.empty += tr.empty
			}
			if most.size <= 1+4+16+64 {
				t.Errorf("largest heap: got %d elements, want five levels", most.size)
			}
			for _, edge := range []struct {
				name  string
				times int
			}{
				{"a stale handle is used", most.stale},
				{"a place is used again", most.reused},
				{"an empty heap is popped", most.empty},
			} {
				if edge.times < 100 {
					t.Errorf("%s: got %d times, want 100 or more", edge.name, edge.times)
				}
			}
			if got, want := most.equal > 0, order.name == "equal"; got != want {
				t.Errorf("pops with a choice among equals: got %d, want some = %v", most.equal, want)
			}
		})
	}
}

// randomSteps makes steps for a trial. Each stretch of them has its own taste for
// operations, so that heaps grow large and become empty, and its own range of keys.
func randomSteps(seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	var data []byte
	for range 1 + rng.IntN(8) {
		var weights [ops]int
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
		opRemove, 1, 0, 0, opPush, 0, 0, 1, opUpdate, 1, 0, 9, opUpdate, 0, 0, 9,
		opPop, 0, 0, 0, opFix, 7, 0, 0, opPop, 0, 0, 0, opPop, 0, 0, 0,
	})
	for seed := range uint64(4) {
		steps := randomSteps(seed)
		f.Add(steps[:min(len(steps), 100*stepBytes)])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// Each step looks at every handle so far, so long inputs would be slow.
		data = data[:min(len(data), 200*stepBytes)]
		for _, order := range orders {
			tr := trial{heap: NewHeap(order.compare)}
			if err := tr.run(data); err != nil {
				t.Fatalf("%s: %v", order.name, err)
			}
		}
	})
}

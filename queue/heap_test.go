package queue

import (
	"cmp"
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
	h.players.places[0].gen = math.MaxUint32 - 1
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

// Trials rarely stay large for long, and some mistakes show only on the upper levels.
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

// An element plays one match on each level.
func TestCallsOfCompare(t *testing.T) {
	const (
		n    = 10_000
		most = 14 // 2^13 < n <= 2^14
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

package queue

import (
	"math/rand/v2"
	"testing"
)

// addRandom adds so many random scripts of at most steps steps to a fuzz target, which go test runs too.
func addRandom(f *testing.F, scripts uint64, steps, stepBytes int) {
	for seed := range scripts {
		rng := rand.New(rand.NewPCG(seed, 1))
		data := make([]byte, stepBytes*rng.IntN(steps))
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		f.Add(data)
	}
}

// Nothing allocates once it has grown, but for Tree.Add.
func TestAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	heap, levels, sharing := NewHeap(byKeyAndID), newLevels(t, MultilevelConfig{First: 1}), newSharing(t, ByService)
	tree, leaves := randomTree(t, rng, 3, 4, 100)
	drf, tenants, demands := newDRF(t, 10, 3)
	members := addWaiting(t, sharing, 1, 2, 3, 4, 5)
	items, inHeap, inLevels := make([]*item, 100), make([]Handle, 100), make([]Handle, 100)
	for i := range items {
		items[i] = &item{key: rng.IntN(100), id: i}
		inHeap[i] = heap.Push(items[i])
		inLevels[i], _ = levels.Push(items[i], keyOf(byte(rng.Uint32())))
	}
	for name, step := range map[string]func(){
		"Heap": func() {
			x, _ := heap.Pop()
			x.key += rng.IntN(100)
			inHeap[x.id] = heap.Push(x)
			i := rng.IntN(len(items))
			items[i].key += rng.IntN(100) - 50
			heap.Fix(inHeap[i])
			x, _ = heap.Remove(inHeap[i])
			inHeap[i] = heap.Push(x)
			for range heap.All() {
			}
		},
		"Multilevel": func() {
			x, _ := levels.Pop()
			inLevels[x.id], _ = levels.Push(x, keyOf(byte(rng.Uint32())))
			levels.Move(inLevels[rng.IntN(len(items))], keyOf(byte(rng.Uint32())))
		},
		"Sharing": func() {
			j, _ := sharing.Next()
			sharing.Charge(members[j], 1)
			sharing.Hold(members[j], 1)
			sharing.Leave(members[j])
			sharing.Join(members[j])
			sharing.Remove(members[j])
			members[j], _ = sharing.Add(j, 2)
			sharing.Join(members[j])
		},
		"Tree": func() {
			for _, leaf := range leaves {
				tree.Join(leaf, 1)
				tree.Next()
				tree.Charge(leaf, 1)
				tree.Leave(leaf)
				tree.Charge(leaf, -1)
			}
		},
		"DRF": func() {
			i, _ := drf.Next()
			drf.Charge(tenants[i], demands[i]...)
			drf.Charge(tenants[i], -1, -0.5, 0)
			drf.Leave(tenants[i])
			drf.Join(tenants[i])
			drf.Remove(tenants[i])
			tenants[i], _ = drf.Add(i, 2)
			drf.Join(tenants[i])
		},
	} {
		if allocs := testing.AllocsPerRun(1000, step); allocs != 0 {
			t.Errorf("%s: got %v allocations, want 0", name, allocs)
		}
	}
}

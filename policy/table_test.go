package policy_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// A table against a map, with IDs that are dense, sparse and at the edges of pages.
func tableAgainstMap(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 0))
		var table policy.Table[policy.JobID, int]
		want := map[policy.JobID]*int{}
		for step := range 2000 {
			id := policy.JobID(rng.IntN(600))
			if rng.IntN(10) == 0 {
				id *= 1000
			}
			switch rng.IntN(3) {
			case 0, 1:
				v := new(step)
				table.Put(id, v)
				want[id] = v
			case 2:
				table.Delete(id)
				delete(want, id)
			}
			if got := table.Get(id); got != want[id] {
				t.Fatalf("seed %d, step %d: Get(%d) = %v, want %v", seed, step, id, got, want[id])
			}
			if table.Len() != len(want) {
				t.Fatalf("seed %d, step %d: Len() = %d, want %d", seed, step, table.Len(), len(want))
			}
		}
		if got := maps.Collect(table.All()); !maps.Equal(got, want) {
			t.Fatalf("seed %d: All() = %v, want %v", seed, got, want)
		}
		var ids []policy.JobID
		for id := range table.All() {
			ids = append(ids, id)
			table.Delete(id)
		}
		if !slices.IsSorted(ids) || table.Len() != 0 {
			t.Fatalf("seed %d: All yields %v and leaves %d entries, want them sorted and none left", seed, ids, table.Len())
		}
	}
}

// IDs that grow for ever leave 8 bytes for every 256 behind, and no more.
func TestTableForgetsPages(t *testing.T) {
	var table policy.Table[policy.JobID, int]
	v := new(int)
	got := testing.AllocsPerRun(1, func() {
		for id := range policy.JobID(256 * 1000) {
			table.Put(id, v)
			if id >= 10 {
				table.Delete(id - 10)
			}
		}
	})
	// A page for every 256 IDs, and the doubling of the index.
	if got > 1100 {
		t.Errorf("%v allocations for 1,000 pages, want about one each", got)
	}
	if table.Len() != 10 {
		t.Errorf("%d entries are left, want 10", table.Len())
	}
}

func BenchmarkTableGet(b *testing.B) {
	for _, n := range []int{100, 10_000, 1_000_000} {
		b.Run(fmt.Sprintf("ids=%d", n), func(b *testing.B) {
			var table policy.Table[policy.JobID, int]
			for id := range n {
				table.Put(policy.JobID(id), new(int))
			}
			rng := rand.New(rand.NewPCG(1, 2))
			ids := make([]policy.JobID, 1<<16)
			for i := range ids {
				ids[i] = policy.JobID(rng.IntN(n))
			}
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if table.Get(ids[i%len(ids)]) == nil {
					b.Fatal("an entry is missing")
				}
				i++
			}
		})
	}
}

package predict

import (
	"math/rand/v2"
	"testing"
)

func TestIndex(t *testing.T) {
	for _, spread := range []uint64{3, 50, 1 << 40} { // with many collisions, and with few
		rng := rand.New(rand.NewPCG(spread, 1))
		var x index
		ids := map[uint32]key{}
		find := func(k key, want uint32) bool {
			for slot, id := x.first(k); id != 0; slot, id = x.next(k, slot) {
				if id == want {
					return true
				}
			}
			return false
		}
		for i := range 3000 {
			id := 1 + rng.Uint32N(500)
			if k, ok := ids[id]; ok {
				x.remove(k, id)
				delete(ids, id)
				if find(k, id) {
					t.Fatalf("step %d: %d is still there", i, id)
				}
			} else {
				k := key{a: rng.Uint64N(spread)}
				x.add(k, id)
				ids[id] = k
			}
			if x.n != len(ids) {
				t.Fatalf("step %d: %d entries, want %d", i, x.n, len(ids))
			}
			if i%10 == 0 {
				for id, k := range ids {
					if !find(k, id) {
						t.Fatalf("step %d: %d is not found", i, id)
					}
				}
			}
		}
	}
}

package sim

import (
	"math/rand/v2"
	"testing"
)

// The tree against a look at every node.
func TestRoomAgainstScan(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 6))
		n := 1 + rng.IntN(40)
		cores, memory := make([]int32, n), make([]int64, n)
		r := newRoom(make([]int, n))
		for step := range 400 {
			k := rng.IntN(n)
			cores[k], memory[k] = int32(rng.IntN(5)), int64(rng.IntN(5))
			r.set(k, cores[k], memory[k])
			from, c, m := rng.IntN(n+2), int32(1+rng.IntN(4)), int64(rng.IntN(6))
			want := -1
			for k := from; k < n; k++ {
				if cores[k] >= c && memory[k] >= m {
					want = k
					break
				}
			}
			got, ok := r.first(from, c, m)
			if ok != (want >= 0) || ok && got != want {
				t.Fatalf("seed %d, step %d: first(%d, %d, %d) = %d, %v of %v %v, want %d", seed, step, from, c, m, got, ok, cores, memory, want)
			}
		}
	}
}

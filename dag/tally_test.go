package dag

import (
	"math/rand/v2"
	"testing"
)

// A tally gives back sums in order, though it is filled again while it is emptied.
func TestTally(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 12))
		n := []int{0, 1, 63, 64, 65, 4095, 4096, 4097, 300_000}[rng.IntN(9)]
		sum := newTally(n, func(a, b int) int { return a + b })
		want := make(map[uint32]int)
		put := func(lo int) {
			for range rng.IntN(200) {
				i := uint32(lo + rng.IntN(1+rng.IntN(n-lo)))
				if sum.has(i) != (want[i] > 0) {
					t.Fatalf("seed %d: has(%d): got %v, want %v", seed, i, sum.has(i), want[i] > 0)
				}
				sum.add(i, 1)
				want[i]++
			}
		}
		if n > 0 {
			put(0)
		}
		more := 3
		for len(want) > 0 {
			least := uint32(n)
			for i := range want {
				least = min(least, i)
			}
			i, w, ok := sum.take()
			if !ok || i != least || w != want[i] {
				t.Fatalf("seed %d, %d numbers: got %d, %d, %v, want %d, %d", seed, n, i, w, ok, least, want[least])
			}
			delete(want, i)
			if more > 0 && rng.IntN(20) == 0 && int(i) < n-1 {
				put(int(i) + 1)
				more--
			}
		}
		if i, w, ok := sum.take(); ok || i != 0 || w != 0 {
			t.Fatalf("seed %d: got %d, %d, %v of an empty tally, want nothing", seed, i, w, ok)
		}
	}
}

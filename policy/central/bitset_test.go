package central

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A bitset, made at its size or grown as numbers come, against a slice of booleans.
func TestBitsetAgainstSlice(t *testing.T) {
	for seed, size := range []int{1, 2, 63, 64, 65, 128, 4097} {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		slow := make([]bool, size)
		fixed, grown := newBitset(size), bitset{}
		for n := range 300 {
			i := rng.IntN(min(size, 1+n*n))
			grown.grow(i + 1)
			was, add := slow[i], rng.IntN(4) > 0
			slow[i] = add
			for _, b := range []bitset{fixed, grown} {
				if add && b.add(i) == was || !add && b.remove(i) != was || b.has(i) != add {
					t.Fatalf("size %d: %d was there: %v, want %v", size, i, !was, was)
				}
				for _, from := range []int{i, i + 1, max(0, i-1), 0, rng.IntN(size), size, size + 100} {
					want := slices.Index(slow[min(from, size):], true)
					if got, ok := b.next(from); ok != (want >= 0) || ok && got != from+want {
						t.Fatalf("size %d: next(%d) = %d, %v, want %d", size, from, got, ok, from+want)
					}
				}
			}
		}
	}
}

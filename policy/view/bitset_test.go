package view

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A bitset, made at its size or grown to it, against a slice of booleans, at sizes around
// those of its words.
func TestBitsetAgainstSlice(t *testing.T) {
	for seed, size := range []int{1, 2, 63, 64, 65, 128, 4095, 4096, 4097, 1<<18 - 1, 1 << 18, 1<<18 + 1, 3<<18 + 70} {
		rng := rand.New(rand.NewPCG(uint64(seed), 1))
		slow := make([]bool, size)
		next := func(i int) (int, bool) {
			if i < size {
				if k := slices.Index(slow[i:], true); k >= 0 {
					return i + k, true
				}
			}
			return 0, false
		}
		check := func(b *bitset, places ...int) {
			t.Helper()
			for _, i := range places {
				got, ok := b.next(max(0, i))
				if want, wantOK := next(max(0, i)); got != want || ok != wantOK {
					t.Fatalf("size %d: next(%d) = %d, %v, want %d, %v", size, i, got, ok, want, wantOK)
				}
				if 0 <= i && i < size && b.has(i) != slow[i] {
					t.Fatalf("size %d: has(%d) = %v, want %v", size, i, b.has(i), slow[i])
				}
			}
		}

		fixed, grown := newBitset(size), bitset{}
		for i := 0; i < size; i += 1 + size/3 {
			grown.grow(i)
		}
		grown.grow(size)
		for range 200 {
			i, known := rng.IntN(size), false
			if rng.IntN(3) == 0 {
				if i, known = next(i); !known {
					continue
				}
			}
			was, add := slow[i], !known && rng.IntN(4) > 0
			slow[i] = add
			for _, b := range []*bitset{&fixed, &grown} {
				if add && b.add(i) == was || !add && b.remove(i) != was {
					t.Fatalf("size %d: %d was there: %v, want %v", size, i, !was, was)
				}
				check(b, i, i+1, i-1, 0, rng.IntN(size), size-1, size, size+100)
			}
		}

		from, to := rng.IntN(size), rng.IntN(size+1)
		filled := newBitset(size)
		filled.fill(from, to)
		for i := range slow {
			slow[i] = from <= i && i < to
		}
		check(&filled, 0, from-1, from, from+1, to-1, to, size-1, size)
		for i := range slow {
			if filled.has(i) != slow[i] || slow[i] && !filled.remove(i) {
				t.Fatalf("size %d: filled from %d to %d, it has %d: %v", size, from, to, i, !slow[i])
			}
			slow[i] = false
		}
		check(&filled, 0)
	}
}

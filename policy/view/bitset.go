package view

import "math/bits"

// A bitset is a set of small numbers.
type bitset []uint64

// newBitset returns an empty set with room for the numbers below n.
func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

// grow makes room for the numbers below n.
func (b *bitset) grow(n int) {
	if words := (n + 63) / 64; words > len(*b) {
		*b = append(*b, make(bitset, words-len(*b))...)
	}
}

// has reports whether i is in the set, which has room for it.
func (b bitset) has(i int) bool { return b[i>>6]>>(i&63)&1 != 0 }

// add puts i into the set, which has room for it, and reports whether it was not there.
func (b bitset) add(i int) bool {
	had := b.has(i)
	b[i>>6] |= 1 << (i & 63)
	return !had
}

// remove takes i out of the set, which has room for it, and reports whether it was there.
func (b bitset) remove(i int) bool {
	had := b.has(i)
	b[i>>6] &^= 1 << (i & 63)
	return had
}

// next returns the least number of the set that is at least i ≥ 0, and false if there is none.
func (b bitset) next(i int) (least int, ok bool) {
	w := i >> 6
	if w >= len(b) {
		return 0, false
	}
	if word := b[w] >> (i & 63); word != 0 {
		return i + bits.TrailingZeros64(word), true
	}
	for w++; w < len(b); w++ {
		if b[w] != 0 {
			return w<<6 + bits.TrailingZeros64(b[w]), true
		}
	}
	return 0, false
}

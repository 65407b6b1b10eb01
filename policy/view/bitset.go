package view

import "math/bits"

// A bitset is a set of small numbers, each in a bit of level 0. Level l+1 has a bit for each
// word of level l, set if the word is not 0:
//
//	bit i of level l+1 = (word i of level l != 0)
//
// so that what lies between two numbers of the set is passed over in a few steps, and one
// more for each 2^18 numbers.
type bitset [3][]uint64

// newBitset returns an empty set with room for the numbers below n.
func newBitset(n int) (b bitset) {
	var words [len(b)]int
	sum := 0
	for l := range b {
		n = (n + 63) / 64
		words[l] = n
		sum += n
	}
	all := make([]uint64, sum)
	for l, n := range words {
		b[l], all = all[:n:n], all[n:]
	}
	return b
}

// grow makes room for the numbers below n.
func (b *bitset) grow(n int) {
	for l := range b {
		n = (n + 63) / 64
		if n <= len(b[l]) {
			return
		}
		b[l] = append(b[l], make([]uint64, n-len(b[l]))...)
	}
}

// fill puts the numbers from i up to below n into an empty set, which has room for them.
func (b *bitset) fill(i, n int) {
	for l := range b {
		if i >= n {
			return
		}
		first, last := i>>6, (n-1)>>6
		for w := first; w <= last; w++ {
			b[l][w] = ^uint64(0)
		}
		b[l][first] &= ^uint64(0) << (i & 63)
		b[l][last] &= ^uint64(0) >> (63 - (n-1)&63)
		i, n = first, last+1
	}
}

// has reports whether i is in the set, which has room for it.
func (b *bitset) has(i int) bool { return b[0][i>>6]>>(i&63)&1 != 0 }

// add puts i into the set, which has room for it, and reports whether it was not there.
func (b *bitset) add(i int) bool {
	if b.has(i) {
		return false
	}
	for l := range b {
		word := &b[l][i>>6]
		some := *word != 0
		*word |= 1 << (i & 63)
		if some {
			break
		}
		i >>= 6
	}
	return true
}

// remove takes i out of the set, which has room for it, and reports whether it was there.
func (b *bitset) remove(i int) bool {
	if !b.has(i) {
		return false
	}
	for l := range b {
		word := &b[l][i>>6]
		*word &^= 1 << (i & 63)
		if *word != 0 {
			break
		}
		i >>= 6
	}
	return true
}

// next returns the least number of the set that is at least i ≥ 0, and false if there is none.
func (b *bitset) next(i int) (least int, ok bool) {
	for l := range b {
		w := i >> 6
		if w >= len(b[l]) {
			return 0, false
		}
		if word := b[l][w] >> (i & 63); word != 0 {
			return b.least(l, i+bits.TrailingZeros64(word)), true
		}
		i = w + 1
	}
	for top := len(b) - 1; i < len(b[top]); i++ {
		if word := b[top][i]; word != 0 {
			return b.least(top, i<<6+bits.TrailingZeros64(word)), true
		}
	}
	return 0, false
}

// least returns the least number of the set below bit i of level l.
func (b *bitset) least(l, i int) int {
	for ; l > 0; l-- {
		i = i<<6 + bits.TrailingZeros64(b[l-1][i])
	}
	return i
}

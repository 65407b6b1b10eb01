package central

import "math/bits"

// A bitset is a set of small numbers. Its first level has a bit for each number. Each further level has a bit for each
// word of the level below, set if the word is not 0. The last level is one word, so that each call takes O(log n) time.
type bitset [][]uint64

// newBitset returns an empty set with room for the numbers below n.
func newBitset(n int) (b bitset) {
	b.grow(n)
	return b
}

// grow makes room for the numbers below n.
func (b *bitset) grow(n int) {
	for k := 0; n > 1 || k == 0 && n > 0; k++ {
		n = (n + 63) / 64
		if k == len(*b) { // The first bit may be wrong, and never matters: next looks at the word below before.
			*b = append(*b, nil)
		}
		if level := &(*b)[k]; n > len(*level) {
			*level = append(*level, make([]uint64, n-len(*level))...)
		}
	}
}

// has reports whether i is in the set, which has room for it.
func (b bitset) has(i int) bool { return b[0][i>>6]>>(i&63)&1 != 0 }

// add puts i into the set, which has room for it, and reports whether it was not there.
func (b bitset) add(i int) bool {
	had := b.has(i)
	for _, level := range b {
		word := &level[i>>6]
		more := *word != 0 // then the levels above know it
		if *word |= 1 << (i & 63); more {
			break
		}
		i >>= 6
	}
	return !had
}

// remove takes i out of the set, which has room for it, and reports whether it was there.
func (b bitset) remove(i int) bool {
	had := b.has(i)
	for _, level := range b {
		word := &level[i>>6]
		if *word &^= 1 << (i & 63); *word != 0 {
			break
		}
		i >>= 6
	}
	return had
}

// next returns the least number of the set that is at least i ≥ 0, and false if there is none.
func (b bitset) next(i int) (least int, ok bool) {
	for k, level := range b {
		w := i >> 6
		if w >= len(level) {
			break
		}
		if word := level[w] >> (i & 63); word != 0 {
			i += bits.TrailingZeros64(word)
			for k--; k >= 0; k-- {
				i = i<<6 + bits.TrailingZeros64(b[k][i])
			}
			return i, true
		}
		i = w + 1
	}
	return 0, false
}

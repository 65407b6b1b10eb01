package dag

import "math/bits"

// A tally adds up weights by number, and gives them back with the least number first. Adding and
// taking cost one step for each six bits of the numbers, mostly just one; an empty tally holds
// nothing of what it was used for.
type tally[W any] struct {
	across func(a, b W) W
	total  []W
	// Bit i of level 0 says that number i is in, and bit i of a level above that word i of the one
	// below is not empty. The last level is one word.
	levels [][]uint64
}

func newTally[W any](n int, across func(a, b W) W) *tally[W] {
	t := &tally[W]{across: across, total: make([]W, n)}
	for words := n; ; {
		words = max(1, (words+63)/64)
		t.levels = append(t.levels, make([]uint64, words))
		if words == 1 {
			return t
		}
	}
}

// has reports whether a number is in.
func (t *tally[W]) has(i uint32) bool { return t.levels[0][i>>6]&(1<<(i&63)) != 0 }

// add adds to the weight of a number.
func (t *tally[W]) add(i uint32, w W) {
	if t.has(i) {
		t.total[i] = t.across(t.total[i], w)
		return
	}
	t.total[i] = w
	for _, level := range t.levels {
		word := &level[i>>6]
		was := *word
		*word |= 1 << (i & 63)
		if was != 0 {
			return // the levels above know already
		}
		i >>= 6
	}
}

// take takes out the least number with its weight. It answers false if there is none.
func (t *tally[W]) take() (i uint32, w W, ok bool) {
	if t.levels[len(t.levels)-1][0] == 0 {
		return 0, w, false
	}
	for k := len(t.levels) - 1; k >= 0; k-- {
		i = i<<6 | uint32(bits.TrailingZeros64(t.levels[k][i]))
	}
	w, t.total[i] = t.total[i], w // what it points to is not held on to
	place := i
	for _, level := range t.levels {
		word := &level[place>>6]
		*word &= *word - 1 // the lowest bit
		if *word != 0 {
			break
		}
		place >>= 6
	}
	return i, w, true
}

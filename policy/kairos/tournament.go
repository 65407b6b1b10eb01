package kairos

import (
	"math"
	"math/bits"
)

// A tournament knows which core has the least key, of equal ones the lowest core:
//
//	matches[i] = the winner of matches[2i] and matches[2i+1]
//
// with the cores at the end of it. A core with a new key plays one match on each level, so
// that set takes O(log cores) time, and for a few cores a fraction of what a heap does.
type tournament struct {
	keys    []uint64 // of the cores; last if a core is not there
	matches []int32  // twice a power of two; matches[0] is not used
}

const last = math.MaxUint64

func newTournament(cores int) tournament {
	leaves := 1 << bits.Len(uint(cores-1))
	t := tournament{keys: make([]uint64, leaves), matches: make([]int32, 2*leaves)}
	for i := range t.keys {
		t.keys[i] = last
		t.matches[leaves+i] = int32(i)
	}
	for i := leaves - 1; i > 0; i-- {
		t.matches[i] = t.matches[2*i]
	}
	return t
}

// first returns the core with the least key, and that.
func (t *tournament) first() (core int32, key uint64) {
	core = t.matches[1]
	return core, t.keys[core]
}

func (t *tournament) set(core int32, key uint64) {
	t.keys[core] = key
	for i := (len(t.keys) + int(core)) / 2; i > 0; i /= 2 {
		left, right := t.matches[2*i], t.matches[2*i+1]
		if t.keys[right] < t.keys[left] {
			left = right
		}
		t.matches[i] = left
	}
}

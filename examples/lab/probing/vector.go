package probing

import (
	"math/bits"
	"math/rand/v2"

	"example.com/augur/policy"
)

// A vector is Eagle's bit vector as of some time: it says which nodes had no long task.
type vector struct {
	number uint64 // later ones have greater numbers
	nodes  int    // how many had none
	clear  []uint64
}

// fill makes v say what the centre knows now.
func (p *Scheduler) fill(v *vector) {
	p.vectors++
	*v = vector{number: p.vectors, nodes: len(p.clear.nodes), clear: make([]uint64, len(p.nodes)/64+1)}
	for _, id := range p.clear.nodes {
		v.clear[id/64] |= 1 << (id % 64)
	}
}

// newest returns the newer of two vectors, of which either may be nil.
func newest(v, w *vector) *vector {
	if v == nil || w != nil && w.number > v.number {
		return w
	}
	return v
}

// draw returns a random node that had no long task, 0 if all had. It takes time in proportion to the nodes,
// 64 at a time.
func (v *vector) draw(rng *rand.Rand) policy.NodeID {
	if v.nodes == 0 {
		return 0
	}
	k := rng.IntN(v.nodes)
	for i, word := range v.clear {
		n := bits.OnesCount64(word)
		if k >= n {
			k -= n
			continue
		}
		for range k {
			word &= word - 1
		}
		return policy.NodeID(64*i + bits.TrailingZeros64(word))
	}
	panic("probing: a vector has fewer nodes than it says")
}

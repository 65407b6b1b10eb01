package kairos

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"example.com/augur/policy"
)

// Ranks of the most different and of the most similar measures and places, against a
// look at all nodes.
func TestRankedAgainstNaive(t *testing.T) {
	type node struct {
		spot    spot
		free    int32
		measure float64
	}
	negativeZero := math.Copysign(0, -1)
	measures := []float64{
		0, negativeZero, math.SmallestNonzeroFloat64, 1e-300, 1, math.Nextafter(1, 2), math.Nextafter(1, 0),
		1 + 1<<21*0x1p-52, 1 + 1<<22*0x1p-52, 1e300, math.MaxFloat64,
	}
	places := []int32{0, 0, 0, 1, 2, 3, MaxCores, MaxCores + MaxQueue - 1, MaxCores + MaxQueue}
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 9))
		ids := []policy.NodeID{1, 2, 3, 4, 5, 63, 64, 65, 1000, 20_000, 1 << 15}[:1+rng.IntN(11)]
		nodes := make([]*node, len(ids))
		for i, id := range ids {
			nodes[i] = &node{spot: spot{id: id}}
		}
		o := new(ranked)
		if id, ok := o.next(); ok {
			t.Fatalf("node %d of none is next", id)
		}
		for step := range 500 {
			n := nodes[rng.IntN(len(nodes))]
			n.free, n.measure = places[rng.IntN(len(places))], measures[rng.IntN(len(measures))]
			o.set(&n.spot, n.free, n.measure)
			want := slices.MinFunc(nodes, func(a, b *node) int {
				return cmp.Or(cmp.Compare(b.free, a.free), cmp.Compare(a.measure, b.measure), cmp.Compare(a.spot.id, b.spot.id))
			})
			got, ok := o.next()
			if ok != (want.free > 0) || ok && got != want.spot.id {
				t.Fatalf("seed %d, step %d: node %d, %v is next, want %+v", seed, step, got, ok, *want)
			}
			for i := 1; step%100 == 0 && i < len(o.matches)/2; i++ {
				if o.matches[i] != lesser(o.matches[2*i], o.matches[2*i+1]) {
					t.Fatalf("seed %d, step %d: match %d has another winner", seed, step, i)
				}
			}
		}
	}
}

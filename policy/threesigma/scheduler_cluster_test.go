package threesigma

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
)

// As nodes come and go, the widest of a partition is that which a look at all of them finds.
func TestWidestNodes(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		c := cluster{}
		there := map[policy.NodeID]*policy.Node{}
		for step := range 300 {
			id := policy.NodeID(1 + rng.IntN(12))
			if there[id] != nil {
				c.leave(id)
				delete(there, id)
			} else {
				there[id] = &policy.Node{ID: id, Partition: 1 + policy.PartitionID(id%2), Cores: 1 + rng.Int32N(3), Speed: 1}
				c.join(there[id])
			}
			for i := range c.parts {
				p := &c.parts[i]
				wide, all := int64(0), int64(0)
				for _, n := range there {
					if n.Partition == p.id {
						wide, all = max(wide, int64(n.Cores)), all+int64(n.Cores)
					}
				}
				if p.cores != all || all > 0 && p.wide != wide {
					t.Fatalf("seed %d, step %d: partition %d has %d cores, %d of one node, want %d and %d", seed, step, p.id, p.cores, p.wide, all, wide)
				}
			}
		}
	}
}

package sim_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// A copy off the partitions that its stage prefers and away from its data is slower once.
func TestElsewhereCountsOnce(t *testing.T) {
	for _, test := range []struct {
		prefer policy.PartitionID
		holder policy.NodeID
		want   policy.Duration
	}{{1, 1, 4 * s}, {1, 2, 6 * s}, {2, 1, 6 * s}, {2, 2, 6 * s}} {
		p := &script{}
		p.on = func(ev *policy.Event) []policy.Action {
			if isReady(ev, 1, 0) {
				return list(startOn(1, task(1, 0, 0), 0))
			}
			return nil
		}
		j := bag(1, 0, 4*s)
		j.Stages[0].Prefer, j.Stages[0].Elsewhere = []policy.PartitionID{test.prefer}, 1.5
		j.Stages[0].Holders = []policy.NodeID{test.holder}
		result := run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}, sim.Partition{Nodes: 1, Cores: 1})}, p, j)
		if got := result.Jobs[0].JCT(); got != test.want {
			t.Errorf("prefers partition %d, held by node %d: took %v on node 1 of partition 1, want %v", test.prefer, test.holder, got, test.want)
		}
	}
}

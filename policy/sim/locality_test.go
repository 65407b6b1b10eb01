package sim_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

func TestPreferredPartition(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		if isReady(ev, 1, 0) {
			return list(start(task(1, 0, 0), 0), start(task(1, 0, 1), 0))
		}
		return nil
	}
	j := bag(1, 0, 4*s, 4*s)
	j.Stages[0].Prefer, j.Stages[0].Elsewhere = []policy.PartitionID{2}, 1.5
	run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}, sim.Partition{Nodes: 1, Cores: 1})}, p, j)
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=2
		0s Started 1/0/1#0 node=1
		4s Finished 1/0/0#0 node=2 service=4s
		6s Finished 1/0/1#0 node=1 service=6s
		6s Ended 1 Done`)
}

// Tasks run longer away from what they read, and the host's choice is a node that holds it.
func TestDataLocality(t *testing.T) {
	p := &script{}
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(
				startOn(1, task(1, 0, 0), 0), // on the second of its nodes
				startOn(1, task(1, 0, 1), 0), // neither holds it
				start(task(1, 0, 2), 0),      // chooses node 3
				start(task(1, 0, 3), 0),      // its node is full, or not there
				start(task(1, 0, 4), 0),      // may run anywhere
			)
		case isReady(ev, 2, 0):
			return list(start(task(2, 0, 0), 0)) // one of two tasks is away
		}
		return nil
	}
	j := bag(1, 0, 4*s, 4*s, 4*s, 4*s, 4*s)
	j.Stages[0].Elsewhere = 1.5
	j.Stages[0].Holders = []policy.NodeID{2, 1, 2, 3, 3, 0, 3, 99, 0, 0}
	gang := bag(2, 10*s, 2*s, 2*s)
	gang.Stages[0].Gang, gang.Stages[0].Elsewhere = true, 2
	gang.Stages[0].Holders = []policy.NodeID{1, 2}
	run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}, sim.Partition{Nodes: 2, Cores: 1}, sim.Partition{Nodes: 1, Cores: 1})}, p, j, gang)
	wantLog(t, p.log, `
		0s Submitted 1
		0s Ready 1/0
		0s Started 1/0/0#0 node=1
		0s Started 1/0/1#0 node=1
		0s Started 1/0/2#0 node=3
		0s Started 1/0/3#0 node=2
		0s Started 1/0/4#0 node=4
		4s Finished 1/0/0#0 node=1 service=4s
		4s Finished 1/0/2#0 node=3 service=4s
		4s Finished 1/0/4#0 node=4 service=4s
		6s Finished 1/0/1#0 node=1 service=6s
		6s Finished 1/0/3#0 node=2 service=6s
		6s Ended 1 Done
		10s Submitted 2
		10s Ready 2/0
		10s Started 2/0/0#0 node=1x2
		14s Finished 2/0/0#0 node=1x2 service=4s
		14s Ended 2 Done`)
}

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

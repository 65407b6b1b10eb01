package host

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
)

// place is as if it had looked at all machines: where the input is, else where the stage prefers, else the most free cores, ties by ID.
func TestPlace(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const memory = 4
	placed := 0
	for range 300 {
		var e Engine
		e.forget()
		for id := policy.NodeID(1); id <= 12; id++ {
			n := &node{info: policy.Node{ID: id, Partition: 1 + policy.PartitionID(rng.IntN(3)), Memory: memory}, cores: rng.Int64N(6), memory: rng.Int64N(memory)}
			if e.nodes[id] = n; rng.IntN(4) > 0 {
				n.link = &link{}
				e.list(n, true)
			}
		}
		for range 20 {
			stage := &policy.Stage{Tasks: 2, Cores: 1 + rng.Int32N(5), Memory: rng.Int64N(memory)}
			if rng.IntN(2) == 0 {
				stage.Prefer = []policy.PartitionID{1 + policy.PartitionID(rng.IntN(3))}
			}
			for range 2 * rng.IntN(3) {
				stage.Holders = append(stage.Holders, policy.NodeID(rng.IntN(14)))
			}
			p := policy.PartitionID(max(0, rng.IntN(6)-2))
			score := func(n *node) (s int64) {
				if len(stage.Holders) > 0 && stage.Local(1, n.info.ID) {
					s += 2000
				}
				if stage.Prefers(n.info.Partition) {
					s += 1000
				}
				return s + n.cores
			}
			var want *node
			for id := policy.NodeID(1); id <= 12; id++ {
				if n := e.nodes[id]; n.fits(stage) && (p == 0 || p == n.info.Partition) && (want == nil || score(n) > score(want)) {
					want = n
				}
			}
			got := e.place(stage, 1, p)
			if got != want {
				t.Fatalf("%+v in partition %d: got %+v, want %+v", stage, p, got, want)
			}
			if got != nil { // it is taken, or what ran there has ended
				r := &running{job: &job{Job: &policy.Job{Stages: []policy.Stage{*stage}}}, seats: []seat{{node: got.info.ID, tasks: 1}}}
				e.give(r, []int64{-1, -1, 1}[rng.IntN(3)], false)
				placed++
			}
		}
	}
	if placed < 1000 {
		t.Errorf("%d of 6000 tasks were placed, want 1000 or more", placed)
	}
}

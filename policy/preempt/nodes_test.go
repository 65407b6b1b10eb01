package preempt

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A plan by node gives away no more than there is, leaves the books as they were, and stops nobody for nothing.
func TestNodes(t *testing.T) {
	planned := 0
	for seed := range uint64(40) {
		list := random(rand.New(rand.NewPCG(seed, 3)), 60, true)
		config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 4, Cores: 3, Memory: 4}), SaveCost: time.Second}
		run(t, turns[seed%2].make, list, config, Config{Exempt: 1, Idle: 0.05}, func(p *filler) {
			if len(p.waiting) == 0 {
				return
			}
			books := func() (b []int64) {
				for n := range p.view.All() {
					memory, _ := p.view.FreeMemory(n)
					b = append(b, p.view.Room(n), memory)
				}
				return b
			}
			before := books()
			p.rank()
			p.plan.make(p)
			if !p.plan.nodes.on {
				return
			}
			planned++
			if after := books(); !slices.Equal(before, after) {
				t.Fatalf("seed %d: the books have %v after a plan, want %v", seed, after, before)
			}
			stops, starts := 0, 0
			for _, x := range p.plan.list {
				if x.runs == nil {
					starts += x.in
				} else if x.in == 0 {
					stops++
				}
			}
			if stops > 0 && starts == 0 {
				t.Errorf("seed %d: the plan stops %d units and starts none", seed, stops)
			}
		})
	}
	if planned < 1000 {
		t.Errorf("%d plans by node, want 1000", planned)
	}
}

// Victims are chosen on one node where one node must hold a unit: the best of them ranks as low as it can, and what is not in the
// way goes on. A unit of half a GPU is put on the device of another.
func TestVictimsOfOneNode(t *testing.T) {
	turn := by(func(j *policy.Job, _ policy.Time, _ float64) (float64, policy.Time) { return -j.Priority, policy.Never })
	two := sim.Cluster(sim.Partition{Nodes: 2, Cores: 4})
	gpus := sim.Cluster(sim.Partition{Nodes: 1, Cores: 4, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 2}}})
	type unit struct {
		cores         int32
		gpu, priority float64
	}
	for i, test := range []struct {
		nodes []policy.Node
		run   []unit
		comes unit
		want  []policy.JobID
	}{
		// The first two are on node 1, and the third on node 2.
		{two, []unit{{2, 0, 1}, {2, 0, 2}, {4, 0, 3}}, unit{4, 0, 5}, []policy.JobID{1, 2}},
		{two, []unit{{2, 0, 1}, {2, 0, 3}, {4, 0, 2}}, unit{4, 0, 5}, []policy.JobID{3}},
		{two, []unit{{2, 0, 2}, {2, 0, 3}, {4, 0, 1}}, unit{4, 0, 5}, []policy.JobID{3}},
		{two, []unit{{2, 0, 1}, {2, 0, 2}, {4, 0, 9}}, unit{4, 0, 5}, []policy.JobID{1, 2}},
		// Of two that could stay the better one does.
		{two, []unit{{2, 0, 3}, {1, 0, 2}, {1, 0, 1}, {4, 0, 9}}, unit{3, 0, 5}, []policy.JobID{1, 3}},
		{two, []unit{{2, 0, 3}, {1, 0, 1}, {1, 0, 2}, {4, 0, 9}}, unit{3, 0, 5}, []policy.JobID{1, 2}},
		// The first two share a GPU, and the third has half of the other.
		{gpus, []unit{{1, 0.5, 1}, {1, 0.5, 2}, {1, 0.5, 3}}, unit{1, 1, 5}, []policy.JobID{1, 2}},
		{gpus, []unit{{1, 0.5, 1}, {1, 0.5, 3}, {1, 0.5, 2}}, unit{1, 1, 5}, []policy.JobID{3}},
		{gpus, []unit{{1, 0.5, 1}, {1, 0.5, 2}, {1, 0.5, 3}}, unit{1, 2, 5}, []policy.JobID{1, 2, 3}},
	} {
		var list []*workload.Job
		for n, u := range append(slices.Clone(test.run), test.comes) {
			stage := policy.Stage{Tasks: 1, Cores: u.cores}
			if u.gpu > 0 {
				stage.Needs = []policy.Need{{Name: "gpu", Amount: int64(1000 * u.gpu)}}
			}
			at := float64(n)
			if n == len(test.run) {
				at = 50
			}
			j := job(policy.JobID(n+1), at, stage, 100)
			j.Priority = u.priority
			list = append(list, j)
		}
		_, w := run(t, turn, list, sim.Config{Nodes: test.nodes}, Config{}, nil)
		if slices.Sort(w.first); w.node == 0 {
			t.Errorf("case %d: a unit starts anywhere, want it where the plan has it", i)
		}
		if !slices.Equal(w.first, test.want) || w.at != 50e9 {
			t.Errorf("case %d: jobs %v are stopped at %v s, want %v at 50 s", i, w.first, w.at.Seconds(), test.want)
		}
	}
}

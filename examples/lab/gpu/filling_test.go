package main

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
)

func gpuTask(cores int32, thousandths int64) policy.Stage {
	s := policy.Stage{Tasks: 1, Cores: cores}
	if thousandths > 0 {
		s.Needs = []policy.Need{{Name: "gpu", Amount: thousandths}}
	}
	return s
}

// Two nodes, each of 4 cores and 2 GPUs. The cluster has 4 GPUs, and at 130 % 5.2 have been asked for. On paper:
//
//	task            best fit, left of the nodes before    goes to   allocated   asked
//	half a GPU      2, 2                                   node 1    0.5         0.5
//	half a GPU      0.75+0.75, 2                           node 1    1           1     the same device
//	2 cores, no GPU 0.5+0.5, 2                             node 1    1           1     node 1 has no core left
//	1 GPU           no room, 2                             node 2    2           2
//	2 GPUs          no room, one GPU is free               -         2           4     100 %: 2 of 4
//	1 GPU           no room, 0.75+0.5                      node 2    3           5
//	half a GPU      no room                                -         3           5.5   130 %: 3 of 4
func TestFillByHand(t *testing.T) {
	tasks := []policy.Stage{gpuTask(1, 500), gpuTask(1, 500), gpuTask(2, 0), gpuTask(1, 1000), gpuTask(1, 2000), gpuTask(1, 1000), gpuTask(1, 500)}
	nodes := sim.Cluster(sim.Partition{Nodes: 2, Cores: 4, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 2}}})
	at := -1
	got, err := fill(t.Context(), nodes, baseline.BestFit(), func() *policy.Stage { at++; return &tasks[at] })
	if want := (filled{0.5, 0.75}); err != nil || got != want {
		t.Errorf("got %v and error %v, want %v", got, err, want)
	}
	if at != len(tasks)-1 {
		t.Errorf("got %d tasks, want %d", at+1, len(tasks))
	}
}

// Whatever the placer, what the host has taken from its stocks is what it says is allocated, and no node has less than nothing. What
// finds no room has none on any node.
func TestHostCounts(t *testing.T) {
	const seed = 1
	for _, f := range fillers {
		rng := rand.New(rand.NewPCG(seed, 1))
		nodes := sim.Cluster(sim.Partition{Nodes: 6, Cores: 9, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 4}}},
			sim.Partition{Nodes: 3, Cores: 5, Offers: []policy.Offer{{Name: "gpu", Amount: 1000, Devices: 1}}})
		h, err := newHost(nodes, f.of(rng))
		if err != nil {
			t.Fatal(err)
		}
		cores := make([]int32, len(nodes)+1)
		for i := range nodes {
			cores[nodes[i].ID] = nodes[i].Cores
		}
		got, refused := int64(0), 0
		for range 60 {
			stage := gpuTask(int32(1+rng.IntN(3)), []int64{0, 300, 500, 1000, 2000, 4000}[rng.IntN(6)])
			at, err := h.offer(&stage)
			if err != nil {
				t.Fatalf("seed %d, %s: %v", seed, f.name, err)
			}
			if at != 0 {
				cores[at] -= stage.Cores
				for _, need := range stage.Needs {
					got += need.Amount
				}
			} else {
				refused++
				for n := 1; n < len(h.stocks); n++ {
					if cores[n] >= stage.Cores && h.stocks[n].Fits(&stage) > 0 {
						t.Errorf("seed %d, %s: %+v finds no room, but node %d has some", seed, f.name, stage, n)
					}
				}
			}
		}
		taken := int64(0)
		for n, s := range h.stocks {
			if n > 0 && cores[n] < 0 {
				t.Errorf("seed %d, %s: node %d has %d cores", seed, f.name, n, cores[n])
			}
			for o, free := range s.All {
				taken += o.All()
				for _, x := range free {
					taken -= x
				}
			}
		}
		if taken != got || refused == 0 {
			t.Errorf("seed %d, %s: %d thousandths are taken, and %d allocated; %d tasks refused, want some", seed, f.name, taken, got, refused)
		}
	}
}

// The cluster is the published one by its totals.
func TestOpenb(t *testing.T) {
	nodes := openb()
	gpus, cores := int64(0), int64(0)
	for i := range nodes {
		cores += int64(nodes[i].Cores)
		gpus += nodes[i].Offers[0].All()
	}
	if len(nodes) != 1213 || gpus != 6_212_000 || cores != 107_018_000 {
		t.Errorf("got %d nodes, %d thousandths of GPUs and %d of CPUs", len(nodes), gpus, cores)
	}
}

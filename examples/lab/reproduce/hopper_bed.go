package main

import (
	"iter"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A hopperBed is what a bed of the thesis is drawn from.
type hopperBed struct {
	name   string
	params paper.Hopper
	seeds  int
}

// newHopperBed returns the bed that [hopperItems] describes, with so many jobs like those of Facebook for each seed.
func newHopperBed(name string, seeds, jobs int) *hopperBed {
	h := paper.Facebook()
	h.Jobs = jobs
	h.Nodes, h.MaxTasks, h.MaxStages, h.Pipe, h.Elsewhere = 20, 501, 2, false, 1
	return &hopperBed{name: name, params: h, seeds: seeds}
}

// with returns a bed that differs in something.
func (b *hopperBed) with(what string, change func(h *paper.Hopper)) *hopperBed {
	other := *b
	other.name += ", " + what
	change(&other.params)
	return &other
}

// hopperJobs are those of a seed, with IDs 1, 2, 3 and so on, and the cluster.
type hopperJobs struct {
	nodes []policy.Node
	list  []*workload.Job
	jobs  iter.Seq2[*policy.Job, error] // as a policy sees them
	truth policy.Truth
}

// draw draws the jobs of a seed.
func (b *hopperBed) draw(seed uint64) (d hopperJobs, err error) {
	h := b.params
	h.Seed = seed
	source, err := h.Source()
	if err != nil {
		return d, err
	}
	if d.list, err = workload.ReadAll(source); err != nil {
		return d, err
	}
	d.jobs, d.truth = workload.Split(d.list)
	d.nodes = sim.Cluster(sim.Partition{Nodes: h.Nodes, Cores: int32(h.Cores), Memory: h.NodeMemory})
	return d, nil
}

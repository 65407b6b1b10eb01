package main

import (
	"fmt"
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
	luck   uint64 // 0, or for how long all copies run is drawn anew
}

// newHopperBed returns the bed that [hopperItems] describes, with so many jobs of each seed.
func newHopperBed(name string, h paper.Hopper, seeds, jobs int) *hopperBed {
	h.Jobs = jobs
	h.Nodes, h.MaxTasks, h.MaxStages, h.Pipe, h.Elsewhere = 20, 501, 2, false, 1
	return &hopperBed{name: name, params: h, seeds: seeds}
}

// facebookBed has jobs like those of Facebook.
func facebookBed(f form) *hopperBed {
	return newHopperBed("facebook", paper.Facebook(), f.seeds, f.of(600, 3000))
}

// bingBed has jobs like those of Bing, which have four times as many tasks.
func bingBed(f form) *hopperBed {
	return newHopperBed("bing", paper.Bing(), f.seeds, f.of(100, 500))
}

// with returns a bed that differs in something.
func (b *hopperBed) with(what string, change func(b *hopperBed)) *hopperBed {
	other := *b
	other.name += ", " + what
	change(&other)
	return &other
}

// hopperJobs are those of a seed, with IDs 1, 2, 3 and so on, and the cluster.
type hopperJobs struct {
	seed  uint64
	nodes []policy.Node
	list  []*workload.Job
	jobs  iter.Seq2[*policy.Job, error] // as a policy sees them
	truth policy.Truth
}

// draw draws the jobs of a seed.
func (b *hopperBed) draw(seed uint64) (d hopperJobs, err error) {
	h := b.params
	h.Seed, d.seed = seed, seed
	source, err := h.Source()
	if err != nil {
		return d, err
	}
	if d.list, err = workload.ReadAll(source); err != nil {
		return d, err
	}
	for _, j := range d.list {
		if b.luck > 0 {
			redraw(j, b.luck)
		}
	}
	d.jobs, d.truth = workload.Split(d.list)
	d.nodes = sim.Cluster(sim.Partition{Nodes: h.Nodes, Cores: int32(h.Cores), Memory: h.NodeMemory})
	return d, nil
}

// redraw draws anew for how long the copies of a job run, the first ones as well. When the job comes and
// what is known of it stays.
func redraw(j *workload.Job, luck uint64) {
	l := *j.Luck
	l.Seed += luck << 32
	j.Luck = &l
	j.Runtimes = each(j.Runtimes, func(stage []policy.Duration) []policy.Duration { return make([]policy.Duration, len(stage)) })
	for i, stage := range j.Runtimes {
		for k := range stage {
			task := policy.Task{Job: j.ID, Stage: uint32(i), Index: uint32(k)}
			stage[k] = l.Runtime(policy.Copy{Task: task})
		}
	}
}

// relucked returns the bed with other luck, the bed itself as number 0.
func (b *hopperBed) relucked(luck uint64) *hopperBed {
	if luck == 0 {
		return b
	}
	return b.with(fmt.Sprintf("luck %d", luck), func(b *hopperBed) { b.luck = luck })
}

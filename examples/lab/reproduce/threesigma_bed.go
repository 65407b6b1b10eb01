package main

import (
	"fmt"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// A sigmaBed is a cluster, and the jobs of some seeds for it.
type sigmaBed struct {
	name   string // tells it from others
	nodes  int    // in four partitions
	seeds  int
	change func(c *threesigma.Config) // what is not as usual for all systems
	draw   func(seed uint64) (sigmaJobs, error)
}

// sigmaJobs are jobs, and those that ended before them, in that order, and what they run on. The IDs of the
// former are in order.
type sigmaJobs struct {
	jobs, history []*workload.Job
	seed          uint64
	nodes         []policy.Node
	change        func(c *threesigma.Config)
}

// bed is the bed for a lab.
func (b *sigmaBed) bed() *bed[*sigmaJobs] {
	return &bed[*sigmaJobs]{name: b.name, seeds: b.seeds, draw: func(seed uint64) (*sigmaJobs, error) {
		d, err := b.draw(seed)
		d.seed, d.nodes, d.change = seed, b.cluster(), b.change
		return &d, err
	}}
}

// sigmaPartitions is how many there are on each bed.
const sigmaPartitions = 4

// sigmaE2E is so many jobs of E2E on its 256 nodes, changed by each of some.
func sigmaE2E(f form, jobs int, changes ...func(e *paper.E2E)) *sigmaBed {
	name := fmt.Sprintf("e2e, %d jobs", jobs)
	if f.few > 0 {
		jobs = f.few
	}
	e := paper.DefaultE2E()
	e.Trace = paper.E2ETwoHours // near what is published of the jobs
	e.Jobs, e.ByProgram = jobs, true
	for _, change := range changes {
		change(&e)
	}
	return &sigmaBed{name: name, nodes: e.Nodes, seeds: f.seeds, draw: func(seed uint64) (sigmaJobs, error) {
		return drawE2E(e, seed, 3000)
	}}
}

// drawE2E draws the jobs of a seed, and so many before them.
func drawE2E(e paper.E2E, seed uint64, history int) (d sigmaJobs, err error) {
	e.Seed = seed
	now, err := e.Source()
	if err != nil {
		return d, err
	}
	before, err := e.History(history)
	if err != nil {
		return d, err
	}
	if d.jobs, err = workload.ReadAll(now); err != nil {
		return d, err
	}
	d.history, err = workload.ReadAll(before)
	return d, err
}

// named returns the bed with a name that says what is different.
func (b *sigmaBed) named(what string) *sigmaBed {
	other := *b
	other.name += ", " + what
	return &other
}

// cluster returns the nodes of the bed.
func (b *sigmaBed) cluster() []policy.Node {
	parts := make([]sim.Partition, sigmaPartitions)
	for i := range parts {
		parts[i] = sim.Partition{Nodes: (b.nodes + i) / sigmaPartitions, Cores: 1}
	}
	return sim.Cluster(parts...)
}

// predictor returns a predictor that has seen the history.
func (d *sigmaJobs) predictor() (*predict.Predictor, error) {
	p, err := newPredictor()
	if err != nil {
		return nil, err
	}
	for _, j := range d.history {
		if err := p.Observe(j, j.Ideal().Seconds(), j.Calendar(j.Submitted)); err != nil {
			return nil, err
		}
	}
	return p, nil
}

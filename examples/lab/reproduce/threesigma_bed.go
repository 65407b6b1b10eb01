package main

import (
	"fmt"
	"math"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// A sigmaBed is a cluster, and the jobs of some seeds for it.
type sigmaBed struct {
	name       string // tells it from others
	nodes      int    // in four partitions
	seeds      int
	iterations int                        // of the solver in a cycle; 0: as many as are usual
	share      float64                    // of the jobs that it should have, where there are few for tests
	change     func(c *threesigma.Config) // what is not as usual for all systems
	draw       func(seed uint64) (sigmaJobs, error)
}

// sigmaJobs are jobs, and those that ended before them, in that order, and what they run on. The IDs of the
// former are in order.
type sigmaJobs struct {
	jobs, history []*workload.Job
	seed          uint64
	nodes         []policy.Node
	iterations    int
	change        func(c *threesigma.Config)
}

// bed is the bed for a lab.
func (b *sigmaBed) bed() *bed[*sigmaJobs] {
	return &bed[*sigmaJobs]{name: b.name, seeds: b.seeds, draw: func(seed uint64) (*sigmaJobs, error) {
		d, err := b.draw(seed)
		d.seed, d.nodes, d.iterations, d.change = seed, b.cluster(), b.iterations, b.change
		return &d, err
	}}
}

// sigmaPartitions is how many there are on each bed.
const sigmaPartitions = 4

// sigmaE2E is so many jobs of E2E on its 256 nodes, changed by each of some.
func sigmaE2E(f form, jobs int, changes ...func(e *paper.E2E)) *sigmaBed {
	share, name := 1.0, fmt.Sprintf("e2e, %d jobs", jobs)
	if f.few > 0 {
		jobs, share = f.few, float64(f.few)/float64(jobs)
	}
	e := paper.DefaultE2E()
	e.Trace = paper.E2ETwoHours // near what is published of the jobs
	e.Jobs, e.ByProgram = jobs, true
	for _, change := range changes {
		change(&e)
	}
	return &sigmaBed{name: name, nodes: e.Nodes, seeds: f.seeds, share: share, draw: func(seed uint64) (sigmaJobs, error) {
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

// over returns the bed with all times longer by a factor, such that the last job comes after so many hours,
// or the share of them for which there are jobs.
func (b *sigmaBed) over(hours float64) *sigmaBed {
	other := b.named(fmt.Sprintf("over %v hours", hours))
	other.draw = func(seed uint64) (sigmaJobs, error) {
		d, err := b.draw(seed)
		if err != nil {
			return d, err
		}
		factor := 3600 * hours * b.share / d.jobs[len(d.jobs)-1].Submitted.Seconds()
		return sigmaJobs{jobs: lengthened(d.jobs, factor), history: lengthened(d.history, factor)}, nil
	}
	return other
}

// lengthened returns the jobs with all their times multiplied.
func lengthened(jobs []*workload.Job, factor float64) []*workload.Job {
	times := func(x int64) int64 { return int64(math.Round(float64(x) * factor)) }
	return each(jobs, func(j *workload.Job) *workload.Job {
		long := *j
		long.Submitted = policy.Time(times(int64(j.Submitted)))
		if j.SLO != nil {
			slo := *j.SLO
			slo.Deadline = policy.Time(times(int64(slo.Deadline)))
			long.SLO = &slo
		}
		long.Runtimes = each(j.Runtimes, func(stage []policy.Duration) []policy.Duration {
			return each(stage, func(d policy.Duration) policy.Duration { return policy.Duration(times(int64(d))) })
		})
		return &long
	})
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

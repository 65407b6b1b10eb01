package main

import (
	"context"
	"math/rand/v2"
	"slices"

	"example.com/augur/examples/lab/probing"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A kairosSystem is a policy for the 30 nodes of 4 cores.
type kairosSystem struct {
	name string
	make func(d hundredJobs) (policy.Scheduler, error)
}

// fifoOnBed names the nodes itself, as containers need it.
var fifoOnBed = kairosSystem{"FIFO", func(hundredJobs) (policy.Scheduler, error) {
	return central.New(central.Config{Turn: baseline.FIFO(), Place: baseline.LeastLoaded()})
}}

// bigCOnBed tells short jobs from long ones by their category, as the paper does: those of the last two rows of Table 1 are long.
var bigCOnBed = kairosSystem{"Big-C", func(hundredJobs) (policy.Scheduler, error) {
	return probing.NewBigC(probing.BigCConfig{
		Estimate: func(j *policy.Job) (policy.Duration, bool) { return policy.Duration(category(j)), true }, Cutoff: 3, ShortShare: 0.95,
	})
}}

// kairosOnBed is Kairos with the parameters of section 5.2, but for the changes.
func kairosOnBed(name string, changes ...func(*kairos.Config)) kairosSystem {
	return kairosSystem{name, func(d hundredJobs) (policy.Scheduler, error) {
		c := kairos.Config{Node: kairos.NodeConfig{Quantum: 50e9}}
		c.Src = rand.NewPCG(d.seed, 0x6b6169726f73)
		for _, change := range changes {
			change(&c)
		}
		return kairos.NewScheduler(c)
	}}
}

// asInItsCode changes the rules of the paper's text to those of the authors' code, which the
// testbed ran: a task starves by how often it is preempted, and a turn ends only if another
// task is behind by half a quantum.
func asInItsCode(c *kairos.Config) {
	c.Node.Starvation, c.Node.Hysteresis = kairos.Preempted, c.Node.Quantum/2
}

// ask asks for the trial of a system.
func (b *kairosBed) ask(l *lab, s kairosSystem) *trial[completed] {
	return ask(l, &bed[hundredJobs]{name: b.name, seeds: b.seeds, draw: b.draw}, s.name, s.run)
}

// asks asks for the trials of some systems.
func (b *kairosBed) asks(l *lab, systems ...kairosSystem) []*trial[completed] {
	return each(systems, func(s kairosSystem) *trial[completed] { return b.ask(l, s) })
}

// A completed is how long the jobs of one seed took, in s.
type completed []float64

// run runs jobs under the system. The network takes no time.
func (s *kairosSystem) run(ctx context.Context, d hundredJobs) (c completed, err error) {
	jobs, truth := workload.Split(d.jobs)
	scheduler, err := s.make(d)
	if err != nil {
		return c, err
	}
	if d.rules != nil {
		scheduler = newContainers(scheduler, *d.rules)
	}
	result, err := sim.Run(ctx, sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 30, Cores: 4}), Jobs: jobs, Truth: truth,
	}, scheduler)
	if err != nil {
		return c, err
	}
	for i := range result.Jobs {
		c = append(c, result.Jobs[i].JCT().Seconds())
	}
	return c, nil
}

// What is told of each run.
var (
	jctP50   = figure[completed]{"%s, JCT P50, s", func(c completed) float64 { return percentile(c, 0.5) }}
	jctP99   = figure[completed]{"%s, JCT P99, s", func(c completed) float64 { return percentile(c, 0.99) }}
	jctWorst = figure[completed]{"%s, largest JCT, s", func(c completed) float64 { return slices.Max(c) }}
)

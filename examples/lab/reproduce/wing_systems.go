package main

import (
	"context"
	"fmt"

	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/workload"
)

// A wingSystem is a policy of section 6.2, or of ours.
type wingSystem struct {
	name string
	rank func(*lakelab.Lab) (wing.Ranker, error)
}

var (
	prio       = wingSystem{"PRIO", func(*lakelab.Lab) (wing.Ranker, error) { return wing.ByPriority(), nil }}
	wingAgg    = wingSystem{"Wing-Agg", (*lakelab.Lab).Agg}
	wingDirect = wingSystem{"Wing-Direct", (*lakelab.Lab).Direct}
	// wingTied is what is left open of Wing-Direct: which goes first of two jobs that are downloaded never.
	wingTied     = wingSystem{"Wing-Direct with ties by compute time", (*lakelab.Lab).DirectByCompute}
	oracleAgg    = wingSystem{"Oracle Wing-Agg", func(l *lakelab.Lab) (wing.Ranker, error) { return l.Oracle(true, nil) }}
	oracleDirect = wingSystem{"Oracle Wing-Direct", func(l *lakelab.Lab) (wing.Ranker, error) { return l.Oracle(false, nil) }}
)

// A wingRun is a policy at a capacity.
type wingRun struct {
	system   wingSystem
	capacity int  // percent
	one      bool // a queue for the whole cluster, instead of one with hard boundaries for each organisation
}

// is reports whether two runs are the same.
func (w wingRun) is(o wingRun) bool {
	return o.system.name == w.system.name && o.capacity == w.capacity && o.one == w.one
}

// workload names the jobs and the queues.
func (w wingRun) workload() string {
	if w.one {
		return wingOneQueue
	}
	return wingQueues
}

// figure is where the paper tells of a run.
func (w wingRun) figure() string {
	switch {
	case w.one:
		return "Fig. 12"
	case w.system.name == wingDirect.name || w.system.name == wingTied.name || w.system.name == oracleDirect.name:
		return "Fig. 11"
	}
	return "Fig. 10"
}

// ask returns what will be the trial of a run: the attained value, in percent of what is achievable.
func (w wingRun) ask(l *lab, b *bed[*wingLake]) *trial[float64] {
	return ask(l, b, fmt.Sprintf("%s at %d %%, %s", w.system.name, w.capacity, w.workload()), w.run)
}

// run runs the jobs of a lake.
func (w wingRun) run(ctx context.Context, b *wingLake) (value float64, err error) {
	learnt, err := b.learn()
	if err != nil {
		return 0, err
	}
	ranker, err := b.ranker(w.system)
	if err != nil {
		return 0, err
	}
	var queues []wing.Queue
	if !w.one {
		queues = learnt.Queues(true)
	}
	s, err := wing.NewScheduler(wing.Config{Ranker: ranker, Queues: queues})
	if err != nil {
		return 0, err
	}
	const cores = 20 // of a node
	jobs, truth := workload.Split(b.jobs)
	nodes := sim.Cluster(sim.Partition{Nodes: b.cores * w.capacity / 100 / cores, Cores: cores})
	result, err := sim.Run(ctx, sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, s)
	if err != nil {
		return 0, err
	}
	return learnt.Attained(result), nil
}

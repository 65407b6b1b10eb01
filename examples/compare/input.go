package main

import (
	"math"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// input is the workload and the cluster that the policies run on.
type input struct {
	jobs
	tasks   int
	offered workload.Offered
	cluster []policy.Node
	cores   int
}

// load reads or generates the jobs and sizes the cluster.
func load(o *options) (*input, error) {
	in := &input{}
	var err error
	if in.jobs, err = readJobs(o); err != nil {
		return nil, err
	}
	for _, j := range in.List {
		in.tasks += j.Tasks()
	}
	in.offered = workload.Measure(in.List)
	nodes := o.nodes
	if nodes == 0 {
		if nodes, err = in.size(o); err != nil {
			return nil, err
		}
	} else if o.stretch {
		if in.List, err = workload.Stretch(in.List, in.offered.Load(float64(nodes*o.cores))/o.load); err != nil {
			return nil, cli.Usagef("%s cannot be brought to load %v on %d nodes: %w", in.Name, o.load, nodes, err)
		}
		in.offered = workload.Measure(in.List)
	}
	if err := in.place(o, nodes); err != nil {
		return nil, err
	}
	in.cores = nodes * o.cores
	var parts []sim.Partition
	for i := range o.partitions {
		parts = append(parts, sim.Partition{Nodes: nodes*(i+1)/o.partitions - nodes*i/o.partitions, Cores: int32(o.cores), Memory: o.memory})
	}
	in.cluster = sim.Cluster(parts...)
	return in, nil
}

// size returns the number of nodes on which the jobs offer the load that is asked for,
// but enough for the widest gang.
func (in *input) size(o *options) (int, error) {
	cores := in.offered.Work / in.offered.Span() / o.load
	if math.IsNaN(cores) || math.IsInf(cores, 0) {
		cores = 1 // all jobs at once: no load is defined
	}
	for _, j := range in.List {
		for i := range j.Stages {
			stage := &j.Stages[i]
			each := max(1, o.cores/int(stage.Cores)) // tasks on a node
			if o.memory > 0 && stage.Memory > 0 {
				each = int(max(1, min(int64(each), o.memory/stage.Memory)))
			}
			nodes := math.Ceil(float64(stage.Tasks/stage.Units()) / float64(each))
			cores = max(cores, nodes*float64(o.cores))
		}
	}
	nodes := math.Ceil(cores / float64(o.cores))
	nodes = max(nodes, float64(o.partitions))
	if nodes > 1<<24 {
		return 0, cli.Usagef("%s needs %g nodes of %d cores for load %v, more than 2^24; choose -nodes", in.Name, nodes, o.cores, o.load)
	}
	return max(1, int(nodes)), nil
}

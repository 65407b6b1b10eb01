package main

import (
	"context"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// input is the workload and the cluster that the policies run on.
type input struct {
	jobs
	tasks   int
	offered workload.Offered
	cluster []policy.Node
	cores   int
	cutoff  policy.Duration // taken from the jobs; 0: none was
}

// load reads or generates the jobs and sizes the cluster.
func load(ctx context.Context, o *options) (*input, error) {
	in := &input{}
	var err error
	if in.jobs, err = readJobs(ctx, o); err != nil {
		return nil, err
	}
	for _, j := range in.List {
		in.tasks += j.Tasks()
	}
	if in.cluster, err = o.Fit(&in.Jobs); err != nil {
		return nil, err
	}
	in.offered = workload.Measure(in.List)
	in.cores = len(in.cluster) * o.Cores
	return in, in.place(o, len(in.cluster))
}

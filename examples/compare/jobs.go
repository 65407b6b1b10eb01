package main

import (
	"context"
	"sync"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// jobs are those that the policies run, in order of submission.
type jobs struct {
	cli.Jobs
	requested int                          // that said no requested time and got one
	lake      *lakelab.Lake                // that they are of; nil: none
	lab       func() (*lakelab.Lab, error) // what the history of the lake tells, learnt once
}

// readJobs returns the jobs that the flags ask for.
func readJobs(ctx context.Context, o *options) (js jobs, err error) {
	if js.Jobs, err = o.Read(ctx, o.seed); err != nil {
		return js, err
	}
	if js.LakeLog != nil {
		lake := lakelab.Open(js.LakeLog)
		js.lake = lake
		js.lab = sync.OnceValues(func() (*lakelab.Lab, error) {
			lab, err := lake.Learn(o.wing.history)
			if err != nil {
				return nil, cli.Usagef("-wing: %w", err)
			}
			return lab, nil
		})
	}
	return js, js.decorate(o)
}

// decorate gives the jobs stragglers and deadlines, if that is asked for, and a requested
// time, if they say none.
func (js *jobs) decorate(o *options) (err error) {
	if o.stragglers != nil {
		if js.List, err = o.stragglers.on(js.List, o.seed); err != nil {
			return err
		}
	}
	if o.deadlines != nil {
		d := *o.deadlines
		d.Seed = o.seed
		for p := range o.Partitions {
			d.Partitions = append(d.Partitions, policy.PartitionID(p+1))
		}
		source, err := d.Source(workload.Of(js.List))
		if err != nil {
			return cli.Usage(err)
		}
		if js.List, err = workload.ReadAll(source); err != nil {
			return err
		}
	}
	js.requested, err = js.Request()
	return err
}

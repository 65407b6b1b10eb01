package main

import (
	"context"
	"fmt"
	"sync"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// input is the workload, in order of submission, and the cluster that the policies run on.
type input struct {
	cli.Jobs
	asking    []*workload.Job              // for policies that go by requested times: all jobs request one
	requested int                          // jobs that said no requested time and got one there
	lake      *lakelab.Lake                // that the jobs are of; nil: none
	lab       func() (*lakelab.Lab, error) // what the history of the lake tells, learnt once
	cluster   []policy.Node
	cutoff    policy.Duration // taken from the jobs; 0: none was
}

// load reads or generates the jobs and sizes the cluster.
func load(ctx context.Context, o *options) (*input, error) {
	in := &input{}
	var err error
	if in.Jobs, err = o.Read(ctx, o.seed); err != nil {
		return nil, err
	}
	if err := in.cut(o); err != nil {
		return nil, err
	}
	if in.LakeLog != nil {
		in.lake = lakelab.Open(in.LakeLog)
		in.lab = sync.OnceValues(func() (*lakelab.Lab, error) {
			lab, err := in.lake.Learn(o.wing.history)
			if err != nil {
				return nil, cli.Usagef("-wing: %w", err)
			}
			return lab, nil
		})
	}
	if err := in.decorate(o); err != nil {
		return nil, err
	}
	if in.cluster, err = o.Fit(&in.Jobs); err != nil {
		return nil, err
	}
	if err := in.place(o); err != nil {
		return nil, err
	}
	if in.asking, in.requested, err = in.Requested(); err != nil || !o.killRequested {
		return in, err
	}
	for _, list := range []*[]*workload.Job{&in.List, &in.asking} {
		if *list, err = workload.ReadAll(workload.Limited(workload.Of(*list))); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// cut leaves the jobs of one window, of one thinned copy, or of one copy of a window.
func (in *input) cut(o *options) (err error) {
	if o.windows.k > 0 {
		windows, err := workload.Windows(in.List, o.windows.of)
		if err != nil {
			return cli.Usagef("-windows: %w", err)
		}
		w := windows[o.windows.k-1]
		in.List = w.Jobs
		in.History = func() (workload.Source, error) { return w.Past, nil }
	}
	if o.thin.k > 0 {
		in.List, err = workload.Thin(in.List, thinned, o.seed<<16|uint64(o.thin.k))
	}
	return err
}

// decorate gives the jobs stragglers and deadlines, if that is asked for.
func (in *input) decorate(o *options) (err error) {
	if o.stragglers != nil {
		if in.List, err = o.stragglers.on(in.List, o.seed); err != nil {
			return err
		}
	}
	if o.deadlines != nil {
		d := *o.deadlines
		d.Seed = o.seed
		for p := range o.Partitions {
			d.Partitions = append(d.Partitions, policy.PartitionID(p+1))
		}
		source, err := d.Source(workload.Of(in.List))
		if err != nil {
			return cli.Usage(err)
		}
		if in.List, err = workload.ReadAll(source); err != nil {
			return err
		}
	}
	if o.saves != nil {
		in.List = o.saves.on(in.List)
	}
	return nil
}

// requestNote says what became of the jobs that request no time.
func (in *input) requestNote() string {
	if in.requested == len(in.List) {
		return fmt.Sprintf("no job requests a time; each is taken to request %d times its runtime", cli.RequestFactor)
	}
	return fmt.Sprintf("%s jobs request no time; they are taken to request %d times their runtime", cli.Thousands(in.requested), cli.RequestFactor)
}

const (
	ratiosLeast = 10   // tasks of a stage that tells ratios: fewer tell little of their median
	ratiosMost  = 4096 // as many as a workload may have
)

// on returns the jobs with copies that differ.
func (s stragglers) on(jobs []*workload.Job, seed uint64) ([]*workload.Job, error) {
	s.Seed = seed
	if s.own {
		if s.Ratios = ownRatios(jobs, ratiosLeast, ratiosMost); len(s.Ratios) == 0 {
			return nil, cli.Usagef("-stragglers ratios=own: no stage has %d tasks and a median above 0, want one", ratiosLeast)
		}
	}
	source, err := s.Source(workload.Of(jobs))
	if err != nil {
		return nil, cli.Usage(err)
	}
	return workload.ReadAll(source)
}

// place puts what the jobs read on the nodes: as -locality says; else as it lies in the
// workload, if that is made for a cluster of another size.
func (in *input) place(o *options) error {
	nodes := len(in.cluster)
	var l workload.Locality
	if o.locality != nil {
		l = *o.locality
	} else if g := o.Generator(); g != nil && g.Places != nil && g.Places.Nodes != nodes {
		l = *g.Places
		l.Replicas = min(l.Replicas, nodes)
	} else {
		return nil
	}
	l.Seed, l.Nodes = o.seed, nodes
	source, err := l.Source(workload.Of(in.List))
	if err != nil {
		return cli.Usagef("-locality: %w", err)
	}
	in.List, err = workload.ReadAll(source)
	return err
}

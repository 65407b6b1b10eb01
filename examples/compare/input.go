package main

import (
	"slices"
	"sync"

	"example.com/augur/examples/internal/cli"
	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/policy"
	"example.com/augur/policy/catalog"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/workload"
)

// input is the workload, in order of submission, and the cluster that the policies run on.
type input struct {
	cli.Jobs
	lake     *lakelab.Lake                // that the jobs are of; nil: none
	lab      func() (*lakelab.Lab, error) // what the history of the lake tells, learnt once
	unvalued bool                         // nobody can say what the lake's jobs attain
	cluster  []policy.Node
	cutoff   policy.Duration // taken from the jobs; 0: none was
	classes  classes
}

// cut leaves the jobs of the one window, the one thinned copy, or the one copy of a window that is asked for.
func (in *input) cut(o *options, seed uint64) (err error) {
	if o.windows.of > len(in.List) {
		return cli.Usagef("-windows: %d jobs cut into %d windows, want at most as many windows as jobs", len(in.List), o.windows.of)
	}
	if o.windows.k > 0 {
		windows, err := workload.Windows(in.List, o.windows.of)
		if err != nil {
			return err
		}
		w := windows[o.windows.k-1]
		in.List = w.Jobs
		in.History = func() (workload.Source, error) { return w.Past, nil }
	}
	if o.thin.k > 0 {
		in.List, err = workload.Thin(in.List, experiment.Thinned, seed<<16|uint64(o.thin.k))
	}
	return err
}

// complete decorates the jobs, sizes the cluster, places what the jobs read, and tells short jobs from long ones if one of the policies does.
func (in *input) complete(o *options, chosen []contender) (err error) {
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
		return err
	}
	if in.cluster, err = o.Fit(&in.Jobs); err != nil {
		return err
	}
	if err := in.place(o); err != nil {
		return err
	}
	cutoff := o.cutoff
	if cutoff == 0 && slices.ContainsFunc(chosen, func(c contender) bool { return c.classes }) {
		if cutoff, err = cutoffOf(in.List); err != nil {
			return err
		}
		in.cutoff = cutoff
	}
	if cutoff > 0 {
		in.classes = classify(in.List, cutoff, o.longShare)
	}
	return nil
}

// setting returns what the policies are made for.
func (in *input) setting(o *options, seed uint64, truth policy.Truth) *setting {
	s := &setting{
		Setting: catalog.Setting{
			Truth: truth, Seed: seed, Past: in.History, Features: o.Features, Inherit: o.wing.inherit, Hopper: o.hopper, Kairos: o.kairos, ThreeSigma: o.threesigma,
		},
		classes: in.classes, lake: in.lake, lab: in.lab,
	}
	if s.lake != nil {
		s.Ranker = s.ranker
		if o.wing.queues != "one" {
			s.Queues = s.lake.Queues(o.wing.queues != "shared")
		}
	}
	return s
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

// unasked counts the jobs that request no time.
func (in *input) unasked() (n int) {
	for _, j := range in.List {
		if j.Requested == 0 {
			n++
		}
	}
	return n
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

package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy/workload"
)

// sigmaReal is Fig. 5 on jobs that Google ran in 2011, if they are in the folder of real traces. Of the jobs in the second half of
// the tables that are no wider than the 256 nodes it draws as many as have the load of E2E. They are gangs, with deadlines as
// E2E has them.
func sigmaReal(f form) (items []item, err error) {
	e := paper.DefaultE2E()
	if f.few > 0 {
		e.Load *= float64(f.few) / float64(e.Jobs)
	}
	for _, real := range googles {
		h, err := readGoogle(f.traces, real.ends, e.Nodes)
		if errors.Is(err, fs.ErrNotExist) {
			return []item{skipped("Fig. 5", real.name, err)}, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", real.name, err)
		}
		b := &sigmaBed{name: real.name, nodes: e.Nodes, seeds: f.seeds, draw: func(seed uint64) (sigmaJobs, error) { return h.thinned(e, seed) }}
		items = append(items, sigmaControls(b), sigmaPredicted(b), sigmaFour(b))
	}
	return items, nil
}

// thinned draws jobs of the execution until they have the load.
func (h halved) thinned(e paper.E2E, seed uint64) (d sigmaJobs, err error) {
	const begin = (googleBegin + googleEnd) / 2
	work := e.Load * float64(e.Nodes) * googleEnd.Sub(begin).Seconds()
	var drawn []*workload.Job
	for _, i := range rand.New(rand.NewPCG(seed, 6)).Perm(len(h.execution)) {
		if work -= h.execution[i].Work(); work < 0 {
			break
		}
		drawn = append(drawn, h.execution[i])
	}
	slices.SortFunc(drawn, func(a, b *workload.Job) int {
		return cmp.Or(cmp.Compare(a.Submitted, b.Submitted), cmp.Compare(a.ID, b.ID))
	})
	if drawn, err = workload.Window(drawn, begin, googleEnd); err != nil {
		return d, err
	}
	deadlines := e.Deadlines
	deadlines.Seed = seed
	source, err := deadlines.Source(workload.Of(gangs(drawn)))
	if err != nil {
		return d, err
	}
	d.history = gangs(h.history)
	d.jobs, err = workload.ReadAll(source)
	return d, err
}

// gangs returns the jobs with tasks that run together.
func gangs(jobs []*workload.Job) []*workload.Job {
	return each(jobs, func(j *workload.Job) *workload.Job {
		gang := *j
		gang.Stages = slices.Clone(j.Stages)
		for i := range gang.Stages {
			gang.Stages[i].Gang = true
		}
		return &gang
	})
}

package main

import (
	"path/filepath"
	"strings"

	"example.com/augur/policy"
	"example.com/augur/policy/workload"
)

// jobs are those that the policies run, in order of submission.
type jobs struct {
	name             string
	list             []*workload.Job
	dropped, skipped []string // of a trace: why rows were left out, and how many
	requested        int      // jobs that said no requested time and got one
}

// readOrGenerate returns the jobs that the flags ask for.
func readOrGenerate(o *options) (js jobs, err error) {
	if o.trace != "" {
		js.name = filepath.Base(o.trace)
		err = js.read(o)
	} else {
		js.name = o.workload
		err = js.generate(o)
	}
	if err != nil {
		return js, err
	}
	if o.jobs > 0 && len(js.list) > o.jobs {
		js.list = js.list[:o.jobs]
	}
	if len(js.list) == 0 {
		why := ""
		if lost := append(js.dropped, js.skipped...); len(lost) > 0 {
			why = " (" + strings.Join(lost, ", ") + ")"
		}
		return js, usagef("%s has no jobs%s, want at least 1", js.name, why)
	}
	return js, js.decorate(o)
}

func (js *jobs) read(o *options) error {
	r, err := workload.Open(o.trace, workload.Options{Format: o.format, Lenient: !o.strict, Columns: o.columns, Throughput: o.throughput})
	if err != nil {
		return &usageError{err}
	}
	defer r.Close()
	js.list, err = workload.ReadAll(r)
	js.dropped, js.skipped = r.Reasons(), r.Skipped()
	return err
}

func (js *jobs) generate(o *options) error {
	g, err := findGenerator(o.workload)
	if err != nil {
		return err
	}
	source, err := g.make(o.jobs, o.seed)
	if err != nil {
		return &usageError{err}
	}
	js.list, err = workload.ReadAll(source)
	return err
}

// decorate gives the jobs deadlines, if that is asked for, and a requested time, if they
// say none.
func (js *jobs) decorate(o *options) error {
	if o.deadlines != nil {
		d := *o.deadlines
		d.Seed = o.seed
		for p := range o.partitions {
			d.Partitions = append(d.Partitions, policy.PartitionID(p+1))
		}
		source, err := d.Source(workload.Of(js.list))
		if err != nil {
			return &usageError{err}
		}
		if js.list, err = workload.ReadAll(source); err != nil {
			return err
		}
	}
	source, err := workload.Request(workload.Of(js.list), requestFactor)
	if err != nil {
		return err
	}
	if js.list, err = workload.ReadAll(source); err != nil {
		return err
	}
	js.requested = source.Filled()
	return nil
}

// requestFactor is how many times its runtime a job requests that does not say.
const requestFactor = 2

// generator is a workload that can be chosen.
type generator struct {
	name, about string
	// nodes, cores and partitions describe the cluster that it is made for; 0: any.
	nodes, cores, partitions int
	make                     func(jobs int, seed uint64) (workload.Source, error)
}

var generators = []generator{
	{name: "heavytail", about: "bags of tasks with heavy-tailed widths and runtimes; 7 of 10 recur", make: func(jobs int, seed uint64) (workload.Source, error) {
		g := workload.DefaultHeavyTail()
		g.Seed, g.Jobs = seed, or(jobs, g.Jobs)
		return g.Source()
	}},
	{name: "kairos", about: "maps and reduces of Kairos' table 1, on its 30 nodes", nodes: 30, cores: 4, make: func(jobs int, seed uint64) (workload.Source, error) {
		return kairos(workload.DefaultKairos(), jobs, seed)
	}},
	{name: "kairos-60", about: "the same with 60 maps in a long job, as its text has it", nodes: 30, cores: 4, make: func(jobs int, seed uint64) (workload.Source, error) {
		k := workload.DefaultKairos()
		k.LongMaps = 60
		return kairos(k, jobs, seed)
	}},
	{name: "kairos-uniform", about: "the same with short jobs only", nodes: 30, cores: 4, make: func(jobs int, seed uint64) (workload.Source, error) {
		return kairos(workload.UniformKairos(), jobs, seed)
	}},
	{name: "e2e", about: "gangs with deadlines, 3Sigma's E2E at load 1.4 on its 256 nodes", nodes: 256, cores: 1, partitions: 4, make: func(jobs int, seed uint64) (workload.Source, error) {
		g := workload.DefaultE2E()
		g.Seed, g.Jobs = seed, or(jobs, g.Jobs)
		return g.Source()
	}},
	slearn("2strace", "after SLearn's trace of 2Sigma, for its 150 nodes", workload.TwoSigma),
	slearn("gtrace11", "after its trace of Google's of 2011", workload.Google11),
	slearn("gtrace19", "after its trace of Google's of 2019", workload.Google19),
	slearn("gtrace19-dag", "the same, as jobs of 2 to 5 stages", workload.Google19DAG),
}

func slearn(name, about string, params func() workload.SLearn) generator {
	return generator{name: name, about: about, nodes: 150, cores: params().Cores / 150, make: func(jobs int, seed uint64) (workload.Source, error) {
		g := params()
		g.Seed, g.Drawn = seed, or(jobs, g.Drawn)
		return g.Execution()
	}}
}

func kairos(k workload.Kairos, jobs int, seed uint64) (workload.Source, error) {
	k.Seed, k.Jobs = seed, or(jobs, k.Jobs)
	return k.Source()
}

// or returns what the user has asked for, or else what is usual.
func or(asked, usual int) int {
	if asked > 0 {
		return asked
	}
	return usual
}

func findGenerator(name string) (*generator, error) {
	var names []string
	for i := range generators {
		if generators[i].name == name {
			return &generators[i], nil
		}
		names = append(names, generators[i].name)
	}
	return nil, usagef("unknown workload %q, want one of %s", name, strings.Join(names, ", "))
}

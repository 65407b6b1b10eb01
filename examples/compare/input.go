package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// input is the workload and the cluster that the policies run on.
type input struct {
	name    string
	jobs    []*workload.Job
	tasks   int
	offered workload.Offered
	cluster []policy.Node
	cores   int
}

// load reads or generates the jobs and sizes the cluster.
func load(o *options) (*input, error) {
	in := &input{name: o.workload}
	var err error
	if o.trace != "" {
		in.name = filepath.Base(o.trace)
		in.jobs, err = readTrace(o)
	} else {
		in.jobs, err = generate(o)
	}
	if err != nil {
		return nil, err
	}
	if o.jobs > 0 && len(in.jobs) > o.jobs {
		in.jobs = in.jobs[:o.jobs]
	}
	if len(in.jobs) == 0 {
		return nil, usagef("%s has no jobs, want at least 1", in.name)
	}
	for _, j := range in.jobs {
		in.tasks += j.Tasks()
	}
	in.offered = workload.Measure(in.jobs)
	nodes := o.nodes
	if nodes == 0 {
		if nodes, err = in.size(o); err != nil {
			return nil, err
		}
	} else if o.stretch {
		if in.jobs, err = workload.Stretch(in.jobs, in.offered.Load(float64(nodes*o.cores))/o.load); err != nil {
			return nil, usagef("%s cannot be brought to load %v on %d nodes: %w", in.name, o.load, nodes, err)
		}
		in.offered = workload.Measure(in.jobs)
	}
	in.cores = nodes * o.cores
	in.cluster = sim.Cluster(sim.Partition{Nodes: nodes, Cores: int32(o.cores)})
	return in, nil
}

// size returns the number of nodes on which the jobs offer the load that is asked for,
// but enough for the widest gang.
func (in *input) size(o *options) (int, error) {
	cores := in.offered.Work / in.offered.Span() / o.load
	if math.IsNaN(cores) || math.IsInf(cores, 0) {
		cores = 1 // all jobs at once: no load is defined
	}
	for _, j := range in.jobs {
		for i := range j.Stages {
			stage := &j.Stages[i]
			each := max(1, o.cores/int(stage.Cores)) // tasks on a node
			nodes := math.Ceil(float64(stage.Tasks/stage.Units()) / float64(each))
			cores = max(cores, nodes*float64(o.cores))
		}
	}
	nodes := math.Ceil(cores / float64(o.cores))
	if nodes > 1<<24 {
		return 0, usagef("%s needs %g nodes of %d cores for load %v, more than 2^24; choose -nodes", in.name, nodes, o.cores, o.load)
	}
	return max(1, int(nodes)), nil
}

func readTrace(o *options) ([]*workload.Job, error) {
	r, err := workload.Open(o.trace, workload.Options{Format: o.format})
	if err != nil {
		return nil, &usageError{err}
	}
	defer r.Close()
	return workload.ReadAll(r)
}

func generate(o *options) ([]*workload.Job, error) {
	var names []string
	for _, g := range generators {
		if g.name == o.workload {
			source, err := g.make(o.jobs, o.seed)
			if err != nil {
				return nil, &usageError{err}
			}
			return workload.ReadAll(source)
		}
		names = append(names, g.name)
	}
	return nil, usagef("unknown workload %q, want one of %s", o.workload, strings.Join(names, ", "))
}

const faultsExample = "up=24h,down=10m,tasks=0.01,posts-lost=0.01,posts-late=0.05,late=1s"

// parseFaults reads what -faults says.
func parseFaults(spec string, seed uint64) (sim.Faults, error) {
	f := sim.Faults{Seed: seed}
	if spec == "" {
		return f, nil
	}
	seen := make(map[string]bool)
	for part := range strings.SplitSeq(spec, ",") {
		key, value, _ := strings.Cut(part, "=")
		if seen[key] {
			return f, usagef("-faults: %q is given twice", key)
		}
		seen[key] = true
		var err error
		switch key {
		case "up":
			f.MeanUp, err = positive(value)
		case "down":
			f.MeanDown, err = positive(value)
		case "late":
			f.MeanLate, err = positive(value)
		case "tasks":
			f.TaskFailure, err = probability(value)
		case "posts-lost":
			f.PostLoss, err = probability(value)
		case "posts-late":
			f.PostLate, err = probability(value)
		default:
			err = fmt.Errorf("unknown fault, want some of %s", faultsExample)
		}
		if err != nil {
			return f, usagef("-faults: %q: %w", part, err)
		}
	}
	if (f.MeanUp > 0) != (f.MeanDown > 0) {
		return f, usagef("-faults: %q: up and down go together, want both", spec)
	}
	if f.PostLate > 0 && f.MeanLate == 0 {
		return f, usagef("-faults: %q: posts-late without late, want both", spec)
	}
	return f, nil
}

func positive(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("want a duration above 0, such as 10m")
	}
	return d, nil
}

func probability(s string) (float64, error) {
	p, err := strconv.ParseFloat(s, 64)
	if err != nil || !(p >= 0 && p <= 1) {
		return 0, fmt.Errorf("want a probability of 0 to 1")
	}
	return p, nil
}

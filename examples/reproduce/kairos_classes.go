package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A bigTrace is one of the two traces that Kairos is compared on with Eagle, and what is
// known of it.
type bigTrace struct {
	figure, name   string
	cutoff         policy.Duration // from which mean task duration on a job is long
	share          float64         // of the nodes, that Eagle opens to long jobs
	quantum        policy.Duration
	long, work     float64 // % of jobs that are long, and of the work in them (Table 2)
	saved          float64 // % of short jobs' P99, at most
	lessAdd, added float64 // % to long jobs' P99, at least and at most
	file           string  // of the part that is in public
	dense          float64 // s, from which on that part is whole
	busy           float64 // nodes, for jobs that are generated
}

var bigTraces = []bigTrace{
	{"Fig. 8", "Google", 1_129_532e6, 0.83, 10_000e9, 10.00, 83, 55, 11, 33, "GOOG_subtrace.tr.gz", 1_470_000, 1500},
	{"Fig. 9", "Yahoo", 90_581_100e3, 0.98, 100e9, 9.41, 98, 85, 14, 50, "YH1_sub.tr.gz", 132_400, 4000},
}

// bigTraceOf returns which of the two a file is, by its name.
func bigTraceOf(file string) (*bigTrace, error) {
	name := strings.ToLower(filepath.Base(file))
	switch {
	case strings.HasPrefix(name, "goog"):
		return &bigTraces[0], nil
	case strings.HasPrefix(name, "yh"), strings.HasPrefix(name, "yahoo"):
		return &bigTraces[1], nil
	}
	return nil, fmt.Errorf("the trace is %q, want a name that begins with goog, yh or yahoo, to know its cutoff", file)
}

// read reads a trace, from where it is whole.
func (t *bigTrace) read(file string) ([]*workload.Job, error) {
	source, err := workload.Open(file, workload.Options{})
	if err != nil {
		return nil, err
	}
	defer source.Close()
	jobs, err := workload.ReadAll(source)
	if err != nil || filepath.Base(file) != t.file {
		return jobs, err
	}
	return workload.Window(jobs, policy.Time(t.dense*1e9), jobs[len(jobs)-1].Submitted+1)
}

// A byClass is what became of the short jobs and of the long ones: P50, P90 and P99 of
// completion times in s, and how much of the time of all nodes was spent, in percent.
type byClass struct {
	short, long [3]float64
	utilization float64
}

var classPercentiles = [3]struct {
	name  string
	share float64
}{{"P50", 0.5}, {"P90", 0.9}, {"P99", 0.99}}

// nodesFor returns how many nodes of one core make the jobs a load: what their tasks could do
// until the last arrival, on nodes without end, over what the nodes can do until then. Of
// tasks that run for days in a part of a trace of hours, the rest is no load there.
func nodesFor(jobs []*workload.Job, load float64) int {
	end := jobs[len(jobs)-1].Submitted
	work := 0.0
	for _, j := range jobs {
		left := end.Sub(j.Submitted)
		for _, stage := range j.Runtimes {
			for _, d := range stage {
				work += min(d, left).Seconds()
			}
		}
	}
	return int(math.Ceil(work / end.Sub(jobs[0].Submitted).Seconds() / load))
}

// run runs the jobs on so many nodes of one core, with the network of section 6.2.
func (t *bigTrace) run(ctx context.Context, jobs []*workload.Job, nodes int, under func(policy.Truth) (policy.Scheduler, error)) (b byClass, err error) {
	source, truth := workload.Split(workload.Of(jobs))
	p, err := under(truth)
	if err != nil {
		return b, err
	}
	result, err := sim.Run(ctx, sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: nodes, Cores: 1}), Jobs: source, Truth: truth, Delay: 500_000,
	}, p)
	if err != nil {
		return b, err
	}
	b.utilization = 100 * result.Busy / result.Available
	var short, long []float64
	for i := range result.Jobs {
		if j := &result.Jobs[i]; j.MeanTask < t.cutoff {
			short = append(short, j.JCT().Seconds())
		} else {
			long = append(long, j.JCT().Seconds())
		}
	}
	for i, p := range classPercentiles {
		b.short[i], b.long[i] = percentile(short, p.share), percentile(long, p.share)
	}
	return b, nil
}

// eagle makes Eagle as section 6 has it.
func (t *bigTrace) eagle(seed uint64) func(policy.Truth) (policy.Scheduler, error) {
	return func(truth policy.Truth) (policy.Scheduler, error) {
		c := baseline.DefaultEagle(rand.NewPCG(seed, 0x6561676c65), baseline.MeanRuntime(truth), t.cutoff)
		c.LongShare = t.share
		return baseline.NewEagle(c)
	}
}

// kairos makes Kairos as section 6 has it, but for the changes.
func (t *bigTrace) kairos(changes ...func(*kairos.Config)) func(policy.Truth) (policy.Scheduler, error) {
	return func(policy.Truth) (policy.Scheduler, error) {
		c := kairos.DefaultConfig()
		c.Central.Queue, c.Node.Quantum, c.Node.Counter = 2, t.quantum, 3
		for _, change := range changes {
			change(&c)
		}
		return kairos.NewScheduler(c)
	}
}

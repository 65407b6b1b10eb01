package main

import (
	"context"
	"math/rand/v2"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"gonum.org/v1/gonum/stat"
)

// A testbed is the cluster of 30 nodes with 4 cores, and the hundred jobs of a seed. How long
// their tasks are is not published: [workload.Kairos] says how it splits the time that a job
// takes alone, and kairosSplits tries other ways.
type testbed struct {
	*kairosJobs
	seed uint64
	jobs []*workload.Job
}

// beds draws the jobs of so many seeds.
func (w *kairosJobs) beds(seeds int) (beds []*testbed, err error) {
	for i := range seeds {
		b := &testbed{kairosJobs: w, seed: uint64(i + 1)}
		k := w.params()
		k.Seed = b.seed
		source, err := k.Source()
		if err != nil {
			return nil, err
		}
		if b.jobs, err = workload.ReadAll(source); err != nil {
			return nil, err
		}
		beds = append(beds, b)
	}
	return beds, nil
}

// A completed is what became of the jobs of a testbed: completion times in s, and over the
// time that Table 1 has for the job alone.
type completed struct{ times, slowdowns []float64 }

// A bedPolicy is a policy for a testbed whose nodes have so many cores, 4 in the paper.
type bedPolicy struct {
	name  string
	cores int32
	make  func(b *testbed) (policy.Scheduler, error)
}

// run runs the jobs of each testbed under a policy. The network takes no time.
func (p bedPolicy) run(ctx context.Context, beds []*testbed) ([]completed, error) {
	return inEach(ctx, beds, func(b *testbed) (c completed, err error) {
		jobs, truth := workload.Split(workload.Of(b.jobs))
		s, err := p.make(b)
		if err != nil {
			return c, err
		}
		result, err := sim.Run(ctx, sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 30, Cores: p.cores}), Jobs: jobs, Truth: truth,
		}, s)
		if err != nil {
			return c, err
		}
		for i := range result.Jobs {
			took := result.Jobs[i].JCT().Seconds()
			c.times = append(c.times, took)
			c.slowdowns = append(c.slowdowns, took/tableOne[category(&b.jobs[i].Job)].alone)
		}
		return c, nil
	})
}

// tableOne has the rows of Table 1, and how long a job of each takes alone, in s.
var tableOne = []struct {
	program string
	alone   float64
}{{"small", 85}, {"medium small", 201}, {"medium", 239}, {"medium long", 308}, {"long", 1175}}

// category returns which row of Table 1 a job is of, from 0.
func category(j *policy.Job) int {
	program, _ := j.Attr("program")
	for i := range tableOne {
		if tableOne[i].program == program {
			return i
		}
	}
	return len(tableOne) - 1
}

var fifoOnBed = bedPolicy{"FIFO", 4, func(*testbed) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }}

// bigCOnBed tells short jobs from long ones by their category, as the paper does.
var bigCOnBed = bedPolicy{"Big-C", 4, func(b *testbed) (policy.Scheduler, error) {
	c := baseline.DefaultBigC(func(j *policy.Job) (policy.Duration, bool) {
		return policy.Duration(category(j)), true
	}, policy.Duration(b.longFrom))
	c.ShortShare = b.share
	return baseline.NewBigC(c)
}}

// kairosOnBed is Kairos with the parameters of section 5.2, but for the changes.
func kairosOnBed(name string, changes ...func(*kairos.Config)) bedPolicy {
	return bedPolicy{name, 4, func(b *testbed) (policy.Scheduler, error) {
		c := kairos.DefaultConfig()
		c.Central.Src = rand.NewPCG(b.seed, 0x6b6169726f73)
		for _, change := range changes {
			change(&c)
		}
		return kairos.NewScheduler(c)
	}}
}

// asInItsCode changes the rules of the paper's text to those of the authors' code, which the
// testbed ran: a task starves by how often it is preempted, and a turn ends only if another
// task is behind by half a quantum.
func asInItsCode(c *kairos.Config) {
	c.Node.Starvation, c.Node.Lead = kairos.Preempted, c.Node.Quantum/2
}

// A figure is a number that is told of each run.
type figure struct {
	name string
	of   func(c completed) float64
}

var (
	jctMean  = figure{"mean JCT, s", func(c completed) float64 { return stat.Mean(c.times, nil) }}
	jctP50   = figure{"JCT P50, s", func(c completed) float64 { return percentile(c.times, 0.5) }}
	jctP90   = figure{"JCT P90, s", func(c completed) float64 { return percentile(c.times, 0.9) }}
	jctP99   = figure{"JCT P99, s", func(c completed) float64 { return percentile(c.times, 0.99) }}
	jctWorst = figure{"largest JCT, s", func(c completed) float64 { return slices.Max(c.times) }}
	slowP50  = figure{"slowdown P50", func(c completed) float64 { return percentile(c.slowdowns, 0.5) }}
	slowP90  = figure{"slowdown P90", func(c completed) float64 { return percentile(c.slowdowns, 0.9) }}
	slowP99  = figure{"slowdown P99", func(c completed) float64 { return percentile(c.slowdowns, 0.99) }}
	slowest  = figure{"largest slowdown", func(c completed) float64 { return slices.Max(c.slowdowns) }}
)

// below returns by how many percent a figure is below that of other runs on the same
// testbeds.
func (f figure) below(ours, theirs []completed) (percent []float64) {
	for i := range ours {
		percent = append(percent, 100*(1-f.of(ours[i])/f.of(theirs[i])))
	}
	return percent
}

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

var largest = flag.Int("growth", 0, "the size up to which BenchmarkGrowth goes")

// growthSpecs are specs of parts that no policy by name has.
var growthSpecs = []string{
	"fewest", "sjf/truth", "sjf/point", "sjf/requested", "sjf/last-two", "sjf/hybrid", "sjf/pilots", "sjf/chooser", "sjf/nothing", "sjf/beliefs",
	"index/none", "index/history", "index/point", "index/pilots", "index/hybrid", "index/chooser", "index/requested", "index/last-two", "index/truth", "index/nothing",
	"fifo-slack", "index-easy", "index-conservative", "index-sjbf", "las-easy", "fair-easy", "fewest-conservative",
	"fair+simple", "fair+late", "fair+mantri", "fair+gs", "fair+ras", "fair+grass.after-own", "fair+grass.after-all", "las+grass", "random+grass", "gs+grass", "wing-prio+grass", "index+grass.reserved",
	"fifo:preferred", "fifo:least-loaded", "fifo:least-variance", "fifo:best-fit", "fifo:least-fragmentation", "fifo:fastest", "fifo:locality",
	"fair@kairos", "index@kairos", "fair+grass@kairos", "hopper@adaptive", "random@adaptive", "gs@kairos", "drf@kairos",
	"3sigma/beliefs", "hopper+mantri",
}

// growthShapes make jobs and nodes of size n.
var growthShapes = []struct {
	name string
	of   func(n int) ([]*workload.Job, []policy.Node)
}{
	{"wide", oneJob(4, 4, func(i, n int) []policy.Dep { return nil })},
	{"chain", oneJob(4, 4, func(i, n int) []policy.Dep { return reads(i > 0, i-1) })},
	{"chainback", oneJob(4, 4, func(i, n int) []policy.Dep { return reads(i < n-1, i+1) })},
	{"wideback", oneJob(4, 4, func(i, n int) []policy.Dep { return reads(i == 0, n-1) })},
	{"fanin", oneJob(4, 4, func(i, n int) (all []policy.Dep) {
		for k := range i * (i / (n - 1)) {
			all = append(all, policy.Dep{Stage: uint32(k)})
		}
		return all
	})},
	{"fanout", oneJob(4, 4, func(i, n int) []policy.Dep { return reads(i > 0, 0) })},
	{"twochains2", oneJob(2, 1, func(i, n int) []policy.Dep { return reads(i != 0 && i != n/2, i-1) })},
	{"bundles", oneJob(4, 4, func(i, n int) []policy.Dep { return reads(i%50 != 0, i-1) })},
	{"nodes", func(n int) ([]*workload.Job, []policy.Node) {
		return []*workload.Job{jobtest.Bag(1, 0, slices.Repeat([]policy.Duration{time.Second}, 4*n)...)}, growthNodes(n, 4)
	}},
	{"burst", func(n int) (jobs []*workload.Job, _ []policy.Node) {
		for i := range n {
			j := jobtest.Bag(policy.JobID(i+1), 0, time.Second)
			j.Stages[0].Cores, j.Requested = 2, time.Second
			jobs = append(jobs, j)
		}
		return jobs, growthNodes(n/4, 4)
	}},
	{"straggling", func(n int) ([]*workload.Job, []policy.Node) { // of n tasks that run half are to be copied at one instant
		runs := slices.Repeat([]policy.Duration{10 * time.Second, 1000 * time.Second}, n/2)
		j := jobtest.Bag(1, 0, runs...)
		j.Luck = &workload.Luck{Ratios: []float64{1}, Base: []policy.Duration{10 * time.Second}}
		return []*workload.Job{j}, growthNodes(n, 2)
	}},
	{"jobsrand", func(n int) (jobs []*workload.Job, _ []policy.Node) {
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range n {
			run := policy.Duration(1+rng.IntN(1000)) * time.Second
			j := jobtest.Bag(policy.JobID(i+1), 0, slices.Repeat([]policy.Duration{run}, 1+rng.IntN(3))...)
			j.Stages[0].Cores = int32(1 + rng.IntN(4))
			j.Requested = policy.Duration(1+rng.IntN(5000)) * time.Second
			j.Attrs = []policy.Attr{{Name: "user", Value: fmt.Sprint("u", rng.IntN(n))}}
			jobs = append(jobs, j)
		}
		return jobs, growthNodes(4, 4)
	}},
}

// oneJob makes a job of n stages of one task.
func oneJob(nodes int, cores int32, reads func(i, n int) []policy.Dep) func(n int) ([]*workload.Job, []policy.Node) {
	return func(n int) ([]*workload.Job, []policy.Node) {
		j := &workload.Job{Job: policy.Job{ID: 1, Requested: policy.Duration(n) * time.Second}}
		for i := range n {
			j.Stages = append(j.Stages, policy.Stage{Tasks: 1, Cores: 1, Reads: reads(i, n)})
			j.Runtimes = append(j.Runtimes, []policy.Duration{time.Second})
		}
		return []*workload.Job{j}, growthNodes(nodes, cores)
	}
}

func reads(some bool, stage int) []policy.Dep {
	if !some {
		return nil
	}
	return []policy.Dep{{Stage: uint32(stage)}}
}

func growthNodes(n int, cores int32) []policy.Node {
	return sim.Cluster(sim.Partition{Nodes: n, Cores: cores, Speed: 1})
}

// An event costs what has changed, and not what the job or the cluster is: twice the stages take twice the time.
//
//	go test ./examples/compare -run '^$' -bench 'Growth/^hopper$/wide' -benchtime 1x -growth 20000
//
// steps-s is the time in the policy. p99.9-ms and most-ms are of a step, for any event but Submitted, which may look at
// all stages. A policy that needs more than a minute for a size is not tried with larger ones.
func BenchmarkGrowth(b *testing.B) {
	if *largest == 0 {
		b.Skip("it takes an hour: .ci/nightly runs it")
	}
	tried := contenders()
	for _, name := range growthSpecs {
		c, err := find(name)
		if err != nil {
			b.Fatal(err)
		}
		tried = append(tried, c)
	}
	for _, c := range tried {
		b.Run(c.Name, func(b *testing.B) {
			for _, shape := range growthShapes {
				if isNotFor(shape.name, c.Name) {
					continue
				}
				b.Run(shape.name, func(b *testing.B) {
					for n, over := *largest/4, false; n <= *largest && !over; n *= 2 {
						b.Run(fmt.Sprint("n=", n), func(b *testing.B) {
							jobs, nodes := shape.of(n)
							over = growth(b, &c, jobs, nodes)
						})
					}
				})
			}
		})
	}
}

// isNotFor reports whether a policy refuses the tasks of a shape, which have several cores, or plans for all jobs in each of its
// cycles, so that twice the jobs take four times the time.
func isNotFor(shape, policy string) bool {
	refuses := strings.Contains(policy, "kairos") || strings.Contains(policy, "adaptive")
	plans := strings.HasPrefix(policy, "3s") || strings.HasPrefix(policy, "point-")
	return shape == "burst" && refuses || shape == "jobsrand" && (refuses || plans)
}

// growth measures a policy, and reports whether it took more than a minute.
func growth(b *testing.B, c *contender, jobs []*workload.Job, nodes []policy.Node) (over bool) {
	var steps []time.Duration
	var err error
	for b.Loop() {
		steps, err = grown(b, c, jobs, nodes, steps[:0])
	}
	if errors.Is(err, context.DeadlineExceeded) {
		b.Log("more than a minute")
		return true
	}
	if err != nil {
		b.Error(err)
		return false
	}
	slices.Sort(steps)
	sum := time.Duration(0)
	for _, d := range steps {
		sum += d
	}
	b.ReportMetric(sum.Seconds(), "steps-s")
	b.ReportMetric(1e3*steps[len(steps)*999/1000].Seconds(), "p99.9-ms")
	b.ReportMetric(1e3*steps[len(steps)-1].Seconds(), "most-ms")
	return false
}

// grown runs a policy once, and returns how long its steps took.
func grown(b *testing.B, c *contender, jobs []*workload.Job, nodes []policy.Node, steps []time.Duration) ([]time.Duration, error) {
	list, truth := workload.SplitSource(workload.Of(jobs))
	p, err := c.scheduler(settingOf(b, c, truth))
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(b.Context(), time.Minute)
	defer stop()
	result, err := sim.Run(ctx, sim.Config{Nodes: nodes, Jobs: list, Truth: truth}, timed(p, &steps))
	if err != nil {
		return nil, err
	}
	for _, j := range result.Jobs {
		if j.Outcome != policy.Done {
			return nil, fmt.Errorf("job %d is %v, want Done", j.ID, j.Outcome)
		}
	}
	return steps, nil
}

// timed returns a policy that notes how long its steps take.
func timed(p policy.Scheduler, steps *[]time.Duration) policy.Scheduler {
	t := timedSteps{p, steps}
	if d, ok := p.(policy.Distributed); ok {
		return timedParts{t, d}
	}
	return t
}

type timedSteps struct {
	policy.Scheduler
	steps *[]time.Duration
}

func (t timedSteps) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	begin := time.Now()
	actions, err := t.Scheduler.Step(ev, actions)
	if ev.Kind != policy.Submitted {
		*t.steps = append(*t.steps, time.Since(begin))
	}
	return actions, err
}

type timedParts struct {
	timedSteps
	whole policy.Distributed
}

func (t timedParts) Part(n *policy.Node) policy.Scheduler { return timed(t.whole.Part(n), t.steps) }

package kairos_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/metrics"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

var full = flag.Bool("full", false, "run BenchmarkTrace with as many nodes and jobs as the paper")

const (
	shortRuntime = 100.0 // s
	longRuntime  = shortRuntime * 0.9 / 0.1 * 0.83 / 0.17
	meanRuntime  = 0.9*shortRuntime + 0.1*longRuntime
)

// trace makes jobs one by one as they are asked for: 1 to 59 tasks of one core, of a job
// whose tasks are short with nine chances in ten, around 100 s. Long ones are longer by so much
// that they have 83 % of the work, as in Google's trace (Table 2). Runtimes are lognormal,
// arrivals are a Poisson process that loads the cores by nine tenths.
func trace(cores, jobs int) workload.Source {
	return func(yield func(*workload.Job, error) bool) {
		rng := rand.New(rand.NewPCG(3, 6))
		now := 0.0
		for id := range policy.JobID(jobs) {
			now += rng.ExpFloat64() * 30 * meanRuntime / (0.9 * float64(cores))
			mean := shortRuntime
			if rng.Float64() < 0.1 {
				mean = longRuntime
			}
			runtimes := make([]policy.Duration, 1+rng.IntN(59))
			for i := range runtimes {
				runtimes[i] = policy.Duration(1e9 * mean * math.Exp(rng.NormFloat64()-0.5))
			}
			j := &workload.Job{
				Job: policy.Job{
					ID: id + 1, Submitted: policy.Time(now * 1e9),
					Stages: []policy.Stage{{Tasks: uint32(len(runtimes)), Cores: 1}},
				},
				Runtimes: [][]policy.Duration{runtimes},
			}
			if !yield(j, nil) {
				return
			}
		}
	}
}

// faulty loses one heartbeat in a hundred, delays five, and takes a hundred nodes away, or a
// quarter of them if that is less, one by one, for ten minutes each.
func faulty(nodes int) sim.Faults {
	f := sim.Faults{Seed: 5, PostLoss: 0.01, PostLate: 0.05, MeanLate: 10e9}
	for i := range min(100, nodes/4) {
		f.Outages = append(f.Outages, sim.Outage{
			Node: policy.NodeID(1 + 4*i), At: policy.Time(1000+50*i) * 1e9, For: 600e9,
		})
	}
	return f
}

// BenchmarkTrace is the simulator with its checker under Kairos as in section 6.2: nodes of one
// core with Q = 2 and a delay of 0.5 ms. W is 100 s, which the paper has for Yahoo's trace. It
// counts events and tasks per second, and the memory that the process has taken in all. With
// -full there are 23,000 nodes and 500,000 jobs, as in Google's trace: 15 million tasks and 77
// million events, or 2 minutes of a processor of 2.5 GHz, and 140 MiB. Five events are the
// least that a task has; others are suspensions, timers and heartbeats of nodes with several
// tasks.
func BenchmarkTrace(b *testing.B) {
	nodes, jobs := 1150, 25_000
	if *full {
		nodes, jobs = 23_000, 500_000
	}
	for _, faults := range []bool{false, true} {
		b.Run(fmt.Sprintf("nodes=%d/jobs=%d/faults=%v", nodes, jobs, faults), func(b *testing.B) {
			b.ReportAllocs()
			events, tasks, memory := int64(0), 0, uint64(0)
			for b.Loop() {
				visible, truth := workload.SplitSource(trace(nodes, jobs))
				c := sim.Config{
					Nodes: sim.Cluster(sim.Partition{Nodes: nodes, Cores: 1}),
					Jobs:  visible, Truth: truth, Delay: 500e3,
				}
				if faults {
					c.Faults = faulty(nodes)
				}
				done := 0
				c.Ended = func(r *sim.JobRecord) {
					if r.Done() {
						done++
					}
					tasks += r.Tasks
				}
				c.Progress = func(int, int64) { memory = max(memory, processMemory()) }
				config := kairos.DefaultConfig()
				config.Node.Quantum, config.Central.Queue = 100e9, 2
				scheduler, err := kairos.NewScheduler(config)
				if err != nil {
					b.Fatal(err)
				}
				r, err := sim.Run(context.Background(), c, scheduler)
				if err != nil {
					b.Fatal(err)
				}
				if done != jobs {
					b.Fatalf("%d of %d jobs are done", done, jobs)
				}
				events += r.Events
			}
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(tasks)/b.Elapsed().Seconds(), "tasks/s")
			b.ReportMetric(float64(memory)/(1<<20), "MiB")
		})
	}
}

// processMemory returns how many bytes the process has from its system.
func processMemory() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

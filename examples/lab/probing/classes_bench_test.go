package probing

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// twoClasses makes jobs of about 30 tasks, of which each tenth is long, so that they load
// so many cores by nine tenths. Long tasks take 500 s on average, short ones 20 s.
func twoClasses(cores, tasks int) workload.Source {
	return func(yield func(*workload.Job, error) bool) {
		rng := rand.New(rand.NewPCG(1, 2))
		gap := 30 * (0.9*20 + 0.1*500) / (0.9 * float64(cores)) // s
		now, id := 0.0, policy.JobID(0)
		for left := tasks; left > 0; {
			now += rng.ExpFloat64() * gap
			id++
			runtimes := make([]policy.Duration, min(1+rng.IntN(59), left))
			left -= len(runtimes)
			mean := 20e9
			if rng.IntN(10) == 0 {
				mean = 500e9
			}
			for i := range runtimes {
				runtimes[i] = policy.Duration(mean * (0.5 + rng.Float64()))
			}
			j := &workload.Job{
				Job:      policy.Job{ID: id, Submitted: policy.Time(now * 1e9), Stages: []policy.Stage{{Tasks: uint32(len(runtimes)), Cores: 1}}},
				Runtimes: [][]policy.Duration{runtimes},
			}
			if !yield(j, nil) {
				return
			}
		}
	}
}

// BenchmarkClasses is the simulator with its checker under the policies that tell short jobs
// from long ones, and Sparrow, on
// nodes of one core at load 0.9: events told to the policy and its parts per second.
func BenchmarkClasses(b *testing.B) {
	for _, contender := range []struct {
		name string
		new  func(policy.Truth) (policy.Scheduler, error)
	}{
		{"Sparrow", new(classes).sparrow},
		{"Hawk", (&classes{cutoff: 100 * time.Second, share: 0.75}).hawk},
		{"Eagle", (&classes{cutoff: 100 * time.Second, share: 0.75}).eagle},
		{"BigC", (&classes{cutoff: 100 * time.Second}).bigC},
	} {
		for _, nodes := range []int{1000, 10_000} {
			tasks := 30 * nodes
			b.Run(fmt.Sprintf("%s/nodes=%d/tasks=%d", contender.name, nodes, tasks), func(b *testing.B) {
				b.ReportAllocs()
				events := int64(0)
				for b.Loop() {
					jobs, truth := workload.SplitSource(twoClasses(nodes, tasks))
					p, err := contender.new(truth)
					if err != nil {
						b.Fatal(err)
					}
					r, err := sim.Run(b.Context(), sim.Config{
						Nodes: sim.Cluster(sim.Partition{Nodes: nodes, Cores: 1}), Jobs: jobs, Truth: truth,
						Delay: time.Millisecond / 2, Ended: func(*sim.JobRecord) {},
					}, p)
					if err != nil {
						b.Fatal(err)
					}
					events += r.Events
				}
				b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
				b.ReportMetric(float64(events)/float64(b.N)/float64(tasks), "events/task")
			})
		}
	}
}

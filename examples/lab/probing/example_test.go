package probing_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"time"

	"example.com/augur/examples/lab/probing"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// bag makes a job of one-core tasks, each of which runs for as long as the job's user requests.
func bag(id policy.JobID, submitted policy.Time, tasks uint32, requested time.Duration) *workload.Job {
	runtimes := make([]policy.Duration, tasks)
	for i := range runtimes {
		runtimes[i] = requested
	}
	return &workload.Job{
		Job: policy.Job{
			ID: id, Submitted: submitted, Requested: requested,
			Stages: []policy.Stage{{Tasks: tasks, Cores: 1}},
		},
		Runtimes: [][]policy.Duration{runtimes},
	}
}

// A long job could fill all four nodes for hours, and a short one comes ten minutes later. Under Sparrow it
// waits behind the long one. Hawk and Eagle leave it two nodes, so that the long job's tasks run one after the
// other on the rest. BigC suspends two of the long job's tasks for a minute.
func Example() {
	estimate := func(j *policy.Job) (policy.Duration, bool) { return j.Requested, true }
	config := probing.Config{Src: rand.NewPCG(1, 2), Estimate: estimate, Cutoff: time.Hour, LongShare: 0.5}
	run := func(name string, p policy.Scheduler, err error) {
		if err != nil {
			log.Fatal(err)
		}
		jobs, truth := workload.Split([]*workload.Job{bag(1, 0, 4, 2*time.Hour), bag(2, policy.Time(10*time.Minute), 2, time.Minute)})
		nodes := sim.Cluster(sim.Partition{Nodes: 4, Cores: 1})
		r, err := sim.Run(context.Background(), sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, p)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %v and %v\n", name, r.Jobs[0].JCT(), r.Jobs[1].JCT())
	}
	sparrow, err := probing.NewSparrow(config)
	run("Sparrow", sparrow, err)
	hawk, err := probing.NewHawk(config)
	run("Hawk", hawk, err)
	eagle, err := probing.NewEagle(config)
	run("Eagle", eagle, err)
	bigC, err := probing.NewBigC(probing.BigCConfig{Estimate: estimate, Cutoff: time.Hour})
	run("BigC", bigC, err)
	// Output:
	// Sparrow: 2h0m0s and 1h51m0s
	// Hawk: 4h0m0s and 1m0s
	// Eagle: 4h0m0s and 1m0s
	// BigC: 2h1m0s and 1m0s
}

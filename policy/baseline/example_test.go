package baseline_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A long job comes just before a short one, and there are two cores.
func Example() {
	jobs := func() (*workload.Jobs, *workload.Truth) {
		bag := func(id policy.JobID, each time.Duration) *workload.Job {
			return &workload.Job{
				Job:      policy.Job{ID: id, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}},
				Runtimes: [][]policy.Duration{{each, each, each, each}},
			}
		}
		return workload.Split(workload.Of([]*workload.Job{bag(1, 10*time.Second), bag(2, time.Second)}))
	}
	run := func(name string, jobs *workload.Jobs, truth *workload.Truth, p policy.Scheduler) {
		r, err := sim.Run(context.Background(), sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}), Jobs: jobs, Truth: truth,
		}, p)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %v and %v\n", name, r.Jobs[0].JCT(), r.Jobs[1].JCT())
	}

	js, truth := jobs()
	run("FIFO", js, truth, baseline.NewFIFO())

	js, truth = jobs()
	run("Fair", js, truth, baseline.NewFair())

	js, truth = jobs()
	srpt, err := baseline.NewSRPT(truth)
	if err != nil {
		log.Fatal(err)
	}
	run("SRPT", js, truth, srpt)
	// Output:
	// FIFO: 20s and 22s
	// Fair: 24s and 4s
	// SRPT: 22s and 2s
}

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

// Four cores run a job that its user says takes an hour, on three of them. The next job
// wants all four and has to wait; the two after it want one, for half an hour and for two.
func ExampleEASY() {
	job := func(id policy.JobID, tasks uint32, requested time.Duration) *workload.Job {
		runtimes := make([]policy.Duration, tasks)
		for i := range runtimes {
			runtimes[i] = requested
		}
		return &workload.Job{
			Job: policy.Job{
				ID: id, Submitted: policy.Time(id), Requested: requested,
				Stages: []policy.Stage{{Tasks: tasks, Cores: 1, Gang: true}},
			},
			Runtimes: [][]policy.Duration{runtimes},
		}
	}
	jobs, truth := workload.Split(workload.Of([]*workload.Job{
		job(1, 3, time.Hour), job(2, 4, time.Hour), job(3, 1, 2*time.Hour), job(4, 1, 30*time.Minute),
	}))
	r, err := sim.Run(context.Background(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 4, Cores: 1}), Jobs: jobs, Truth: truth,
	}, baseline.NewEASY())
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range r.Jobs {
		start := j.FirstStart.Sub(0).Round(time.Second)
		fmt.Printf("job %d starts after %v\n", j.ID, start)
	}
	// Output:
	// job 1 starts after 0s
	// job 2 starts after 1h0m0s
	// job 3 starts after 2h0m0s
	// job 4 starts after 0s
}

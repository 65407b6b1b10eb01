package sim_test

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

// One of two nodes is lost while a job runs, and comes back.
func Example() {
	job := &workload.Job{
		Job:      policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 3, Cores: 1}}},
		Runtimes: [][]policy.Duration{{10 * time.Second, 10 * time.Second, 10 * time.Second}},
	}
	jobs, truth := workload.Split([]*workload.Job{job})
	result, err := sim.Run(context.Background(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 1}),
		Jobs:  jobs,
		Truth: truth,
		Faults: sim.Faults{Outages: []sim.Outage{
			{Node: 2, At: policy.Time(5 * time.Second), For: 10 * time.Second},
		}},
	}, baseline.NewFIFO())
	if err != nil {
		log.Fatal(err)
	}
	j, m := result.Jobs[0], result.Metrics()
	fmt.Printf("%v after %v, with %d copies; %v core-seconds were lost\n", j.Outcome, j.JCT(), j.Copies, j.Wasted)
	fmt.Printf("goodput %.2f of what was there\n", m.Goodput)
	// Output:
	// Done after 25s, with 4 copies; 5 core-seconds were lost
	// goodput 0.75 of what was there
}

package sim_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A run is recorded, and its record tells a new policy the same events: it gives the same
// answers.
func ExampleReplay() {
	job := &workload.Job{
		Job:      policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}},
		Runtimes: [][]policy.Duration{{time.Second, time.Second}},
	}
	var record bytes.Buffer
	jobs, truth := workload.Split([]*workload.Job{job})
	if _, err := sim.Run(context.Background(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: jobs, Truth: truth, Record: &record,
	}, baseline.NewFIFO()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(sim.Replay(&record, func() (policy.Scheduler, error) { return baseline.NewFIFO(), nil }))
	// Output: 8 <nil>
}

package preempt_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/gittins"
	"example.com/augur/policy/preempt"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// job makes a job of one task, which can be saved and goes on after 10 s.
func job(id policy.JobID, at, runtime time.Duration) *workload.Job {
	return &workload.Job{
		Job:      policy.Job{ID: id, Submitted: policy.Time(at), Stages: []policy.Stage{{Tasks: 1, Cores: 1, Saves: true, Reload: 10 * time.Second}}},
		Runtimes: [][]policy.Duration{{runtime}},
	}
}

// On one core a job of ten seconds comes soon after a long one has begun. It waits until that has worked for ten times its
// reload, and then the long job is saved. It goes on when the short one has finished, and ends 20 s later than alone: it has
// waited for 10 s and reloaded for 10 s.
func Example() {
	turn, err := gittins.NewTurn(gittins.Config{})
	if err != nil {
		log.Fatal(err)
	}
	fill, err := preempt.NewFiller(preempt.Config{})
	if err != nil {
		log.Fatal(err)
	}
	jobs, truth := workload.Split([]*workload.Job{job(1, 0, 1000*time.Second), job(2, 5*time.Second, 10*time.Second)})
	known, err := forecast.Truth(truth)
	if err != nil {
		log.Fatal(err)
	}
	scheduler, err := central.New(central.Config{Turn: turn, Forecast: known, Fill: fill})
	if err != nil {
		log.Fatal(err)
	}
	result, err := sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: jobs, Truth: truth}, scheduler)
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range result.Jobs {
		fmt.Printf("job %d: %d stops, ended at %v s\n", j.ID, j.Stops, j.Ended.Seconds())
	}
	// Output:
	// job 1: 1 stops, ended at 1020 s
	// job 2: 0 stops, ended at 110 s
}

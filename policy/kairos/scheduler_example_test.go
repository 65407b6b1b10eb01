package kairos_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// An experiment: two nodes of one core, which a long job keeps busy when two short ones come. First
// come, first served lets them wait for it, and Kairos, which knows no more of them, does not.
func ExampleNewScheduler() {
	bag := func(id policy.JobID, submitted policy.Time, runtimes ...policy.Duration) *workload.Job {
		return &workload.Job{
			Job:      policy.Job{ID: id, Submitted: submitted, Stages: []policy.Stage{{Tasks: uint32(len(runtimes)), Cores: 1}}},
			Runtimes: [][]policy.Duration{runtimes},
		}
	}
	list := []*workload.Job{
		bag(1, at(0), 400*time.Second, 600*time.Second),
		bag(2, at(100), 20*time.Second, 30*time.Second),
		bag(3, at(200), 80*time.Second),
	}

	config := kairos.Config{}
	config.Node.Quantum, config.Queue = 100*time.Second, 2
	scheduler, err := kairos.NewScheduler(config)
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range []struct {
		name string
		policy.Scheduler
	}{{"first come, first served", baseline.NewFIFO()}, {"Kairos", scheduler}} {
		jobs, truth := workload.Split(list)
		result, err := sim.Run(context.Background(), sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 1}), Jobs: jobs, Truth: truth,
		}, p.Scheduler)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s:", p.name)
		for _, j := range result.Jobs {
			fmt.Printf(" job %d took %v", j.ID, j.JCT())
		}
		fmt.Println()
	}
	// Output:
	// first come, first served: job 1 took 10m0s job 2 took 5m50s job 3 took 5m30s
	// Kairos: job 1 took 11m50s job 2 took 30s job 3 took 1m20s
}

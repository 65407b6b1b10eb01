package hopper_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Two jobs on 8 slots. A task of each straggles, and a copy of it runs for 2 s.
func ExampleScheduler() {
	const s = time.Second
	luck := &workload.Luck{Ratios: []float64{1}, Base: []policy.Duration{2 * s}}
	jobs, truth := workload.Split([]*workload.Job{
		{
			Job:      policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}},
			Runtimes: [][]policy.Duration{{2 * s, 20 * s, 2 * s, 2 * s}}, Luck: luck,
		},
		{
			Job:      policy.Job{ID: 2, Stages: []policy.Stage{{Tasks: 10, Cores: 1}}},
			Runtimes: [][]policy.Duration{{2 * s, 2 * s, 2 * s, 2 * s, 2 * s, 30 * s, 2 * s, 2 * s, 2 * s, 2 * s}}, Luck: luck,
		},
	})
	var config hopper.Config
	config.Period = s
	p, err := hopper.NewScheduler(config)
	if err != nil {
		log.Fatal(err)
	}
	result, err := sim.Run(context.Background(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 8, Cores: 1}), Jobs: jobs, Truth: truth,
	}, p)
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range result.Jobs {
		fmt.Printf("job %d is done after %v, with %d copies of %d tasks\n", j.ID, j.JCT(), j.Copies, j.Tasks)
	}
	// Output:
	// job 1 is done after 4s, with 5 copies of 4 tasks
	// job 2 is done after 6s, with 11 copies of 10 tasks
}

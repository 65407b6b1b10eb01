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

// Three jobs come at once to a single core. The one with the greatest priority goes first,
// and of the two that have deadlines one is late.
func ExampleJobRecord_MetDeadline() {
	job := func(id policy.JobID, priority float64, deadline *policy.SLO) *workload.Job {
		return &workload.Job{
			Job:      policy.Job{ID: id, Priority: priority, SLO: deadline, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}},
			Runtimes: [][]policy.Duration{{10 * time.Second}},
		}
	}
	within := func(d policy.Duration) *policy.SLO {
		return &policy.SLO{Deadline: policy.Time(0).Add(d), Utility: 1}
	}
	jobs, truth := workload.Split([]*workload.Job{
		job(1, 0, within(20*time.Second)), job(2, 3, nil), job(3, 2, within(20*time.Second)),
	})
	result, err := sim.Run(context.Background(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}),
		Jobs:  jobs,
		Truth: truth,
	}, baseline.NewPriority())
	if err != nil {
		log.Fatal(err)
	}
	for i := range result.Jobs {
		if j := &result.Jobs[i]; j.SLO != nil {
			fmt.Printf("job %d after %v, in time: %v\n", j.ID, j.JCT(), j.MetDeadline())
		}
	}
	m := result.Metrics()
	fmt.Printf("%.0f %% of the deadlines were missed; the others are worth %v\n", m.MissRate*100, m.Value)
	// Output:
	// job 1 after 30s, in time: false
	// job 3 after 20s, in time: true
	// 50 % of the deadlines were missed; the others are worth 1
}

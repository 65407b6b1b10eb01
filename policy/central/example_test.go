package central_test

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// newest is an order of one's own: who came last goes first.
func newest(a, b *policy.Job) int { return cmp.Compare(b.Submitted, a.Submitted) }

// must is for a program that can do nothing about an error.
func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

// An order of one's own, with the copies of another's system, in three lines. A task of the first job straggles,
// and a copy of it runs for 2 s.
func ExampleNew() {
	grass := must(hopper.NewGRASS(hopper.GRASSConfig{}))
	copies := must(hopper.NewSpeculation(hopper.SpeculationConfig{Rule: grass, Period: time.Second}))
	s := must(central.New(central.Config{Turn: baseline.Ordered(newest), Copy: copies}))

	jobs, truth := workload.Split([]*workload.Job{
		{
			Job:      policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}},
			Runtimes: [][]policy.Duration{{2e9, 30e9, 2e9, 2e9}},
			Luck:     &workload.Luck{Ratios: []float64{1}, Base: []policy.Duration{2e9}},
		},
		{
			Job:      policy.Job{ID: 2, Submitted: 1e9, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}},
			Runtimes: [][]policy.Duration{{1e9, 1e9}},
		},
	})
	result := must(sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 1}), Jobs: jobs, Truth: truth}, s))
	for _, j := range result.Jobs {
		fmt.Printf("job %d is done after %v, with %d copies of %d tasks\n", j.ID, j.JCT(), j.Copies, j.Tasks)
	}
	// Output:
	// job 1 is done after 8s, with 5 copies of 4 tasks
	// job 2 is done after 3s, with 2 copies of 2 tasks
}

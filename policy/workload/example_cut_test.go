package workload_test

import (
	"context"
	"fmt"
	"log"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A log of one's own in ten windows, each at load 0.9: how SRPT does beside FIFO, with an interval.
func ExampleWindows() {
	generator := workload.DefaultHeavyTail()
	generator.Jobs = 3000
	source, err := generator.Source() // in place of a log
	if err != nil {
		log.Fatal(err)
	}
	jobs, err := workload.ReadAll(source)
	if err != nil {
		log.Fatal(err)
	}
	windows, err := workload.Windows(jobs, 10)
	if err != nil {
		log.Fatal(err)
	}
	sweep := sim.Sweep{
		Seeds: []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
		Setup: func(window uint64) (sim.Config, error) {
			list, err := workload.ToLoad(windows[window].Jobs, 16, 0.9)
			if err != nil {
				return sim.Config{}, err
			}
			jobs, truth := workload.Split(list)
			return sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 4, Cores: 4}), Jobs: jobs, Truth: truth}, nil
		},
		Policies: []sim.Contender{
			{Name: "fifo", New: func(uint64, *sim.Config) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }},
			{Name: "srpt", New: func(_ uint64, c *sim.Config) (policy.Scheduler, error) { return baseline.NewSRPT(c.Truth) }},
		},
	}
	runs, err := sweep.Run(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	jct := func(r *sim.SweepRun) float64 { return r.MeanJCT }
	fmt.Println("mean completion time of SRPT over FIFO's:", sim.RatioInterval(runs.Of(1, jct), runs.Of(0, jct)))
	// Output:
	// mean completion time of SRPT over FIFO's: 0.332 [0.178 0.622]
}

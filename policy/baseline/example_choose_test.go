package baseline_test

import (
	"context"
	"fmt"
	"log"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// A candidate is a policy by its name. It makes a new one for each run, from the truth of that
// run, at which only the clairvoyant look.
type candidate struct {
	name string
	make func(truth policy.Truth) (policy.Scheduler, error)
}

var candidates = []candidate{
	{"FIFO", func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFIFO(), nil }},
	{"Fair", func(policy.Truth) (policy.Scheduler, error) { return baseline.NewFair(), nil }},
	{"LAS", func(policy.Truth) (policy.Scheduler, error) { return baseline.NewLAS(queue.MultilevelConfig{}) }},
	{"SRPT", func(truth policy.Truth) (policy.Scheduler, error) { return baseline.NewSRPT(truth) }},
}

// Which policy is right for these jobs, and what would it be worth to know their runtimes?
func Example_choose() {
	for _, c := range candidates {
		source, err := workload.DefaultHeavyTail().Source()
		if err != nil {
			log.Fatal(err)
		}
		jobs, truth := workload.SplitSource(source)
		p, err := c.make(truth)
		if err != nil {
			log.Fatal(err)
		}
		result, err := sim.Run(context.Background(), sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 23, Cores: 4}), Jobs: jobs, Truth: truth,
		}, p)
		if err != nil {
			log.Fatal(err)
		}
		m := result.Metrics()
		fmt.Printf("%-4s  mean %4.0f s, of 10 jobs 9 within %4.0f s\n", c.name, m.MeanJCT, m.P90JCT)
	}
	// Output:
	// FIFO  mean 3923 s, of 10 jobs 9 within 10249 s
	// Fair  mean  148 s, of 10 jobs 9 within  433 s
	// LAS   mean  196 s, of 10 jobs 9 within  530 s
	// SRPT  mean  114 s, of 10 jobs 9 within  257 s
}

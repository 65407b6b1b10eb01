package paper_test

import (
	"context"
	"fmt"
	"log"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// The jobs of a paper, on the cluster that it had, under two policies. A source yields the same jobs again.
func Example() {
	source, err := paper.DefaultKairos().Source()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("FIFO: a job takes %.0f s in the mean\n", meanTime(source, baseline.NewFIFO()))
	fmt.Printf("Fair: a job takes %.0f s in the mean\n", meanTime(source, baseline.NewFair()))
	// Output:
	// FIFO: a job takes 197 s in the mean
	// Fair: a job takes 200 s in the mean
}

// meanTime returns how long jobs take from their submission on, in seconds, on 30 nodes of 4 cores.
func meanTime(source workload.Source, p policy.Scheduler) float64 {
	jobs, truth := workload.SplitSource(source)
	nodes := sim.Cluster(sim.Partition{Nodes: 30, Cores: 4})
	result, err := sim.Run(context.Background(), sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, p)
	if err != nil {
		log.Fatal(err)
	}
	sum := 0.0
	for _, j := range result.Jobs {
		sum += j.JCT().Seconds()
	}
	return sum / float64(len(result.Jobs))
}

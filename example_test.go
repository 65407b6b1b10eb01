package augur_test

import (
	"context"
	"fmt"
	"log"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// simulate runs the jobs of a workload on 23 nodes. A policy serves one run, and so do
// jobs that are generated one by one, so each run makes its own.
func simulate(w workload.HeavyTail, p policy.Scheduler) *sim.Result {
	source, err := w.Source()
	if err != nil {
		log.Fatal(err)
	}
	jobs, truth := workload.SplitSource(source) // what a policy may see, and what it may not
	result, err := sim.Run(context.Background(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 23, Cores: 4}),
		Jobs:  jobs,
		Truth: truth,
	}, p)
	if err != nil {
		log.Fatal(err)
	}
	return result
}

// Two policies run the same jobs on a simulated cluster.
func Example() {
	w := workload.DefaultHeavyTail()
	fifo, fair := simulate(w, baseline.NewFIFO()), simulate(w, baseline.NewFair())
	c := sim.Compare(fair, fifo)
	fmt.Printf("mean completion time: FIFO %.0f s, Fair %.0f s\n", fifo.Metrics().MeanJCT, fair.Metrics().MeanJCT)
	fmt.Printf("a tenth of the jobs take at most %.3f of the time under Fair\n", c.P10Ratio)
	// Output:
	// mean completion time: FIFO 3923 s, Fair 148 s
	// a tenth of the jobs take at most 0.003 of the time under Fair
}

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

// Two policies run the same jobs on a simulated cluster of 23 nodes.
func Example() {
	simulate := func(p policy.Scheduler) *sim.Result {
		source, err := workload.DefaultHeavyTail().Source()
		if err != nil {
			log.Fatal(err)
		}
		jobs, truth := workload.Split(source)
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

	fifo, fair := simulate(baseline.NewFIFO()), simulate(baseline.NewFair())
	c := sim.Compare(fair, fifo)
	fmt.Printf("mean completion time: FIFO %.0f s, Fair %.0f s\n", fifo.Metrics().MeanJCT, fair.Metrics().MeanJCT)
	fmt.Printf("a tenth of the jobs take at most %.3f of the time under Fair\n", c.P10Ratio)
	// Output:
	// mean completion time: FIFO 3923 s, Fair 148 s
	// a tenth of the jobs take at most 0.003 of the time under Fair
}

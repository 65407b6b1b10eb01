package workload_test

import (
	"context"
	"fmt"
	"log"

	"example.com/augur/policy/experiment"
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
	result, err := experiment.Run(context.Background(), experiment.Config{
		Jobs: experiment.List("log", jobs), Nodes: sim.Cluster(sim.Partition{Nodes: 4, Cores: 4}),
		Policies: experiment.Named("fifo", "srpt"), Loads: []float64{0.9}, Windows: 10,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("mean completion time of SRPT over FIFO's:", result.Loads[0].Policies[1].JCTRatio.Text(3))
	// Output:
	// mean completion time of SRPT over FIFO's: 0.332 [0.178 0.622]
}

package catalog_test

import (
	"context"
	"fmt"
	"log"

	"example.com/augur/policy/catalog"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// mean returns the mean completion time of 500 jobs under a policy.
func mean(name string) float64 {
	w := workload.DefaultHeavyTail()
	w.Jobs = 500
	source, err := w.Source()
	if err != nil {
		log.Fatal(err)
	}
	jobs, truth := workload.SplitSource(source)
	scheduler, err := catalog.New(name, catalog.Setting{Truth: truth, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	result, err := sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 9, Cores: 4}), Jobs: jobs, Truth: truth}, scheduler)
	if err != nil {
		log.Fatal(err)
	}
	return result.Metrics().MeanJCT
}

// Policies by name, on the same jobs. The last two are specs of parts that no paper has: the index, filled by conservative
// backfilling, and fairness with copies of slow tasks.
func Example() {
	for _, name := range []string{"fifo", "kairos", "index", "index-conservative/none", "fair+grass"} {
		fmt.Printf("%s: %.0f s\n", name, mean(name))
	}

	_, err := catalog.New("gs-easy", catalog.Setting{})
	fmt.Println(err)
	// Output:
	// fifo: 97 s
	// kairos: 101 s
	// index: 87 s
	// index-conservative/none: 87 s
	// fair+grass: 87 s
	// catalog: policy "gs-easy": easy needs a turn that orders all jobs, and gs does not; leave easy out, or take fifo, fair, drf or index
}

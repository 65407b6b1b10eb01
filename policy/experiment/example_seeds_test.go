package experiment_test

import (
	"context"
	"log"
	"os"

	"example.com/augur/policy/experiment"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Three policies on ten seeds of a workload, with paired intervals.
func ExampleRun() {
	jobs := experiment.Source("heavytail", func(seed uint64) (workload.Source, error) {
		w := workload.DefaultHeavyTail()
		w.Seed, w.Jobs = seed, 300
		return w.Source()
	})
	seeds := []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	result, err := experiment.Run(context.Background(), experiment.Config{Jobs: jobs, Nodes: sim.Cluster(sim.Partition{Nodes: 4, Cores: 4}),
		Policies: experiment.Named("fifo", "index", "srpt"), Loads: []float64{0.9}, Seeds: seeds, Trim: 0.1})
	if err != nil {
		log.Fatal(err)
	}
	result.WriteTable(os.Stdout)
	// Output:
	// heavytail at load 0.90: means over 10 seeds of 300 jobs; geometric mean ratios to fifo seed by seed, with 95 % intervals
	//
	//   policy  mean JCT     P99  mean wait  slowdown             mean JCT                  P99  faster  slower
	//                  s       s          s   bounded                ratio                ratio       %       %
	//     fifo     562.2  2121.8      458.0     24.62                1.000                1.000     0.0     0.0
	//    index     147.5  1896.6       24.2      2.02  0.291 [0.179 0.471]  0.886 [0.653 1.202]    56.1     6.2
	//     srpt     137.3  2079.0       22.7      1.72  0.282 [0.174 0.454]  0.918 [0.669 1.259]    57.1     4.8
	//
	// Lower is better, except for values and shares of faster jobs; ratios are to fifo.
	// index: 0.29 [0.18 0.47] of fifo's mean completion time, and 1.03 [0.99 1.08] of srpt's, which knows the runtimes, in the geometric mean over the seeds.
	// By the intervals, srpt is better than fifo.
}

package experiment_test

import (
	"context"
	"log"
	"os"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/sim"
)

const file = "../../examples/samples/jobs.swf"

// A policy of one's own, the job with the fewest tasks first and EASY for the gaps, beside two by their lines, on a log of one's own
// at load 0.9, in ten copies without a tenth of the jobs.
func Example() {
	narrow := experiment.Scored("narrow", func(j *central.Job, _ policy.Time) float64 { return -float64(j.Job.Tasks()) })
	result, err := experiment.Run(context.Background(), experiment.Config{
		Jobs: experiment.Trace(file, ""), Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 16}),
		Policies: append(experiment.Named("fifo-easy", "index-easy"), narrow), Loads: []float64{0.9}, Thin: 10,
	})
	if err != nil {
		log.Fatal(err)
	}
	result.WriteTable(os.Stdout)
	// Output:
	// the copies have most of their jobs in common: the intervals tell whether the result depends on a few jobs of this trace, and are too narrow for another trace
	//
	// jobs.swf at load 0.90: means over 10 copies of 45 jobs, each without a tenth of the log; geometric mean ratios to fifo-easy copy by copy, with 95 % intervals
	//
	//       policy  mean JCT     P99  mean wait  slowdown             mean JCT                  P99  faster  slower
	//                      s       s          s   bounded                ratio                ratio       %       %
	//    fifo-easy     586.8  1640.3      207.3      1.63                1.000                1.000     0.0     0.0
	//   index-easy     533.7  1977.1      154.2      1.43  0.910 [0.890 0.931]  1.197 [1.094 1.310]    30.7    24.4
	//       narrow     536.9  1894.6      157.4      1.45  0.916 [0.896 0.935]  1.154 [1.097 1.214]    27.1    23.3
	//
	// Lower is better, except for values and shares of faster jobs; ratios are to fifo-easy.
	// index-easy: 0.91 [0.89 0.93] of fifo-easy's mean completion time, in the geometric mean over the copies; but its P99 is 1.20 [1.09 1.31] of fifo-easy's.
	// By the intervals, narrow (but its P99 is 1.15 [1.10 1.21] of fifo-easy's) is better than fifo-easy.
}

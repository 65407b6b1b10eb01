package sim_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A class sums up what became of jobs of one kind.
type class struct {
	done, late int
	slowdown   float64 // sum
}

func (c *class) add(j *sim.JobRecord) {
	if !j.Done() || j.Ideal == 0 {
		return
	}
	slowdown := j.JCT().Seconds() / j.Ideal.Seconds()
	c.done++
	c.slowdown += slowdown
	if slowdown > 10 {
		c.late++
	}
}

// An experiment with figures of its own: how short and long jobs fare on a cluster that loses
// nodes and tasks. Each job is looked at when it is over, so nothing grows with the run.
func Example_classes() {
	source, err := workload.DefaultHeavyTail().Source()
	if err != nil {
		log.Fatal(err)
	}
	var short, long class
	jobs, truth := workload.SplitSource(source)
	result, err := sim.Run(context.Background(), sim.Config{
		Nodes:  sim.Cluster(sim.Partition{Nodes: 19, Cores: 4}, sim.Partition{Nodes: 1, Cores: 16, Speed: 2}),
		Jobs:   jobs,
		Truth:  truth,
		Delay:  5 * time.Millisecond,
		Faults: sim.Faults{Seed: 1, MeanUp: 24 * time.Hour, MeanDown: 10 * time.Minute, TaskFailure: 0.01},
		Ended: func(j *sim.JobRecord) {
			if j.MeanTask < time.Minute {
				short.add(j)
			} else {
				long.add(j)
			}
		},
	}, baseline.NewFair())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d jobs, %.0f %% of the cores busy\n", result.Submitted, 100*result.Busy/result.Available)
	fmt.Printf("short: %d, slowdown %.1f, %d above 10\n", short.done, short.slowdown/float64(short.done), short.late)
	fmt.Printf("long:  %d, slowdown %.1f, %d above 10\n", long.done, long.slowdown/float64(long.done), long.late)
	// Output:
	// 5000 jobs, 60 % of the cores busy
	// short: 3720, slowdown 6.5, 379 above 10
	// long:  1280, slowdown 1.3, 2 above 10
}

// Newpolicy makes a policy of an order and compares it with three others at load 0.9: newpolicy [-cores 128] [log.swf.gz]
// Without a file the jobs are the workload mixed: its gangs are wide and leave gaps to fill.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log"
	"os"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// order puts the job first whose tasks request the least total time.
func order(a, b *policy.Job) int { return cmp.Compare(asks(a), asks(b)) }
func asks(j *policy.Job) float64 { return j.Requested.Seconds() * float64(j.Tasks()) }

// smallest has that order alone. filled also backfills by EASY: a job may pass the first one if that does not delay it.
func smallest(*experiment.Cell, policy.Truth) (policy.Scheduler, error) {
	return baseline.NewOrdered(order), nil
}
func filled(*experiment.Cell, policy.Truth) (policy.Scheduler, error) {
	return central.New(central.Config{Turn: baseline.Ordered(order), Fill: baseline.EASY()})
}

func main() {
	flag.Usage = func() { fmt.Println("usage: newpolicy [-cores 128] [FILE of a trace]") }
	cores := flag.Int("cores", 128, "")
	jobs := experiment.Source("mixed", func(uint64) (workload.Source, error) { return paper.DefaultMixed().Source() })
	if flag.Parse(); flag.NArg() > 0 {
		jobs = experiment.Trace(flag.Arg(0), "")
	}
	result, err := experiment.Run(context.Background(), experiment.Config{
		Jobs: jobs, Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: int32(*cores)}), Loads: []float64{0.9},
		Policies: append(experiment.Named("fifo", "easy", "fair"), // 2: a job may request no time
			experiment.Policy{Name: "smallest", New: smallest, Request: 2}, experiment.Policy{Name: "smallest-easy", New: filled, Request: 2}),
	})
	if err != nil {
		log.Fatal(err)
	}
	result.WriteTable(os.Stdout)
}

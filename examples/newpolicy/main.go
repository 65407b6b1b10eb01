// Newpolicy makes a policy of an order and compares it with three others at load 0.9: newpolicy [-cores 128] [log.swf.gz]
// Without a file the jobs are those of mixed, of which some are gangs: only what is wide leaves gaps that can be filled.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log"

	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/policy/workload/trace"
)

// order puts the job first whose tasks request the least time together.
func order(a, b *policy.Job) int { return cmp.Compare(asks(a), asks(b)) }
func asks(j *policy.Job) float64 { return j.Requested.Seconds() * float64(j.Tasks()) }

// filled is a policy of two parts: that order, and EASY, which lets a job pass the first if that is none the later.
func filled() (*central.Scheduler, error) {
	return central.New(central.Config{Turn: baseline.Ordered(order), Fill: baseline.EASY()})
}

func main() {
	flag.Usage = func() { fmt.Println("usage: newpolicy [-cores 128] [FILE of a trace]") }
	cores := flag.Int("cores", 128, "")
	source := must(paper.DefaultMixed().Source())
	if flag.Parse(); flag.NArg() > 0 {
		source = must(trace.Open(flag.Arg(0), trace.ReaderConfig{})).Jobs()
	}
	jobs, truth := workload.Split(must(workload.ToLoad(must(workload.ReadAll(must(workload.FillRequested(source, 2)))), float64(*cores), 0.9))) // 2: a job may request no time
	names := []string{"FIFO", "EASY", "Fair", "smallest", "smallest and EASY"}
	for i, p := range []policy.Scheduler{baseline.NewFIFO(), baseline.NewEASY(), baseline.NewFair(), baseline.NewOrdered(order), must(filled())} {
		m := must(sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: int32(*cores)}), Jobs: jobs, Truth: truth}, p)).Metrics()
		fmt.Printf("%-20s %d jobs done, mean completion time %.0f s\n", names[i], m.Done, m.MeanJCT)
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

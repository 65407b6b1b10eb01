// Newpolicy defines a policy and compares it with three others on 128 cores at load 0.9: newpolicy [log.swf.gz]
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"log"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

type smallest struct{ view policy.View[struct{}] } // the job goes first whose tasks request the least time together

func (p *smallest) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if _, err := p.view.Observe(ev); err != nil || !p.view.Decide(ev) {
		return actions, err
	}
	for first := p.view.Front(order); first != nil && p.view.Fits(first); first = p.view.Front(order) {
		actions = append(actions, p.view.Start(first, 0))
	}
	return actions, nil
}

func order(a, b *policy.JobView[struct{}]) int { return cmp.Compare(asks(a.Job), asks(b.Job)) }
func asks(j *policy.Job) float64               { return j.Requested.Seconds() * float64(j.Tasks()) }

func main() {
	flag.Usage = func() { fmt.Println("usage: newpolicy [FILE of a trace]") }
	source := must(workload.DefaultHeavyTail().Source())
	if flag.Parse(); flag.NArg() > 0 {
		source = must(workload.Open(flag.Arg(0), workload.ReaderConfig{})).Jobs()
	}
	jobs, truth := workload.Split(must(workload.ToLoad(must(workload.ReadAll(must(workload.Request(source, 2)))), 128, 0.9))) // 2: a job may request no time
	for _, p := range []policy.Scheduler{baseline.NewFIFO(), baseline.NewEASY(), baseline.NewFair(), new(smallest)} {
		m := must(sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 128}), Jobs: jobs, Truth: truth}, p)).Metrics()
		fmt.Printf("%-20T %d jobs done, mean completion time %.0f s\n", p, m.Done, m.MeanJCT)
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

package augur_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/experiment"
	"example.com/augur/policy/gittins"
	"example.com/augur/policy/host"
	"example.com/augur/policy/pool"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// The README shows the functions below as they are.

// must ends the program at an error.
func must[T any](x T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return x
}

// send is what a task does.
func send(context.Context) (receipt int, err error) { return 17, nil }

// A worker pool that learns how long its tasks take, and keeps that in a file.
func Example_readmePool() {
	ctx, dir := context.Background(), must(os.MkdirTemp("", "pool"))
	defer os.RemoveAll(dir)

	p := must(pool.Open(filepath.Join(dir, "runtimes"), pool.Config{Workers: 4, Features: []string{"kind+customer", "kind"}, MaxWait: time.Hour}))
	mail := predict.Attrs{"kind": "mail", "customer": "acme"}
	task := must(pool.Go(ctx, p, mail, send)) // send is a func(context.Context) (int, error)
	receipt := must(task.Value())             // waits until the task has run
	_, known := p.Predict(mail)               // how long the next one will take
	fmt.Println("receipt", receipt, "and the next runtime is known:", known)
	must(0, p.Close(ctx)) // waits for all tasks, and saves
	// Output:
	// receipt 17 and the next runtime is known: true
}

// The index in a simulated cluster.
func Example_readmePolicy() {
	ctx := context.Background()

	scheduler := must(gittins.NewScheduler(gittins.Options{})) // or slearn, threesigma, hopper, kairos, wing; or baseline.NewFIFO
	source := must(workload.DefaultHeavyTail().Source())       // 5,000 jobs; trace.Open reads your own
	jobs, truth := workload.SplitSource(source)                // what a policy may see, and what only the cluster knows
	result := must(sim.Run(ctx, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 23, Cores: 4}), Jobs: jobs, Truth: truth}, scheduler))
	fmt.Printf("mean completion time: %.0f s\n", result.Metrics().MeanJCT)
	// Output:
	// mean completion time: 112 s
}

// work is a task of a host.
func work(ctx context.Context, o host.Order) error { return ctx.Err() }

// A host: two machines run the tasks of jobs, and all of it survives a crash.
func Example_readmeHost() {
	ctx, stop := context.WithCancel(context.Background())
	dir := must(os.MkdirTemp("", "host"))
	defer os.RemoveAll(dir)
	defer stop()

	newIndex := func(string) (policy.Scheduler, error) { return gittins.NewScheduler(gittins.Options{}) }
	engine := must(host.Open(host.Config{Dir: dir, New: newIndex}))
	for _, name := range []string{"m1", "m2"} {
		m := &host.Machine{Name: name, Node: policy.Node{Cores: 2}, Do: work} // func(context.Context, host.Order) error
		go func() { log.Print(m.Run(ctx, engine)) }()                         // or over a connection: host.Dialer
	}
	count := host.Job{Name: "count", Job: policy.Job{Stages: []policy.Stage{{Tasks: 9, Cores: 1}}}}
	fmt.Println("count is", must(engine.Wait(ctx, must(engine.Submit(ctx, count)))).Outcome)
	must(0, engine.Close())
	// Output:
	// count is Done
}

// Two policies on a log.
func Example_readmeExperiment() {
	ctx := context.Background()

	result := must(experiment.Run(ctx, experiment.Config{
		Jobs:     experiment.Trace("examples/samples/jobs.swf", ""),
		Nodes:    sim.Cluster(sim.Partition{Nodes: 1, Cores: 16}),
		Policies: experiment.Named("easy", "index-easy"),
		Loads:    []float64{0.9}, // and Seeds of a workload, Windows of a log or Thin copies: then with intervals
	}))
	must(0, result.WriteTable(os.Stdout))
	// Output:
	// jobs.swf: 50 jobs, 222 tasks, on 1 node with 16 cores; load 0.90 over 2h14m38s
	//
	//       policy  mean JCT     P99  mean wait  slowdown  mean JCT    P99  faster  slower
	//                      s       s          s   bounded     ratio  ratio       %       %
	//         easy     610.8  1683.8      224.8      1.63     1.000  1.000     0.0     0.0
	//   index-easy     554.0  2106.2      168.0      1.40     0.907  1.251    30.0    32.0
	//
	// Lower is better, except for values and shares of faster jobs; ratios are to easy.
	// index-easy: 0.91 of easy's mean completion time; but its P99 is 1.25 of easy's.
}

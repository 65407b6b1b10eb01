package augur_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/gittins"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
	"example.com/augur/queue"
)

// The README shows the functions below as they are.

// A predictor and a queue in a program that decides by itself.
func Example_embed() {
	history, err := predict.New(predict.Config{Features: []string{"kind+customer", "kind"}})
	if err == nil { // report the runtime of each task that has finished, in seconds
		err = errors.Join(history.Observe(predict.Attrs{"kind": "report", "customer": "acme"}, 60, time.Now()),
			history.Observe(predict.Attrs{"kind": "mail", "customer": "acme"}, 1, time.Now()))
	}
	if err != nil {
		log.Fatal(err)
	}
	seconds := make(map[string]float64)
	waiting := queue.NewHeap(func(a, b string) int { return cmp.Compare(seconds[a], seconds[b]) })
	for _, kind := range []string{"report", "mail"} {
		seconds[kind], _ = history.Estimate(predict.Attrs{"kind": kind, "customer": "initech"}, time.Now())
		waiting.Push(kind)
	}
	fmt.Println(waiting.Pop()) // the task with the shortest prediction, and whether there is one
	// Output:
	// mail true
}

// An experiment of one's own: a policy in a simulated cluster.
func Example_experiment() {
	scheduler, err1 := gittins.NewScheduler(gittins.Options{}) // whose turn it is, by runtimes that it learns from finished jobs
	source, err2 := workload.DefaultHeavyTail().Source()       // 5,000 jobs; trace.Open reads your own
	if err := errors.Join(err1, err2); err != nil {
		log.Fatal(err)
	}
	jobs, truth := workload.SplitSource(source) // what a policy may see, and what only the cluster knows
	cluster := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 23, Cores: 4}), Jobs: jobs, Truth: truth}
	result, err := sim.Run(context.Background(), cluster, scheduler)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("mean completion time: %.0f s\n", result.Metrics().MeanJCT)
	// Output:
	// mean completion time: 112 s
}

// A host: it reports events, and carries out the actions that the policy returns.
func Example_host() {
	scheduler := baseline.NewFair() // or any other central policy
	job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 4}}}
	events := []policy.Event{
		{Kind: policy.Joined, Node: 7, Info: &policy.Node{ID: 7, Partition: 1, Cores: 8, Speed: 1}},
		{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 1}}, Job: job, More: true},
		{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: 1}}},
	}
	for _, event := range events {
		actions, err := scheduler.Step(&event, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(actions), "actions after", event.Kind)
	}
	// Output:
	// 0 actions after Joined
	// 0 actions after Submitted
	// 2 actions after Ready
}

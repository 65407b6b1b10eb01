package host_test

import (
	"context"
	"fmt"
	"log"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/host"
)

// work is what a task does.
func work(ctx context.Context, o host.Order) error { return ctx.Err() }

// A whole host: two machines, whose tasks are calls of a function, under a fair policy. With a Dir it goes on after a crash.
func Example() {
	engine, err := host.Open(host.Config{New: func(string) (policy.Scheduler, error) { return baseline.NewFair(), nil }})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	for _, name := range []string{"m1", "m2"} {
		m := &host.Machine{Name: name, Node: policy.Node{Cores: 2}, Do: work}
		go func() { log.Print(m.Run(ctx, engine)) }() // why it has ended, or what is wrong with m
	}
	id, err := engine.Submit(ctx, host.Job{Name: "count", Data: []byte("wc -l"), Job: policy.Job{Stages: []policy.Stage{{Tasks: 9, Cores: 1}}}})
	if err != nil {
		log.Fatal(err)
	}
	status, err := engine.Wait(ctx, id)
	fmt.Println(status.Outcome, err)
	// Output: Done <nil>
}

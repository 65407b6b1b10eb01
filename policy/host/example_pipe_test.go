package host_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"sync"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/host"
)

// The test's program is a worker as well.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == "worker" {
		if err := worker(os.Args[2]); err != nil {
			log.Fatal(err)
		}
	}
	os.Exit(m.Run())
}

// worker is what a worker process does, until its scheduler has ended.
func worker(name string) error {
	m := &host.Machine{Name: name, Node: policy.Node{Cores: 1}, Do: once}
	return m.Run(context.Background(), host.Conn(os.Stdin, os.Stdout))
}

// once is a task at whose first start the worker dies.
func once(_ context.Context, o host.Order) error {
	if o.Copy.N == 0 {
		os.Exit(1)
	}
	return nil
}

// Worker processes behind pipes, which may die at any time. Each is known by the name of its place, so what a dead one had starts
// again as soon as the next one joins.
func Example_pipe() {
	ctx := context.Background()
	engine, err := host.Open(host.Config{New: func(string) (policy.Scheduler, error) { return baseline.NewFair(), nil }})
	if err != nil {
		log.Fatal(err)
	}
	var workers sync.WaitGroup
	for _, name := range []string{"w1", "w2"} {
		workers.Go(func() {
			err := engine.Keep(ctx, func(last error) *exec.Cmd {
				if last != nil {
					log.Printf("worker %s has ended: %v", name, last)
				}
				cmd := exec.Command(os.Args[0], "worker", name)
				cmd.Stderr = os.Stderr
				return cmd
			})
			if err != nil {
				log.Print(err)
			}
		})
	}
	id, err := engine.Submit(ctx, host.Job{Job: policy.Job{Stages: []policy.Stage{{Tasks: 5, Cores: 1}}}})
	if err != nil {
		log.Fatal(err)
	}
	status, err := engine.Wait(ctx, id)
	fmt.Println(status.Outcome, err)
	fmt.Println(engine.Close())
	workers.Wait()
	// Output:
	// Done <nil>
	// <nil>
}

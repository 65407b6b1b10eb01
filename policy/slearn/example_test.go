package slearn_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
)

// A long job comes just before a short one, and there are two cores. Its queue has a tenth
// of the other's weight, which here is a first task: then it waits until the other is done.
func Example() {
	bag := func(id policy.JobID, each time.Duration) *workload.Job {
		return &workload.Job{
			Job:      policy.Job{ID: id, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}},
			Runtimes: [][]policy.Duration{{each, each, each, each}},
		}
	}
	jobs, truth := workload.Split(workload.Of([]*workload.Job{bag(1, 1000*time.Second), bag(2, 10*time.Second)}))
	oracle, err := slearn.NewOracle(truth)
	if err != nil {
		log.Fatal(err)
	}
	gs, err := slearn.NewGS(slearn.DefaultGS(oracle))
	if err != nil {
		log.Fatal(err)
	}
	explain := explained{gs} // and say why, whenever a job has come
	r, err := sim.Run(context.Background(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}), Jobs: jobs, Truth: truth,
	}, explain)
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range r.Jobs {
		fmt.Printf("job %d took %v\n", j.ID, j.JCT())
	}
	// Output:
	// job 1: queue 1, estimated at 4000 core-seconds, 0 attained, 0 cores (0 % of its queue's)
	// job 2: queue 0, estimated at 40 core-seconds, 0 attained, 0 cores (0 % of its queue's)
	// job 1 took 34m0s
	// job 2 took 40s
}

type explained struct{ *slearn.GS }

func (e explained) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions, err := e.GS.Step(ev, actions)
	if ev.Kind == policy.Submitted && err == nil {
		why, _ := e.Explain(ev.Copy.Job)
		fmt.Printf("job %d: %v\n", ev.Copy.Job, why)
	}
	return actions, err
}

package gittins_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/gittins"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// job makes a job of so many tasks that run equally long.
func job(id policy.JobID, program string, tasks uint32, each time.Duration) *workload.Job {
	runtimes := make([]policy.Duration, tasks)
	for i := range runtimes {
		runtimes[i] = each
	}
	return &workload.Job{
		Job: policy.Job{
			ID: id, Attrs: []policy.Attr{{Name: "program", Value: program}},
			Stages: []policy.Stage{{Tasks: tasks, Cores: 1}},
		},
		Runtimes: [][]policy.Duration{runtimes},
	}
}

// Four of five tasks of the program "check" take a second, and the others 300 s; tasks of "index" take 40 s. A job of
// each comes to a node with two cores. A check takes longer in the mean, but it has probably ended soon, so it goes
// first.
func Example() {
	history, err := predict.New(predict.Config{Features: []string{"program"}})
	if err != nil {
		log.Fatal(err)
	}
	beliefs, err := forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: history})
	if err != nil {
		log.Fatal(err)
	}
	for i := range 200 { // jobs that have ended
		check := time.Second
		if i%5 == 0 {
			check = 300 * time.Second
		}
		err := errors.Join(
			beliefs.Learn(&job(1, "check", 1, 0).Job, []time.Duration{check}, policy.Time(i)),
			beliefs.Learn(&job(2, "index", 1, 0).Job, []time.Duration{40 * time.Second}, policy.Time(i)),
		)
		if err != nil {
			log.Fatal(err)
		}
	}
	scheduler, err := gittins.NewScheduler(gittins.Options{History: beliefs})
	if err != nil {
		log.Fatal(err)
	}
	jobs, truth := workload.Split([]*workload.Job{job(1, "index", 3, 40*time.Second), job(2, "check", 3, time.Second)})
	cluster := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}), Jobs: jobs, Truth: truth}
	result, err := sim.Run(context.Background(), cluster, scheduler)
	if err != nil {
		log.Fatal(err)
	}
	for i, name := range []string{"index", "check"} {
		j := &result.Jobs[i]
		fmt.Printf("%s: starts after %v and ends after %v\n", name, j.FirstStart.Sub(0), j.Ended.Sub(0))
	}
	// Output:
	// index: starts after 1s and ends after 1m21s
	// check: starts after 0s and ends after 2s
}

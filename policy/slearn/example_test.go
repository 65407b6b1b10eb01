package slearn_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
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
	jobs, truth := workload.Split([]*workload.Job{bag(1, 1000*time.Second), bag(2, 10*time.Second)})
	oracle, err := forecast.Truth(truth)
	if err != nil {
		log.Fatal(err)
	}
	gs, err := slearn.NewScheduler(slearn.Config{Forecast: oracle})
	if err != nil {
		log.Fatal(err)
	}
	r, err := sim.Run(context.Background(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}), Jobs: jobs, Truth: truth,
	}, gs)
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range r.Jobs {
		fmt.Printf("job %d took %v\n", j.ID, j.JCT())
	}
	// Output:
	// job 1 took 34m0s
	// job 2 took 40s
}

// Of a hundred tasks three run first, and tell what the others will take. Those do not wait,
// since there are idle cores.
func ExampleSampling() {
	c := slearn.SamplingConfig{Src: rand.NewPCG(1, 2)}
	c.Ratio = 0.03 // rather than adaptive
	sampling, err := slearn.NewSampling(c)
	if err != nil {
		log.Fatal(err)
	}
	forecast := slearn.NewForecast(sampling)
	gs, err := slearn.NewScheduler(slearn.Config{Forecast: forecast})
	if err != nil {
		log.Fatal(err)
	}
	runtimes := make([]time.Duration, 100)
	for i := range runtimes {
		runtimes[i] = 10*time.Second + time.Duration(i)*100*time.Millisecond
	}
	jobs, truth := workload.Split([]*workload.Job{{
		Job: policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 100, Cores: 1}}}, Runtimes: [][]time.Duration{runtimes},
	}})
	done := 0
	_, err = sim.Run(context.Background(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 10}), Jobs: jobs, Truth: truth,
	}, steps{gs, func(ev *policy.Event) {
		job := gs.View().Job(1)
		if job == nil {
			return
		}
		if s := forecast.Sampled(job); s.Done > done {
			done = s.Done
			work, _ := forecast.Work(job)
			fmt.Printf("%.1f s: %d of %d pilots done, estimated at %.0f core-seconds\n", ev.Time.Seconds(), done, s.Pilots, work)
		}
	}})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 12.3 s: 1 of 3 pilots done, estimated at 0 core-seconds
	// 13.3 s: 2 of 3 pilots done, estimated at 0 core-seconds
	// 19.8 s: 3 of 3 pilots done, estimated at 1513 core-seconds
}

type steps struct {
	policy.Scheduler
	see func(ev *policy.Event)
}

func (s steps) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions, err := s.Scheduler.Step(ev, actions)
	s.see(ev)
	return actions, err
}

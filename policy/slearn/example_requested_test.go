package slearn_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
)

// requested is an Estimator of one's own: it believes what users request.
type requested struct{}

// Plan says how much work a job is, in core-seconds, when it comes.
func (requested) Plan(j *policy.Job, _ policy.Time) (slearn.Plan, error) {
	if j.Requested == 0 {
		return slearn.Plan{When: slearn.Never}, nil // goes by the service that it attains
	}
	return slearn.Plan{When: slearn.Now, Work: j.Requested.Seconds() * slearn.Width(j)}, nil
}

// Work is asked only of jobs with pilots.
func (requested) Work(*policy.Job, policy.Time, []float64) float64 { return 0 }

// Ended is where an Estimator would learn.
func (requested) Ended(*policy.Job, slearn.Record) {}

// meanJCT runs a workload under GS, in which users request three times what their longest task
// takes.
func meanJCT(e slearn.Estimator) float64 {
	generated, err := workload.DefaultHeavyTail().Source()
	if err != nil {
		log.Fatal(err)
	}
	source, err := workload.Request(generated, 3)
	if err != nil {
		log.Fatal(err)
	}
	gs, err := slearn.NewGS(slearn.GSConfig{Estimator: e})
	if err != nil {
		log.Fatal(err)
	}
	jobs, truth := workload.SplitSource(source)
	result, err := sim.Run(context.Background(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 23, Cores: 4}), Jobs: jobs, Truth: truth,
	}, gs)
	if err != nil {
		log.Fatal(err)
	}
	return result.Metrics().MeanJCT
}

// What are users' requests worth, beside a few pilots of each job and beside nothing?
func Example_requested() {
	sampling, err := slearn.NewSampling(slearn.SamplingConfig{Src: rand.NewPCG(1, 2)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("by attained service %.0f s\n", meanJCT(slearn.LAS{}))
	fmt.Printf("by pilots           %.0f s\n", meanJCT(sampling))
	fmt.Printf("by requests         %.0f s\n", meanJCT(requested{}))
	// Output:
	// by attained service 178 s
	// by pilots           159 s
	// by requests         134 s
}

package slearn_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
)

// meanJCT runs a workload under GS, in which users request three times what their longest task
// takes.
func meanJCT(f central.Forecast) float64 {
	generated, err := workload.DefaultHeavyTail().Source()
	if err != nil {
		log.Fatal(err)
	}
	source, err := workload.Request(generated, 3)
	if err != nil {
		log.Fatal(err)
	}
	gs, err := slearn.NewGS(slearn.GSConfig{Forecast: f})
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
	fmt.Printf("by attained service %.0f s\n", meanJCT(forecast.Nothing()))
	fmt.Printf("by pilots           %.0f s\n", meanJCT(slearn.NewForecast(sampling)))
	fmt.Printf("by requests         %.0f s\n", meanJCT(forecast.Requested()))
	// Output:
	// by attained service 178 s
	// by pilots           159 s
	// by requests         134 s
}

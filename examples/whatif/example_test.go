package main

import (
	"context"
	"fmt"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
)

// One node, a job that has run on it for ten minutes, and one that was submitted a minute ago. Jobs like the first
// take about half an hour, with a long tail: those that have run for ten minutes take half an hour more, half of them more than 21 minutes and
// a tenth more than 69.
func ExampleOutlook_Ask() {
	one := []policy.Stage{{Tasks: 1, Cores: 1}}
	minute := policy.Time(time.Minute)
	s := &State{
		Now:   10 * minute,
		Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}),
		Jobs: []Job{
			{Job: &policy.Job{ID: 1, Stages: one}, Runtime: exponential(1800), Runs: []Run{{Node: 1, Started: 0}}},
			{Job: &policy.Job{ID: 2, Submitted: 9 * minute, Stages: one}, Runtime: forecast.Known(60)},
		},
	}
	f := Outlook{Seed: 1, Policy: func(central.Forecast) (policy.Scheduler, error) {
		return baseline.NewFIFO(), nil
	}}
	a, err := f.Ask(context.Background(), s, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range []float64{0.5, 0.9} {
		fmt.Printf("P%.0f: starts in %v, ends in %v\n", 100*p,
			Quantile(a.Starts, p).Sub(s.Now).Round(time.Minute), Quantile(a.Ends, p).Sub(s.Now).Round(time.Minute))
	}
	// Output:
	// P50: starts in 22m0s, ends in 23m0s
	// P90: starts in 1h11m0s, ends in 1h12m0s
}

package forecast_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// job is one of a program whose users ask for an hour always.
func job(id policy.JobID, program string, runtime policy.Duration) *workload.Job {
	return &workload.Job{
		Job: policy.Job{
			ID: id, Attrs: []policy.Attr{{Name: "program", Value: program}}, Requested: time.Hour,
			Stages: []policy.Stage{{Tasks: 1, Cores: 1}},
		},
		Runtimes: [][]policy.Duration{{runtime}},
	}
}

// One core serves the shortest job first. Which is that users say, or jobs of the same program that have ended,
// or the truth.
func Example() {
	list := []*workload.Job{job(1, "index", 190*time.Second), job(2, "report", 65*time.Second), job(3, "report", 55*time.Second)}
	jobs, truth := workload.Split(list)

	predictor, err := predict.New(predict.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	history, err := forecast.NewHistory(forecast.HistoryConfig{Predictor: predictor})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := errors.Join(
		history.Learn(&job(1, "index", 0).Job, []time.Duration{200 * time.Second}, 0),
		history.Learn(&job(2, "report", 0).Job, []time.Duration{time.Minute}, 0),
	); err != nil {
		fmt.Println(err)
		return
	}
	exact, err := forecast.Truth(truth)
	if err != nil {
		fmt.Println(err)
		return
	}

	for _, by := range []struct {
		name     string
		forecast central.Forecast
	}{{"requested", forecast.Requested()}, {"history", history}, {"truth", exact}} {
		s, err := central.New(central.Config{Turn: baseline.Shortest(), Forecast: by.forecast})
		if err != nil {
			fmt.Println(err)
			return
		}
		nodes := sim.Cluster(sim.Partition{Nodes: 1, Cores: 1})
		result, err := sim.Run(context.Background(), sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, s)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%-9s:", by.name)
		for _, j := range result.Jobs {
			fmt.Printf(" job %d starts at %v", j.ID, j.FirstStart.Sub(0))
		}
		fmt.Println()
	}
	// Output:
	// requested: job 1 starts at 0s job 2 starts at 3m10s job 3 starts at 4m15s
	// history  : job 1 starts at 2m0s job 2 starts at 0s job 3 starts at 1m5s
	// truth    : job 1 starts at 2m0s job 2 starts at 55s job 3 starts at 0s
}

package threesigma_test

import (
	"context"
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
)

// Two jobs wait for one node. Jobs of the program "alert" are worth 1 at once and nothing after 200 s. The other job has
// the default curve of jobs without a deadline, so that it loses less by waiting, although it is shorter.
func ExampleConfig_utility() {
	job := func(id policy.JobID, program string, runtime policy.Duration) *workload.Job {
		return &workload.Job{
			Job: policy.Job{
				ID: id, Attrs: []policy.Attr{{Name: "program", Value: program}}, Stages: []policy.Stage{{Tasks: 1, Cores: 1}},
			},
			Runtimes: [][]policy.Duration{{runtime}},
		}
	}
	jobs, truth := workload.Split([]*workload.Job{job(1, "report", 10e9), job(2, "alert", 100e9)})
	runtimes, err := forecast.Truth(truth)
	if err != nil {
		fmt.Println(err)
		return
	}
	scheduler, err := threesigma.NewScheduler(threesigma.Config{
		Forecast: runtimes,
		Utility: func(j *policy.Job) (threesigma.Utility, error) { // in seconds since the job's submission
			if program, _ := j.Attr("program"); program != "alert" {
				return threesigma.Utility{}, nil // the default
			}
			return threesigma.NewUtility(threesigma.Point{Time: 0, Value: 1}, threesigma.Point{Time: 200, Value: 0})
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	nodes := sim.Cluster(sim.Partition{Nodes: 1, Cores: 1})
	result, err := sim.Run(context.Background(), sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, scheduler)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, j := range result.Jobs {
		fmt.Printf("job %d: %3.0f to %3.0f s\n", j.ID, j.FirstStart.Seconds(), j.Ended.Seconds())
	}
	// Output:
	// job 1: 100 to 110 s
	// job 2:   0 to 100 s
}

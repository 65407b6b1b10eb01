package threesigma_test

import (
	"context"
	"fmt"

	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// Four nodes serve a job with a deadline and two without. History knows the programs that they run.
func ExampleScheduler() {
	predictor, err := predict.New(predict.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	job := func(id policy.JobID, program string, runtime policy.Duration) *workload.Job {
		return &workload.Job{
			Job: policy.Job{
				ID: id, Attrs: []policy.Attr{{Name: "program", Value: program}},
				Stages: []policy.Stage{{Tasks: 3, Cores: 1, Gang: true}},
			},
			Runtimes: [][]policy.Duration{{runtime, runtime, runtime}},
		}
	}
	for i, runtime := range []float64{50, 55, 60, 200, 210} { // in seconds
		program := "report"
		if i > 2 {
			program = "index"
		}
		past := job(policy.JobID(i+1), program, 0)
		if err := predictor.Observe(past, runtime, past.Calendar(0)); err != nil {
			fmt.Println(err)
			return
		}
	}

	report, index, unknown := job(1, "report", 58e9), job(2, "index", 205e9), job(3, "test", 20e9)
	index.SLO = &policy.SLO{Deadline: 300e9, Utility: 1}
	jobs, truth := workload.Split([]*workload.Job{report, index, unknown})

	history, err := forecast.NewHistory(forecast.HistoryConfig{Predictor: predictor})
	if err != nil {
		fmt.Println(err)
		return
	}
	scheduler, err := threesigma.NewScheduler(threesigma.Config{Forecast: history})
	if err != nil {
		fmt.Println(err)
		return
	}
	nodes := sim.Cluster(sim.Partition{Nodes: 4, Cores: 1})
	result, err := sim.Run(context.Background(), sim.Config{Nodes: nodes, Jobs: jobs, Truth: truth}, watched{scheduler})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, j := range result.Jobs {
		fmt.Printf("job %d: %3.0f to %3.0f s\n", j.ID, j.FirstStart.Seconds(), j.Ended.Seconds())
	}
	// Output:
	// job 2 is planned for 60 s
	// job 1:   0 to  58 s
	// job 2:  60 to 265 s
	// job 3: 270 to 290 s
}

// watched prints at first when job 2 is to start.
type watched struct{ *threesigma.Scheduler }

func (w watched) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions, err := w.Scheduler.Step(ev, actions)
	if at, ok := w.Planned(2); ok && ev.Time == 0 && ev.Kind == policy.Started {
		fmt.Printf("job 2 is planned for %v s\n", at.Seconds())
	}
	return actions, err
}

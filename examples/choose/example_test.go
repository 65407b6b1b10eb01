package choose_test

import (
	"context"
	"log"
	"os"
	"time"

	"example.com/augur/examples/choose"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// jobs returns nightly builds of 2 minutes and checks of 5 seconds, a few per cent more or less, in bursts on the hour.
func jobs(n int) (list []*workload.Job) {
	for i := range n {
		program, runtime := "check", 5*time.Second
		if i%4 == 0 {
			program, runtime = "build", 2*time.Minute
		}
		runtime += runtime / 100 * time.Duration(i%7)
		list = append(list, &workload.Job{
			Job: policy.Job{
				ID: policy.JobID(i + 1), Submitted: policy.Time(i/50) * policy.Time(time.Hour),
				Attrs:  []policy.Attr{{Name: "user", Value: "ci"}, {Name: "program", Value: program}},
				Stages: []policy.Stage{{Tasks: 1, Cores: 1}},
			},
			Runtimes: [][]policy.Duration{{runtime}},
		})
	}
	return list
}

// What suits a machine of one core that builds and checks?
func Example() {
	advice, err := choose.Advise(context.Background(), choose.Config{
		Jobs: jobs(4000), Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}),
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := advice.Write(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Based on: jobs 1 to 2000 of 4000, 2000 tasks, over 39 h; 1 core at load 0.50
	//
	// What the jobs are like
	//   sizes: the largest 1 % of the jobs hold 3.66 % of the work, coefficient of variation 1.48 (1 if exponential)
	//   aging: started jobs have left, on average, up to 3.4 times the mean work: a policy that prefers jobs of little service can beat FIFO
	//   tasks run 5.2 s in the median, and 24.5 times as long at the 99th percentile
	//   recurrence: 99.9 % of the jobs have the user and program of an earlier job
	//   predictability: 97.5 % within a factor of 2, median error 2.9 %, rank correlation 0.56; history predicts runtimes
	//   widths: 0 % of the jobs are gangs; 0 % of the work is wider than a core; 100 % of the jobs have the most common shape; backfilling is not needed
	//   tasks: 1 a job, 0 % of the work in stages of 10 or more; too few for a job to learn from its own tasks
	//   saving: no job is marked as savable; if long jobs can be saved, index-preempt may gain much: try compare -saves reload=60s -advise
	//   load is low: unless jobs come in bursts, few wait and no policy gains much
	//
	// Which policy suits them
	//   one run each, in 10 windows of 166 jobs, without the first and last jobs, when the cluster fills and empties
	//   mean completion times, and ratios window by window: geometric means with 95 % intervals
	//   policy           mean, s  to fifo's            to the advised    P99 to fifo's        why it was tried
	//   index            331.1    0.368 [0.365 0.37]   1 [1 1]           0.974 [0.952 0.998]  history predicts most runtimes
	//   sjf              331.1    0.368 [0.365 0.37]   1 [1 1]           0.974 [0.952 0.998]  it is simple, and uses history
	//   index/none       900.3    1 [1 1]              2.72 [2.7 2.74]   1 [1 1]              it needs no history
	//   kairos-adaptive  877.8    0.975 [0.974 0.976]  2.65 [2.64 2.67]  0.987 [0.968 1.01]   tasks take one core and may be suspended, and work varies more than if exponential
	//   index@adaptive   345.4    0.384 [0.381 0.386]  1.04 [1.04 1.04]  0.974 [0.952 0.998]  the index on the same nodes, since jobs of many tasks have little of the work
	//   fifo             900.3    1 [1 1]              2.72 [2.7 2.74]   1 [1 1]              first come, first served
	//   advised: index, with a mean completion time 0.368 [0.365 0.37] times fifo's
	//   cannot be told from it here: sjf
	//   made by gittins.NewScheduler with History: forecast.NewBeliefs with a Predictor of predict.New(predict.Config{})
	//
	// What to set
	//   history: before the start, teach the forecast the jobs that have ended, with its method Learn; here it began empty
}

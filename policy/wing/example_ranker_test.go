package wing_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/workload"
)

// aging is a Ranker of one's own: what the user said, and one more for each hour that the job
// has waited. It says beforehand when that will be, so that nobody need ask meanwhile.
type aging struct{}

func (aging) Rank(j *policy.Job, now policy.Time) (priority float64, until policy.Time) {
	hours := now.Sub(j.Submitted) / time.Hour
	return j.Priority + float64(hours), j.Submitted.Add((hours + 1) * time.Hour)
}

// hourly is a job of an hour that takes the whole cluster.
func hourly(id policy.JobID, submitted, priority int) *workload.Job {
	return &workload.Job{
		Job: policy.Job{
			ID: id, Submitted: policy.Time(submitted) * policy.Time(time.Hour), Priority: float64(priority),
			Stages: []policy.Stage{{Tasks: 1, Cores: 4}},
		},
		Runtimes: [][]policy.Duration{{time.Hour}},
	}
}

// Each hour somebody submits a job that is more urgent than job 2. By what users say it waits for
// all of them, by age for those only that came less than four hours after it.
func Example_ranker() {
	list := []*workload.Job{hourly(1, 0, 5), hourly(2, 0, 1)}
	for hour := range 8 {
		list = append(list, hourly(policy.JobID(3+hour), hour, 5))
	}
	for _, ranker := range []wing.Ranker{wing.ByPriority(), aging{}} {
		scheduler, err := wing.NewScheduler(wing.Config{Ranker: ranker})
		if err != nil {
			log.Fatal(err)
		}
		jobs, truth := workload.Split(list)
		result, err := sim.Run(context.Background(), sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 4}), Jobs: jobs, Truth: truth,
		}, scheduler)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%T: job 2 took %v\n", ranker, result.Jobs[1].JCT())
	}
	// Output:
	// wing.Fixed: job 2 took 10h0m0s
	// wing_test.aging: job 2 took 6h0m0s
}

package paper_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/dag/value"
	"example.com/augur/examples/lab/paper"
	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/wing"
	"example.com/augur/policy/wing/pipeline"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// An experiment: two weeks of a small data lake teach what jobs are worth, and the next one is run
// in four orders, on a fifth of the cores that it was made for. The last order is one of our own:
// narrow jobs first. One lake this small proves little; with Seed 3, Wing-Direct is the best.
func Example_experiment() {
	config := paper.DefaultLake()
	config.JobsPerDay, config.Organisations, config.Users, config.Cores = 200, 4, 20, 1000
	lake, err := config.Log()
	if err != nil {
		log.Fatal(err)
	}
	week := 7 * 24 * time.Hour
	result, err := pipeline.Run(lake.Provenance(), pipeline.Config{
		End:     provenance.Time(lake.Begin()), // what comes then must not be known
		Classes: provenance.ClassConfig{Month: week, Months: 2},
	})
	if err != nil {
		log.Fatal(err)
	}
	var live value.Live
	live.Swap(result.Store)
	lookup := func(efficiency func(template, user string) (float64, bool)) wing.Ranker {
		l, err := wing.NewLookup(wing.LookupConfig{Efficiency: efficiency, Template: pipeline.TemplateOf("jobname")})
		if err != nil {
			log.Fatal(err)
		}
		return l
	}
	var queues []wing.Queue // with hard boundaries
	for name, share := range lake.Queues() {
		queues = append(queues, wing.Queue{Name: name, Share: queue.Share{Guaranteed: share, Maximum: share}})
	}
	for _, order := range []struct {
		name   string
		ranker wing.Ranker
	}{
		{"PRIO", wing.ByPriority()},
		{"Wing-Direct", lookup(live.Direct)},
		{"Wing-Agg", lookup(live.Priority)},
		{"narrow first", wing.Fixed(func(j *policy.Job) float64 { return -float64(j.Tasks()) })},
	} {
		scheduler, err := wing.NewScheduler(wing.Config{Ranker: order.ranker, Queues: queues})
		if err != nil {
			log.Fatal(err)
		}
		jobs, truth := workload.SplitSource(lake.Source())
		run, err := sim.Run(context.Background(), sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 10, Cores: 20}), Jobs: jobs, Truth: truth,
		}, scheduler)
		if err != nil {
			log.Fatal(err)
		}
		attained := 0
		for _, j := range run.Jobs {
			if j.Done() {
				attained += lake.Attained(j.ID, j.Ended)
			}
		}
		fmt.Printf("%s: %.0f %% of the value\n", order.name, 100*float64(attained)/float64(lake.Achievable()))
	}
	// Output:
	// PRIO: 49 % of the value
	// Wing-Direct: 63 % of the value
	// Wing-Agg: 68 % of the value
	// narrow first: 27 % of the value
}

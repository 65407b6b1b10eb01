package hopper_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A shown is a policy that says now and then what it is about.
type shown struct {
	*hopper.Scheduler
	next policy.Time
}

func (s *shown) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	actions, err := s.Scheduler.Step(ev, actions)
	if ev.Time < s.next || ev.More {
		return actions, err
	}
	s.next += policy.Time(3 * time.Second)
	for id := policy.JobID(1); id <= 2; id++ {
		if e, ok := s.Explain(id); ok {
			fmt.Printf("%v: job %d %v\n", time.Duration(ev.Time), id, e)
		}
	}
	return actions, err
}

// Two jobs on 8 slots. A task of each straggles, and a copy of it runs for 2 s.
func ExampleScheduler() {
	const s = time.Second
	luck := &workload.Luck{Ratios: []float64{1}, Base: []policy.Duration{2 * s}}
	jobs, truth := workload.Split([]*workload.Job{
		{
			Job:      policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 4, Cores: 1}}},
			Runtimes: [][]policy.Duration{{2 * s, 20 * s, 2 * s, 2 * s}}, Luck: luck,
		},
		{
			Job:      policy.Job{ID: 2, Stages: []policy.Stage{{Tasks: 10, Cores: 1}}},
			Runtimes: [][]policy.Duration{{2 * s, 2 * s, 2 * s, 2 * s, 2 * s, 30 * s, 2 * s, 2 * s, 2 * s, 2 * s}}, Luck: luck,
		},
	})
	config := hopper.DefaultConfig()
	config.Period = s
	p, err := hopper.NewScheduler(config)
	if err != nil {
		log.Fatal(err)
	}
	result, err := sim.Run(context.Background(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 8, Cores: 1}), Jobs: jobs, Truth: truth,
	}, &shown{Scheduler: p})
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range result.Jobs {
		fmt.Printf("job %d is done after %v, with %d copies of %d tasks\n", j.ID, j.JCT(), j.Copies, j.Tasks)
	}
	// Output:
	// 0s: job 1 has 4 slots, 0 of them for copies; is to have 4.4, virtual size 6.67 (tail 1.2, weight 1)
	// 0s: job 2 has 4 slots, 0 of them for copies; is to have 3.6, virtual size 16.7 (tail 1.2, weight 1)
	// 3s: job 1 has 2 slots, 1 of them for copies; is to have 3.6, virtual size 1.67 (tail 1.2, weight 1)
	// 3s: job 2 has 6 slots, 0 of them for copies; is to have 4.4, virtual size 10 (tail 1.2, weight 1)
	// job 1 is done after 4s, with 5 copies of 4 tasks
	// job 2 is done after 6s, with 11 copies of 10 tasks
}

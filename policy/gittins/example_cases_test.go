package gittins_test

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"slices"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/gittins"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// bags are three jobs of 4 tasks of 30 s, 2 of 20 s, and 1 of 50 s.
func bags() []*workload.Job {
	return []*workload.Job{job(1, "", 4, 30*time.Second), job(2, "", 2, 20*time.Second), job(3, "", 1, 50*time.Second)}
}

// ends returns the jobs in the order in which they end on one core.
func ends(list []*workload.Job, turn func(policy.Truth) (central.Turn, error), know func(policy.Truth) (central.Forecast, error)) (order []policy.JobID) {
	jobs, truth := workload.Split(list)
	var c central.Config
	var err error
	if c.Turn, err = turn(truth); err != nil {
		log.Fatal(err)
	}
	if c.Forecast, err = know(truth); err != nil {
		log.Fatal(err)
	}
	scheduler, err := central.New(c)
	if err != nil {
		log.Fatal(err)
	}
	result, err := sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: jobs, Truth: truth}, scheduler)
	if err != nil {
		log.Fatal(err)
	}
	slices.SortFunc(result.Jobs, func(a, b sim.JobRecord) int { return cmp.Compare(a.Ended, b.Ended) })
	for _, j := range result.Jobs {
		order = append(order, j.ID)
	}
	return order
}

func index(policy.Truth) (central.Turn, error)       { return gittins.New(gittins.Config{}) }
func nothing(policy.Truth) (central.Forecast, error) { return forecast.Nothing(), nil }

// With known runtimes it is SRPT.
func ExampleTurn_srpt() {
	srpt := func(truth policy.Truth) (central.Turn, error) { return baseline.SRPT(truth) }
	fmt.Println("index:", ends(bags(), index, forecast.Truth))
	fmt.Println("SRPT: ", ends(bags(), srpt, nothing))
	// Output:
	// index: [2 3 1]
	// SRPT:  [2 3 1]
}

// If nothing is known it is LAS, as on the nodes of Kairos: each job gets its turn.
func ExampleTurn_las() {
	las := func(policy.Truth) (central.Turn, error) {
		return baseline.LAS(queue.MultilevelConfig{First: 1, Growth: 1.2, Levels: 60})
	}
	fmt.Println("index:", ends(bags(), index, nothing))
	fmt.Println("LAS:  ", ends(bags(), las, nothing))
	// Output:
	// index: [3 2 1]
	// LAS:   [3 2 1]
}

// A job that is worth more goes earlier, as Wing's jobs go by value for each core-second.
func ExampleConfig_worth() {
	worth := func(j *policy.Job, _ policy.Time) (float64, policy.Time) {
		return map[policy.JobID]float64{1: 30, 2: 1, 3: 1}[j.ID], policy.Never
	}
	valued := func(policy.Truth) (central.Turn, error) { return gittins.New(gittins.Config{Worth: worth}) }
	fmt.Println(ends(bags(), valued, forecast.Truth))
	// Output: [1 2 3]
}

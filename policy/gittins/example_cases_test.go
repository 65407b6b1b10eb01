package gittins_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/gittins"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
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

func index(policy.Truth) (central.Turn, error)       { return gittins.NewTurn(gittins.Config{}) }
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

// History gives a distribution, as in 3Sigma. Half of the tasks of "check" take 2 s and half 80 s; those of "index"
// take 20 s. By the mean "index" is shorter. But one task of "check" tells whether the others are short.
func ExampleTurn_distribution() {
	list := []*workload.Job{job(1, "index", 10, 20*time.Second), job(2, "check", 10, 2*time.Second)}
	shortest := func(policy.Truth) (central.Turn, error) { return baseline.Shortest(), nil }
	fmt.Println("index:         ", ends(list, index, past("check", 2*time.Second, 80*time.Second, "index", 20*time.Second, 20*time.Second)))
	fmt.Println("shortest mean: ", ends(list, shortest, past("check", 2*time.Second, 80*time.Second, "index", 20*time.Second, 20*time.Second)))
	// Output:
	// index:          [2 1]
	// shortest mean:  [1 2]
}

// Some tasks of the job have finished, as in SLearn. Nothing is known of the two jobs but that tasks take 1 to 100 s.
// One task of each runs first, and what they tell decides: job 2 goes on after its first task, and job 1 waits.
func ExampleTurn_pilots() {
	list := []*workload.Job{job(1, "new", 4, 40*time.Second), job(2, "new", 4, 2*time.Second)}
	fmt.Println("index:", ends(list, index, past("old", time.Second, 100*time.Second, "older", 5*time.Second, 20*time.Second)))
	fmt.Println("FIFO: ", ends(list, func(policy.Truth) (central.Turn, error) { return baseline.FIFO(), nil }, nothing))
	// Output:
	// index: [2 1]
	// FIFO:  [1 2]
}

// past returns a forecast that has seen 200 jobs of each of two programs, whose tasks run for the one or the other
// time.
func past(program string, one, other policy.Duration, program2 string, one2, other2 policy.Duration) func(policy.Truth) (central.Forecast, error) {
	return func(policy.Truth) (central.Forecast, error) {
		history, err := predict.New(predict.Config{Features: []string{"program"}})
		if err != nil {
			return nil, err
		}
		beliefs, err := forecast.NewBeliefs(forecast.BeliefsConfig{Predictor: history})
		if err != nil {
			return nil, err
		}
		rng := rand.New(rand.NewPCG(1, 1))
		for i := range policy.Time(200) {
			k := rng.IntN(2)
			err := errors.Join(
				beliefs.Learn(&job(1, program, 1, 0).Job, []policy.Duration{one, other}[k:k+1], i),
				beliefs.Learn(&job(2, program2, 1, 0).Job, []policy.Duration{one2, other2}[k:k+1], i),
			)
			if err != nil {
				return nil, err
			}
		}
		return beliefs, nil
	}
}

// A job that is worth more goes earlier, as Wing's jobs go by value for each core-second.
func ExampleConfig_worth() {
	worth := func(j *policy.Job, _ policy.Time) (float64, policy.Time) {
		return map[policy.JobID]float64{1: 30, 2: 1, 3: 1}[j.ID], policy.Never
	}
	valued := func(policy.Truth) (central.Turn, error) { return gittins.NewTurn(gittins.Config{Worth: worth}) }
	fmt.Println(ends(bags(), valued, forecast.Truth))
	// Output: [1 2 3]
}

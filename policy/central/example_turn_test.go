package central_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A roundRobin lets one job after the other start one task.
type roundRobin struct{ waiting []*central.Job }

// This turn needs neither the books nor the events.
func (*roundRobin) Bind(central.Books) error               { return nil }
func (*roundRobin) Note(*policy.Event, *central.Job) error { return nil }

// Began is optional. It hears that j has started a task, which puts j at the end.
func (r *roundRobin) Began(j *central.Job, _ policy.Copy, _ bool) {
	if i := slices.Index(r.waiting, j); i >= 0 {
		r.waiting = append(slices.Delete(r.waiting, i, i+1), j)
	}
}

// Claim hears whether j has something to start.
func (r *roundRobin) Claim(j *central.Job, c central.Claim) {
	switch i := slices.Index(r.waiting, j); {
	case c.Wants && i < 0:
		r.waiting = append(r.waiting, j)
	case !c.Wants && i >= 0:
		r.waiting = slices.Delete(r.waiting, i, i+1)
	}
}

// Next returns whose turn it is.
func (r *roundRobin) Next() *central.Job {
	if len(r.waiting) == 0 {
		return nil
	}
	return r.waiting[0]
}

// A turn of one's own, written from scratch. Three jobs come at once to one core, with tasks of a second.
func ExampleTurn() {
	s, err := central.New(central.Config{Turn: new(roundRobin)})
	if err != nil {
		log.Fatal(err)
	}
	var list []*workload.Job
	for i, tasks := range []uint32{3, 3, 1} {
		list = append(list, &workload.Job{
			Job:      policy.Job{ID: policy.JobID(i + 1), Stages: []policy.Stage{{Tasks: tasks, Cores: 1}}},
			Runtimes: [][]policy.Duration{slices.Repeat([]policy.Duration{1e9}, int(tasks))},
		})
	}
	jobs, truth := workload.Split(list)
	result, err := sim.Run(context.Background(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: jobs, Truth: truth}, s)
	if err != nil {
		log.Fatal(err)
	}
	for _, j := range result.Jobs {
		fmt.Printf("job %d has %d tasks and is done after %v\n", j.ID, j.Tasks, j.JCT())
	}
	// Output:
	// job 1 has 3 tasks and is done after 6s
	// job 2 has 3 tasks and is done after 7s
	// job 3 has 1 tasks and is done after 3s
}

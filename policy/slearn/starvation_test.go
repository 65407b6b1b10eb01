package slearn_test

import (
	"errors"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
	"example.com/augur/queue"
)

// A job of the lowest queue finishes under a permanent overload of short jobs, and no later
// than the bound of queue.Sharing says: between two of its turns each other queue is charged
// at most for c times the ratio of their weights, and one task more, where c is what the job
// was charged for its last turn.
func TestLowestQueueDoesNotStarve(t *testing.T) {
	const (
		tasks = 8 // of the long job, 5 s each
		ratio = 100.
	)
	jobs := []*workload.Job{bag(1, 0, 5*s, 5*s, 5*s, 5*s, 5*s, 5*s, 5*s, 5*s)}
	for id := policy.JobID(2); id < 4500; id++ { // twice what the core can do
		jobs = append(jobs, bag(id, policy.Duration(id-2)*s, 2*s))
	}
	for _, test := range []struct {
		rule   queue.ShareRule
		bound  float64 // s; by use, the first slot of a queue comes before the second of any other
		starve bool
	}{
		{queue.ByService, tasks * (5 + ratio*5 + 2), false},
		{queue.ByUse, tasks * (5 + 2 + 2), false},
		{queue.ByNextUse, 0, true},
	} {
		c := slearn.DefaultGS(plans(func(j *policy.Job) slearn.Plan {
			if j.ID == 1 {
				return slearn.Plan{Work: 1e9}
			}
			return slearn.Plan{Work: 2}
		}))
		c.Queues = queue.MultilevelConfig{Levels: 3, First: 10, Growth: 10}
		c.Sharing = test.rule
		js, truth := workload.Split(workload.Of(jobs))
		over, end := errors.New("over"), 0.0
		_, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: js, Truth: truth},
			watch{must(slearn.NewGS(c)), func(ev *policy.Event, _ []policy.Action) error {
				if ev.Kind == policy.Ended && ev.Copy.Job == 1 {
					end = ev.Time.Seconds()
				}
				if ev.Time > policy.Time(4400*s) {
					return over
				}
				return nil
			}})
		if !errors.Is(err, over) {
			t.Fatal(err)
		}
		if starved := end == 0; starved != test.starve || end > test.bound {
			t.Errorf("rule %d: the long job ended at %v s (0: never), want that by %v s, or never: %v", test.rule, end, test.bound, test.starve)
		}
	}
}

package baseline

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Nodes are lost, the policy is restarted, tasks break, and no task is forgotten.
func TestNothingIsLostWithNodes(t *testing.T) {
	g := workload.DefaultHeavyTail()
	g.Jobs, g.Seed = 400, 3
	c := newClasses(t, g, 0.8)
	for _, test := range []struct {
		name string
		new  func(policy.Truth) (policy.Scheduler, error)
	}{{"Sparrow", c.sparrow}, {"Hawk", c.hawk}, {"Eagle", c.eagle}, {"BigC", c.bigC}} {
		t.Run(test.name, func(t *testing.T) {
			known, err := truthOf(c.jobs)
			if err != nil {
				t.Fatal(err)
			}
			p, err := test.new(known)
			if err != nil {
				t.Fatal(err)
			}
			r, err := simulate(t, sim.Config{
				Nodes: sim.Cluster(sim.Partition{Nodes: c.nodes, Cores: 1}), Delay: s / 1000,
				MaxFailures: 100,
				Faults: sim.Faults{
					Seed: 5, MeanUp: 3600 * s, MeanDown: 120 * s, TaskFailure: 0.01,
					Restarts:  []policy.Time{policy.Time(300 * s), policy.Time(900 * s)},
					NewPolicy: func() (policy.Scheduler, error) { return test.new(known) },
				},
			}, c.jobs, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, j := range r.Jobs {
				if j.Outcome != policy.Done {
					t.Errorf("job %d ended as %v, want it done", j.ID, j.Outcome)
				}
			}
		})
	}
}

// truthOf returns a truth that forgets nothing, for policies that are made anew.
func truthOf(jobs []*workload.Job) (policy.Truth, error) {
	js, truth := workload.Split(jobs)
	for _, err := range js {
		if err != nil {
			return nil, err
		}
	}
	return truth, nil
}

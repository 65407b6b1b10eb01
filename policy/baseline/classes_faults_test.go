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

// A job that finds no room for long, here for want of memory, keeps sending probes that are
// refused, but no more of them the longer it waits; and in the end it is done, also where probes stay
// on their nodes for more.
func TestRefusedProbesDoNotMultiply(t *testing.T) {
	const ticks = 40
	for name, make := range map[string]func() policy.Scheduler{
		"Sparrow": func() policy.Scheduler { return sparrow() },
		"Eagle":   func() policy.Scheduler { return eagle(nil) },
	} {
		fills, waits := bag(1, 0, ticks*s, ticks*s), bag(2, 0, s, s, s, s, s)
		fills.Stages[0].Memory, waits.Stages[0].Memory = 8, 4
		jobs := []*workload.Job{fills, waits}
		for i := range policy.Duration(ticks) {
			jobs = append(jobs, bag(policy.JobID(3+i), i*s, s/2))
		}
		config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 4, Memory: 8})}
		r, err := simulate(t, config, jobs, make())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		// Each instant, all of 20 + 4*5 probes may be refused, in about seven events each, and there
		// are two of them a tick.
		if most := int64(40 * 7 * 2 * ticks); r.Events > most {
			t.Errorf("%s: %d events, want at most %d", name, r.Events, most)
		}
		for _, j := range r.Jobs {
			if !j.Done() {
				t.Errorf("%s: job %d ended as %v", name, j.ID, j.Outcome)
			}
		}
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

package catalog

import (
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A policy takes over from one that suspends tasks. What it finds suspended goes on, and every job is done.
func TestSuspendedTasksOfAnotherPolicyGoOn(t *testing.T) {
	for _, p := range Named() {
		if p.Lake {
			continue
		}
		var jobs []*workload.Job
		for id := range policy.JobID(12) {
			jobs = append(jobs, bag(id+1, time.Duration(id)*2*time.Second, time.Duration(1+id%4)*10*time.Second, 4, policy.Stage{}))
		}
		config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 2})}
		config.Jobs, config.Truth = workload.Split(jobs)
		asked := 0
		config.Watch = func(_ policy.NodeID, ev *policy.Event) {
			if ev.Kind == policy.Suspended && ev.Replay {
				asked++
			}
		}
		setting := Setting{Truth: config.Truth, Seed: 1}
		config.Faults.Restarts = []policy.Time{policy.Time(31 * time.Second)}
		config.Faults.NewPolicy = func() (policy.Scheduler, error) { return p.New(setting) }
		first, err := New("fair@adaptive", setting)
		if err != nil {
			t.Fatal(err)
		}
		result, err := sim.Run(t.Context(), config, first)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		if bad := slices.IndexFunc(result.Jobs, func(j sim.JobRecord) bool { return j.Outcome != policy.Done }); bad >= 0 {
			t.Errorf("%s: job %d is %v, want all Done", p.Name, result.Jobs[bad].ID, result.Jobs[bad].Outcome)
		}
		if asked == 0 {
			t.Errorf("%s: nothing was suspended when it took over", p.Name)
		}
	}
}

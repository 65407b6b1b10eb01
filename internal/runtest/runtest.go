// Package runtest runs jobs in tests that are about the jobs.
package runtest

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// Run runs jobs under a policy on what c has besides.
func Run(t testing.TB, c sim.Config, jobs []*workload.Job, p policy.Scheduler) *sim.Result {
	t.Helper()
	c.Jobs, c.Truth = workload.Split(jobs)
	result, err := sim.Run(t.Context(), c, p)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// FIFO runs jobs under FIFO and checks that all are done.
func FIFO(t testing.TB, jobs []*workload.Job, partitions ...sim.Partition) *sim.Result {
	t.Helper()
	result := Run(t, sim.Config{Nodes: sim.Cluster(partitions...)}, jobs, baseline.NewFIFO())
	if len(result.Jobs) != len(jobs) {
		t.Fatalf("got records of %d jobs, want %d", len(result.Jobs), len(jobs))
	}
	for _, r := range result.Jobs {
		if r.Outcome != policy.Done {
			t.Fatalf("job %d is %v, want done", r.ID, r.Outcome)
		}
	}
	return result
}

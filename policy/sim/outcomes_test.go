package sim_test

import (
	"runtime"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
)

// A job may have any ID, and a large one does not cost the room of all that are smaller: in
// a table by ID no more than an eighth of a byte each.
func TestSparseJobIDs(t *testing.T) {
	const large = 1 << 28
	first, last := bag(1, 0, s), bag(large, s, s)
	last.Inputs = &policy.Inputs{Jobs: []policy.JobID{1}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r := run(t, sim.Config{}, baseline.NewFIFO(), first, last)
	runtime.ReadMemStats(&after)
	for _, j := range r.Jobs {
		if j.Outcome != policy.Done {
			t.Errorf("job %d has ended with %v", j.ID, j.Outcome)
		}
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > large/2 {
		t.Errorf("allocated %d bytes for two jobs, want at most %d", got, large/2)
	}
}

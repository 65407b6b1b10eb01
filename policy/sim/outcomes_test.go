package sim_test

import (
	"math"
	"runtime"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
)

// A job may have any ID, and the largest does not cost the room of all that are smaller.
func TestLargestJobID(t *testing.T) {
	if testing.Short() {
		t.Skip("tables take half a gigabyte of addresses")
	}
	first, last := bag(1, 0, s), bag(math.MaxUint32, s, s)
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
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<30 {
		t.Errorf("allocated %d bytes for two jobs, want less than 2^30", got)
	}
}

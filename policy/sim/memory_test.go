package sim_test

import (
	"math"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
)

// huge is so much memory that the sum for a few tasks does not fit into an int64.
const huge = 1 << 61

// Where memory is not accounted for there is always enough, also beside nodes on which it is, and where it is
// accounted for any amount is counted exactly.
func TestHugeMemory(t *testing.T) {
	unlimited := sim.Partition{Nodes: 1, Cores: 8}
	for _, test := range []struct {
		name  string
		nodes []sim.Partition
		each  int64
		gang  bool
		end   float64 // of the last of 8 tasks of 1 s each; 0: they are too large
	}{
		{"tasks", []sim.Partition{unlimited}, huge, false, 1},
		{"tasks of the largest size", []sim.Partition{unlimited}, math.MaxInt64, false, 1},
		{"gang", []sim.Partition{unlimited}, huge, true, 1},
		{"tasks beside a small node", []sim.Partition{{Nodes: 1, Cores: 8, Memory: 8}, unlimited}, huge, false, 1},
		{"gang beside a small node", []sim.Partition{{Nodes: 1, Cores: 8, Memory: 8}, unlimited}, huge, true, 1},
		{"tasks on a large node", []sim.Partition{{Nodes: 1, Cores: 8, Memory: math.MaxInt64}}, huge, false, 3}, // 3 at a time
		{"gang on a large node", []sim.Partition{{Nodes: 1, Cores: 8, Memory: math.MaxInt64}}, huge, true, 0},
		{"gang on three large nodes", []sim.Partition{{Nodes: 3, Cores: 8, Memory: math.MaxInt64}}, huge, true, 1},
		{"gang on small nodes", []sim.Partition{{Nodes: 2, Cores: 8, Memory: 8}}, huge, true, 0},
	} {
		j := bag(1, 0, s, s, s, s, s, s, s, s)
		j.Stages[0].Memory, j.Stages[0].Gang = test.each, test.gang
		r, err := try(t, sim.Config{Nodes: sim.Cluster(test.nodes...)}, baseline.NewFIFO(), j)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if test.end == 0 {
			if got := r.Jobs[0].Outcome; got != policy.TooLarge {
				t.Errorf("%s: the job is %v, want TooLarge", test.name, got)
			}
		} else if got := r.Jobs[0].Ended.Seconds(); !r.Jobs[0].Done() || got != test.end {
			t.Errorf("%s: the job is %v at %v s, want Done at %v s", test.name, r.Jobs[0].Outcome, got, test.end)
		}
	}
}

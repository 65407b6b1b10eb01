package experiment_test

import (
	"math"
	"slices"
	"testing"

	"example.com/augur/policy/sim"
)

// A core of speed 2 is worth two, and no policy has a mean below the bound.
func TestSpeeds(t *testing.T) {
	c := config("fifo:fastest", "srpt:fastest")
	c.Nodes = sim.Cluster(sim.Partition{Nodes: 2, Cores: 4}, sim.Partition{Nodes: 2, Cores: 4, Speed: 2})
	c.Loads = []float64{0.1, 0.9}
	r := mustRun(t, c)
	if want := []string{"the nodes have speeds of 1 to 2: loads are of 24 cores of speed 1"}; !slices.Equal(r.Notes, want) {
		t.Errorf("notes %q, want %q", r.Notes, want)
	}
	c.Nodes = sim.Cluster(sim.Partition{Nodes: 4, Cores: 6})
	for i, alike := range mustRun(t, c).Runs {
		if got := r.Runs[i]; got.LoadSpan != alike.LoadSpan || *got.Load != *alike.Load || math.Abs(*got.Load-c.Loads[i]) > 1e-6 || got.Cores != 16 {
			t.Errorf("load %v is %v in %v s on %d cores; on as many of speed 1 it is in %v s", c.Loads[i], *got.Load, got.LoadSpan, got.Cores, alike.LoadSpan)
		}
		for _, p := range r.Runs[i].Policies {
			if !(*p.Ratios.Bound >= 1) {
				t.Errorf("at load %v the mean of %s is %v of the bound, want at least 1", c.Loads[i], p.Policy, *p.Ratios.Bound)
			}
		}
	}
}

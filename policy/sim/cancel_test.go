package sim_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A run ends soon after its context, with the error of that and no result.
func TestRunEndsWithItsContext(t *testing.T) {
	jobs := []*workload.Job{bag(1, 0, slices.Repeat([]policy.Duration{s}, 100_000)...)}
	for _, first := range []bool{false, true} { // before it begins, and on the way
		ctx, stop := context.WithCancel(t.Context())
		source, truth := workload.Split(jobs)
		last := int64(0)
		config := sim.Config{
			Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 4}), Jobs: source, Truth: truth,
			Progress: func(_ int, events int64) { last = events; stop() },
		}
		if first {
			stop()
		}
		result, err := sim.Run(ctx, config, baseline.NewFIFO())
		if !errors.Is(err, context.Canceled) || result != nil {
			t.Errorf("got %v and error %v, want no result and %v", result, err, context.Canceled)
		}
		if last > 2*1<<16 {
			t.Errorf("ended after %d events, want no more than 131,072", last)
		}
		stop()
	}
}

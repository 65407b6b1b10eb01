package sim_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

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

// Nor does a clock that jumps every other nanosecond, for hours, keep a run from ending with its context.
func TestRunEndsWithItsContextAmongJumps(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), time.Second/10)
	defer stop()
	jobs, truth := workload.Split([]*workload.Job{bag(1, 0, 10_000*s)})
	_, err := sim.Run(ctx, sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: jobs, Truth: truth,
		Faults: sim.Faults{MeanSteady: 1, MeanJump: 1},
	}, baseline.NewFIFO())
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got error %v, want %v", err, context.DeadlineExceeded)
	}
}

// Nor do jobs without end, all of one instant, of which the policy is told when the last has come.
func TestRunEndsWithItsContextAmongJobs(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	const most = 100_000
	read := 0
	_, truth := workload.Split(nil)
	_, err := sim.Run(ctx, sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Truth: truth,
		Jobs: func(yield func(*policy.Job, error) bool) {
			for read < most {
				if read++; read == 10 {
					stop()
				}
				if !yield(&policy.Job{ID: policy.JobID(read), Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}, nil) {
					return
				}
			}
		},
	}, baseline.NewFIFO())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
	if read > 2000 {
		t.Errorf("%d jobs were read, want no more than 2,000, of which the context ended at 10", read)
	}
}

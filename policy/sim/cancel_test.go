package sim_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

func runEndsWithItsContext(t *testing.T) {
	jobs := []*workload.Job{bag(1, 0, slices.Repeat([]policy.Duration{s}, 100)...)}
	for _, at := range []int{0, 1, 2, 100} { // steps taken by then; 0: before it begins
		ctx, stop := context.WithCancel(t.Context())
		source, truth := workload.Split(jobs)
		steps := 0
		p := &watcher{baseline.NewFIFO(), func(*policy.Event) {
			if steps++; steps == at {
				stop()
			}
		}}
		if at == 0 {
			stop()
		}
		result, err := sim.Run(ctx, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 4}), Jobs: source, Truth: truth}, p)
		if !errors.Is(err, context.Canceled) || result != nil {
			t.Errorf("step %d: got %v and error %v, want no result and %v", at, result, err, context.Canceled)
		}
		if steps != at {
			t.Errorf("ended after %d steps, want %d", steps, at)
		}
		stop()
	}
}

// The host is told of progress before a slow policy has taken long.
func TestRunTellsOfProgress(t *testing.T) {
	jobs, truth := workload.Split([]*workload.Job{bag(1, 0, s), bag(2, 1*s, slices.Repeat([]policy.Duration{s}, 100)...)})
	steps := int64(0)
	var told []string
	p := &watcher{baseline.NewFIFO(), func(*policy.Event) { steps++ }}
	_, err := sim.Run(t.Context(), sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 4}), Jobs: jobs, Truth: truth,
		Progress: func(ended int, events int64) {
			told = append(told, fmt.Sprint(steps, ": ", events, " events, ", ended, " jobs"))
		},
	}, p)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"64: 64 events, 1 jobs", "128: 128 events, 1 jobs", "192: 192 events, 1 jobs"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
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
	if read != 10 {
		t.Errorf("%d jobs were read, want 10, at which the context ended", read)
	}
}

package sim_test

import (
	"errors"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/check"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A job is asked for when the one before it is submitted, and however a run ends, the sequence that they
// come from ends with it: it may hold a file.
func TestJobsAreReadAsTheyComeAndLetGo(t *testing.T) {
	torn := errors.New("torn")
	for _, test := range []struct {
		name   string
		last   error // what comes after three jobs
		answer func(*policy.Event) []policy.Action
		want   func(error) bool
		yields int
	}{
		{name: "all is done", want: func(err error) bool { return err == nil }, yields: 3},
		{name: "an error", last: torn, want: func(err error) bool { return errors.Is(err, torn) }, yields: 3},
		{name: "a violation", answer: func(*policy.Event) []policy.Action {
			return list(start(task(1, 0, 5), 0))
		}, want: func(err error) bool { return errors.As(err, new(*check.Violation)) }, yields: 2},
	} {
		yielded, ended := 0, false
		jobs := func(yield func(*workload.Job, error) bool) {
			defer func() { ended = true }()
			for id := range policy.JobID(3) {
				yielded++
				if !yield(bag(id+1, policy.Duration(id)*s, s), nil) {
					return
				}
			}
			if test.last != nil {
				yield(nil, test.last)
			}
		}
		var p policy.Scheduler = baseline.NewFIFO()
		if test.answer != nil {
			p = quiet(test.answer)
		}
		seen, truth := workload.SplitSource(jobs)
		_, err := sim.Run(t.Context(), sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Jobs: seen, Truth: truth}, p)
		if !test.want(err) {
			t.Errorf("%s: got error %v", test.name, err)
		}
		if yielded != test.yields || !ended {
			t.Errorf("%s: got %d jobs read, and the sequence ended: %v, want %d and true", test.name, yielded, ended, test.yields)
		}
	}
}

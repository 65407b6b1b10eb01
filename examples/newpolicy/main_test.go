package main

import (
	"bytes"
	"os"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
)

// The policy keeps to the contract: this is all that a test of one needs.
func TestSmallest(t *testing.T) {
	policytest.Test(t, policytest.Config{
		New: func(policy.Truth) (policy.Scheduler, error) { return new(smallest), nil },
	})
}

// The program is as short as its readers are told.
func TestFiftyLines(t *testing.T) {
	program, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	if lines := bytes.Count(program, []byte("\n")); lines > 50 {
		t.Errorf("main.go has %d lines, want at most 50", lines)
	}
}

// The order is by the time that is requested for all tasks together.
func TestOrder(t *testing.T) {
	view := func(requested policy.Duration, tasks uint32) *policy.JobView[struct{}] {
		return &policy.JobView[struct{}]{Job: &policy.Job{Requested: requested, Stages: []policy.Stage{{Tasks: tasks, Cores: 1}}}}
	}
	for _, test := range []struct {
		a, b *policy.JobView[struct{}]
		want int
	}{
		{view(1e9, 3), view(2e9, 2), -1},
		{view(1e9, 4), view(2e9, 2), 0},
		{view(1e9, 5), view(2e9, 2), 1},
		{view(1e18, 1<<20), view(1e18, 1<<19), 1}, // what they ask for is more than a Duration holds
	} {
		if got := order(test.a, test.b); got != test.want {
			t.Errorf("order %d, want %d", got, test.want)
		}
	}
}

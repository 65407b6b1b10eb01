package sim_test

import (
	"errors"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/check"
	"example.com/augur/policy/sim"
)

// Policies that go round in a circle at one instant.
func TestRunFindsACircle(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, in one goroutine")
	}
	for name, answer := range map[string]func(ev *policy.Event) []policy.Action{
		"wakes itself now": func(ev *policy.Event) []policy.Action {
			if ev.Kind == policy.Ready {
				return list(start(task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: ev.Time})
			}
			return list(policy.Action{Kind: policy.Wake, At: ev.Time})
		},
		"suspends and resumes": func(ev *policy.Event) []policy.Action {
			switch ev.Kind {
			case policy.Ready:
				return list(start(task(1, 0, 0), 0))
			case policy.Started, policy.Resumed:
				return list(do(policy.Suspend, task(1, 0, 0), 0))
			case policy.Suspended:
				return list(do(policy.Resume, task(1, 0, 0), 0))
			}
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := try(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1})}, quiet(answer), bag(1, 0, s, s))
			var v *check.Violation
			if !errors.As(err, &v) || v.Rule != "No circles" {
				t.Errorf("error %v, want a violation of No circles", err)
			}
		})
	}
}

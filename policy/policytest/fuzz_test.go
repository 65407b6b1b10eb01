package policytest_test

import (
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
)

func FuzzFewest(f *testing.F) {
	policytest.Fuzz(f, policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return newFewest(), nil }})
}

func FuzzAssigner(f *testing.F) {
	policytest.Fuzz(f, policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return newAssigner(), nil }, Prepare: bags})
}

// Scripts find the broken policies out too, those whose fault is not in what the host cannot see.
func TestScriptsFindBrokenPolicies(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	const most = 150 // scripts
	unseen := []string{"clock", "parts", "goroutines", "events", "allocs"}
	for _, test := range slices.Concat(badGuests, badMachines) {
		if slices.Contains(unseen, test.rule) {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			for seed := range uint64(most) {
				f := policytest.Drive(test.c, seed)
				if f == nil || f.Rule == "illegal" && test.rule == "legal" {
					continue
				}
				if f.Rule != test.rule {
					t.Errorf("seed %d: found to break rule %q, want %q: %v", seed, f.Rule, test.rule, f)
				}
				return
			}
			t.Errorf("none of %d scripts finds it", most)
		})
	}
}

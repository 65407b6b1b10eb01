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

// Scripts find the broken policies out too, but for faults that a host of this kind cannot see: how long
// room stands empty is measured in scenes of small tasks only.
func TestScriptsFindBrokenPolicies(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	const most = 150 // scripts
	unseen := []string{"idle", "clock", "parts", "goroutines", "events", "allocs"}
	for _, test := range slices.Concat(badGuests, badMachines) {
		if slices.Contains(unseen, test.rule) {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			for seed := range uint64(most) {
				f := policytest.Drive(test.c, seed)
				// What panics, or answers otherwise each time, may do so just after an impossible event.
				if f == nil || f.Rule == "illegal" && (test.rule == "legal" || test.rule == "repeat") {
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

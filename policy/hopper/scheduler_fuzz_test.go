package hopper_test

import (
	"maps"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/policytest"
)

// Each allocator with each rule of speculation, at least once.
func FuzzScheduler(f *testing.F) {
	var configs []policytest.Config
	all := schedulers(f)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		configs = append(configs, policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
			return hopper.NewScheduler(all[name])
		}})
	}
	policytest.Fuzz(f, configs...)
}

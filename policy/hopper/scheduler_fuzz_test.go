package hopper_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/policytest"
)

// Each allocator with each rule of speculation, at least once.
func FuzzScheduler(f *testing.F) {
	var configs []policytest.Config
	for _, c := range settings(f) {
		configs = append(configs, policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
			return hopper.NewScheduler(c.Config)
		}})
	}
	policytest.Fuzz(f, configs...)
}

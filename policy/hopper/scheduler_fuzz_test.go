package hopper_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
)

// Each turn with each rule of speculation, at least once.
func FuzzScheduler(f *testing.F) {
	var configs []policytest.Config
	for _, c := range settings(f) {
		configs = append(configs, policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) {
			return c.scheduler()
		}})
	}
	policytest.Fuzz(f, configs...)
}

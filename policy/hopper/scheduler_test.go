package hopper_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
)

// Whatever fits is started at once, but for what slots are kept from.
func TestSchedulerConformance(t *testing.T) {
	for _, c := range settings(t) {
		t.Run(c.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				New:       func(policy.Truth) (policy.Scheduler, error) { return c.scheduler() },
				Allocates: c.Keep, // then jobs come faster than they end
				Keeps: func(p policy.Scheduler, task policy.Task, _ policy.NodeID) bool {
					return p.(*line).Keeps(task.Job)
				},
			})
		})
	}
}

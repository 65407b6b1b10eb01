package kairos

import (
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/policytest"
)

// A withNodes is a scheduler that says what its nodes have.
type withNodes struct {
	*central.Distributed
	nodes *Nodes
}

// Whatever fits is started at once, but for what is on its way to a node, and for a second in which a job waits after a refusal.
func TestAdaptiveConformance(t *testing.T) {
	policytest.Test(t, policytest.Config{
		New: func(policy.Truth) (policy.Scheduler, error) {
			n := jobtest.Must(NewAdaptiveNodes(AdaptiveConfig{}))
			return withNodes{under(baseline.Fair(), n), n}, nil
		},
		Prepare: alone,
		Keeps: func(p policy.Scheduler, task policy.Task, node policy.NodeID) bool {
			for _, copy := range p.(withNodes).nodes.centre.on(task.Job) {
				if copy.Task == task {
					return true
				}
			}
			return paused(p, task, node)
		},
	})
}

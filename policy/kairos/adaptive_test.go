package kairos_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/policytest"
)

// An adaptiveNodes is a scheduler that says what its nodes have.
type adaptiveNodes struct {
	*central.Distributed
	*kairos.Nodes
}

func (a adaptiveNodes) Part(n *policy.Node) policy.Scheduler { return a.Distributed.Part(n) }

// adaptive returns adaptive nodes under a turn.
func adaptive(turn central.Turn) (a adaptiveNodes, err error) {
	if a.Nodes, err = kairos.NewAdaptiveNodes(kairos.AdaptiveConfig{}); err == nil {
		a.Distributed, err = central.NewDistributed(central.Config{Turn: turn, Node: a.Nodes})
	}
	return a, err
}

// Whatever fits is started at once, but for what is on its way to a node, and for a second in which a job waits after a refusal.
func TestAdaptiveConformance(t *testing.T) {
	for _, test := range []struct {
		name string
		turn func() central.Order
	}{{"fair", baseline.Fair}, {"fewest", baseline.Fewest}} {
		c := policytest.Config{
			New:     func(policy.Truth) (policy.Scheduler, error) { return adaptive(test.turn()) },
			Prepare: alone,
			Keeps: func(p policy.Scheduler, task policy.Task, node policy.NodeID) bool {
				return paused(p, task, node) || p.(adaptiveNodes).Sent(task)
			},
		}
		t.Run(test.name, func(t *testing.T) { policytest.Test(t, c) })
	}
}

package baseline

import (
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// BestFit places a task on the node where the least is left: the sum of the free shares of its cores and of each named
// resource. So wide tasks find room for longer. A gang, which may take several nodes, goes anywhere. It takes time in
// proportion to the nodes with free cores.
func BestFit() central.Placer {
	return &best{better: func(p *best, _ *policy.Stage, a, b policy.NodeID) bool { return p.view.Left(a) < p.view.Left(b) }}
}

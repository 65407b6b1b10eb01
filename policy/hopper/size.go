package hopper

import (
	"fmt"
	"math"
)

// Size returns what part of a cluster a job wants that takes demands of several resources, for
// all its tasks left together, of a cluster with such capacities:
//
//	mean over the resources of demand / capacity
//
// each of equal weight. As [Demand.Tasks] it goes with slots that are parts of the cluster too: 1 is all.
// Twice the cluster is 2. Demands must be finite and at least 0, capacities finite and greater than
// 0, of the same resources in the same order.
//
// # Source
//
// Hopper, section 6.3, footnote 2.
func Size(demands, capacities []float64) (float64, error) {
	if len(demands) != len(capacities) || len(demands) == 0 {
		return 0, fmt.Errorf("hopper: demands are of %d resources and capacities of %d, must be as many, and at least 1",
			len(demands), len(capacities))
	}
	sum := 0.0
	for i, demand := range demands {
		if !(demand >= 0) || math.IsInf(demand, 1) {
			return 0, fmt.Errorf("hopper: demand of resource %d is %v, must be finite and ≥ 0", i, demand)
		}
		if capacity := capacities[i]; !(capacity > 0) || math.IsInf(capacity, 1) {
			return 0, fmt.Errorf("hopper: capacity of resource %d is %v, must be finite and > 0", i, capacity)
		}
		sum += demand / capacities[i]
	}
	return sum / float64(len(demands)), nil
}

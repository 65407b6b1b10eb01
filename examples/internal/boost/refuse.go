package boost

import (
	"fmt"
	"math"
)

// A ClusterQueue is what of one decides whether its workloads may be boosted. The policies are as Kueue spells them, "" for Never.
type ClusterQueue struct {
	Name       string
	Within     string   // preemption.withinClusterQueue
	Reclaim    string   // preemption.reclaimWithinCohort
	Borrow     string   // preemption.borrowWithinCohort.policy
	Unlabelled []string // those of its LocalQueues, as NAMESPACE/NAME, whose workloads get no boosts
}

// Refuse returns why the workloads of ClusterQueues that are in one cohort must not be boosted, and "" if they may.
//
// Kueue compares boosted priorities where a policy of preemption is LowerPriority or LowerOrNewerEqualPriority: a workload
// that is predicted to run shortly would stop another of its class that runs. It compares them too where workloads of a ClusterQueue, and the
// heads of those of a cohort, are ordered: what gets no boosts would come last.
func Refuse(cohort []ClusterQueue) string {
	for _, q := range cohort {
		for _, p := range []struct{ field, policy string }{
			{"withinClusterQueue", q.Within},
			{"reclaimWithinCohort", q.Reclaim},
			{"borrowWithinCohort.policy", q.Borrow},
		} {
			if p.policy == "LowerPriority" || p.policy == "LowerOrNewerEqualPriority" {
				return fmt.Sprintf("ClusterQueue %s has preemption.%s: %s, by which a boost would stop workloads that run; want Never (or Any for reclaimWithinCohort)", q.Name, p.field, p.policy)
			}
		}
		if len(q.Unlabelled) > 0 {
			return fmt.Sprintf("LocalQueue %s, of ClusterQueue %s, is not labelled, so its workloads would come after all boosted ones; label all LocalQueues of a ClusterQueue and its cohort, or none", q.Unlabelled[0], q.Name)
		}
	}
	return ""
}

// Room returns the greatest boost of workloads of a base priority that keeps them below the next higher of those in use, and
// math.MaxInt32 if there is none.
func Room(base int32, inUse []int32) int32 {
	room := int64(math.MaxInt32)
	for _, p := range inUse {
		if p > base {
			room = min(room, int64(p)-int64(base)-1)
		}
	}
	return int32(room)
}

package kairos_test

import (
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/workload"
)

// alone takes away from a job what Kairos does not run.
func alone(j *workload.Job) {
	for i := range j.Stages {
		j.Stages[i].Cores, j.Stages[i].Gang = 1, false
	}
}

// A node may have room beside a task for Config.Heartbeat, of one second but in short quanta, and for the second that a
// job waits after a refusal; with several centres, for one such second after the other. With 300 seeds that is 1.0 s on
// one node with one centre and 2.2 s with several, and 0.3 s in all, where the host does all in time. Where it is late, by
// times that have no limit, heartbeats and what they bring about are late one after the other: beside
// the numbers stands what was seen with 100 seeds, the longest of each.
func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name      string
		all, node time.Duration // of patience with the whole cluster, and with the free cores of one node
		change    func(*kairos.Config)
	}{
		{"default", 3 * time.Second, 8 * time.Second, func(*kairos.Config) {}}, // 1.000 s, 7.017 s
		{"short quanta", 3 * time.Second, 10 * time.Second, func(c *kairos.Config) { // 1.516 s, 9.513 s
			c.Node.Quantum, c.Heartbeat, c.KeepAlive = 1e9, 0, 2e9
		}},
		{"sum", 3 * time.Second, 5 * time.Second, func(c *kairos.Config) { c.Central.Tie = kairos.LeastSum }}, // 2.771 s, 3.796 s
		{"centres", 3 * time.Second, 18 * time.Second, func(c *kairos.Config) { c.Centres = 3 }},              // 1.053 s, 17.201 s
		{"gossip", 3 * time.Second, 7 * time.Second, func(c *kairos.Config) { c.Centres, c.Gossip = 2, 5e9 }}, // 1.501 s, 5.868 s
	} {
		t.Run(c.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				New: func(policy.Truth) (policy.Scheduler, error) {
					config := kairos.DefaultConfig()
					c.change(&config)
					return kairos.NewScheduler(config)
				},
				Prepare: alone, Patience: c.all, NodePatience: c.node,
			})
		})
	}
}

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

func TestConformance(t *testing.T) {
	for _, c := range []struct {
		name   string
		node   time.Duration // of patience
		change func(*kairos.Config)
	}{
		{"default", 8 * time.Second, func(*kairos.Config) {}},
		{"short quanta", 11 * time.Second, func(c *kairos.Config) { c.Node.Quantum, c.Heartbeat, c.KeepAlive = 1e9, 0, 2e9 }},
		{"sum", 5 * time.Second, func(c *kairos.Config) { c.Central.Tie = kairos.LeastSum }},
		{"centres", 20 * time.Second, func(c *kairos.Config) { c.Centres = 3 }},
		{"gossip", 7 * time.Second, func(c *kairos.Config) { c.Centres, c.Gossip = 2, 5e9 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				New: func(policy.Truth) (policy.Scheduler, error) {
					config := kairos.DefaultConfig()
					c.change(&config)
					return kairos.NewScheduler(config)
				},
				Prepare: alone,
				// A heartbeat says that there is room, or one of the next two if that crossed what was sent.
				Patience: 3 * time.Second,
				// Where the host is late, heartbeats and what they bring about are late one after the other.
				NodePatience: c.node,
			})
		})
	}
}

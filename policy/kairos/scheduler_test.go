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
		change func(*kairos.Config)
	}{
		{"default", func(*kairos.Config) {}},
		{"short quanta", func(c *kairos.Config) { c.Node.Quantum, c.Heartbeat, c.KeepAlive = 1e9, 0, 2e9 }},
		{"sum", func(c *kairos.Config) { c.Central.Tie = kairos.LeastSum }},
		{"centres", func(c *kairos.Config) { c.Centres = 3 }},
		{"gossip", func(c *kairos.Config) { c.Centres, c.Gossip = 2, 5e9 }},
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
				Holds:    "a task stays where it was sent to",
			})
		})
	}
}

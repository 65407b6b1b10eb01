package kairos_test

import (
	"math/rand/v2"
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

// paused reports whether a job waits after a refusal.
func paused(p policy.Scheduler, task policy.Task, _ policy.NodeID) bool {
	return p.(interface{ Waits(policy.JobID) bool }).Waits(task.Job)
}

// Whatever fits is started at once, but for a second in which a job waits after a refusal. Of several centres each hears only with
// a node's next heartbeat, after Config.Heartbeat, that tasks of another have ended there, and after Config.Gossip if that
// other passes it on.
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
		config := kairos.DefaultConfig()
		c.change(&config)
		patience := time.Duration(0)
		if config.Centres > 1 {
			patience = config.Heartbeat + config.Gossip
		}
		t.Run(c.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{
				New:     func(policy.Truth) (policy.Scheduler, error) { return kairos.NewScheduler(config) },
				Prepare: alone, Patience: patience, Keeps: paused,
			})
		})
	}
}

// Kairos with each way to break ties, with short quanta and with several centres.
func FuzzScheduler(f *testing.F) {
	var configs []policytest.Config
	for _, change := range []func(c *kairos.Config){
		func(*kairos.Config) {},
		func(c *kairos.Config) { c.Central.Tie, c.Central.Src = kairos.AtRandom, rand.NewPCG(1, 2) },
		func(c *kairos.Config) { c.Central.Tie = kairos.LeastSum },
		func(c *kairos.Config) { c.Node.Quantum, c.Heartbeat, c.KeepAlive = 1e9, 0, 2e9 },
		func(c *kairos.Config) { c.Node.Starvation = kairos.Never; c.Centres = 3 },
		func(c *kairos.Config) { c.Centres, c.Gossip = 2, 5e9 },
	} {
		configs = append(configs, policytest.Config{Prepare: alone, New: func(policy.Truth) (policy.Scheduler, error) {
			c := kairos.DefaultConfig()
			change(&c)
			return kairos.NewScheduler(c)
		}})
	}
	policytest.Fuzz(f, configs...)
}

package kairos_test

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/policytest"
)

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

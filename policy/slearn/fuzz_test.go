package slearn

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/policytest"
	"example.com/augur/queue"
)

// GS by every forecast, and with every rule of sharing.
func FuzzGS(f *testing.F) {
	var configs []policytest.Config
	for i, make := range []func(policy.Truth) (central.Forecast, error){
		sampling(0, false),
		forecast.Truth,
		func(policy.Truth) (central.Forecast, error) { return forecast.Nothing(), nil },
		sampling(0.5, true),
		history(HistoryConfig{}),
		history(HistoryConfig{ThinLimit: 3}),
		history(HistoryConfig{Point: Median}),
		history(HistoryConfig{Stages: true}),
		by(func() Estimator {
			return must(NewDAG(DAGConfig{Sampling: SamplingConfig{Src: rand.NewPCG(1, 2)}, History: stagedHistory()}))
		}),
		by(func() Estimator { return newChooser(ChooserConfig{}) }),
		by(func() Estimator { return newHybrid(HybridConfig{Thin: true}) }),
	} {
		configs = append(configs, policytest.Config{New: func(truth policy.Truth) (policy.Scheduler, error) {
			f, err := make(truth)
			if err != nil {
				return nil, err
			}
			c := GSConfig{Forecast: f}
			c.Queues.First = 5
			c.Sharing = []queue.ShareRule{queue.ByService, queue.ByUse, queue.ByNextUse}[i%3]
			c.Apart, c.BySpeed = i%3 == 2, i%2 == 0
			return NewGS(c)
		}})
	}
	policytest.Fuzz(f, configs...)
}

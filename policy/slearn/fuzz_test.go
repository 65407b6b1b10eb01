package slearn

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
	"example.com/augur/queue"
)

// GS under every estimator, and with every rule of sharing.
func FuzzGS(f *testing.F) {
	var configs []policytest.Config
	for i, estimator := range []func(policy.Truth) (Estimator, error){
		sampling(0, false),
		func(truth policy.Truth) (Estimator, error) { return NewOracle(truth) },
		func(policy.Truth) (Estimator, error) { return LAS{}, nil },
		sampling(0.5, true),
		history(HistoryConfig{}),
		history(HistoryConfig{ThinLimit: 3}),
		history(HistoryConfig{Point: Median}),
		history(HistoryConfig{Stages: true}),
		func(policy.Truth) (Estimator, error) {
			return NewDAG(DAGConfig{Sampling: SamplingConfig{Src: rand.NewPCG(1, 2)}, History: stagedHistory()})
		},
		func(policy.Truth) (Estimator, error) { return newChooser(ChooserConfig{}), nil },
		func(policy.Truth) (Estimator, error) { return newHybrid(HybridConfig{Thin: true}), nil },
	} {
		configs = append(configs, policytest.Config{New: func(truth policy.Truth) (policy.Scheduler, error) {
			e, err := estimator(truth)
			if err != nil {
				return nil, err
			}
			c := GSConfig{Estimator: e}
			c.Queues.First = 5
			c.Sharing = []queue.ShareRule{queue.ByService, queue.ByUse, queue.ByNextUse}[i%3]
			c.Apart, c.BySpeed = i%3 == 2, i%2 == 0
			return NewGS(c)
		}})
	}
	policytest.Fuzz(f, configs...)
}

package slearn

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
	"example.com/augur/predict"
	"example.com/augur/queue"
)

// GS under every estimator keeps to the contract, forgets nothing and allocates nothing in
// the steady state.
func TestConformance(t *testing.T) {
	for _, test := range []struct {
		name string
		new  func(policy.Truth) (Estimator, error)
		rule queue.ShareRule
	}{
		{"Oracle", func(truth policy.Truth) (Estimator, error) { return NewOracle(truth) }, queue.ByService},
		{"LAS", func(policy.Truth) (Estimator, error) { return LAS{}, nil }, queue.ByService},
		{"SLearn", sampling(0, false), queue.ByService},
		{"half", sampling(0.5, true), queue.ByNextUse},
		{"3Sigma", history(HistoryConfig{}), queue.ByService},
		{"3SigmaTL", history(HistoryConfig{ThinLimit: 3}), queue.ByUse},
		{"PointEst", history(HistoryConfig{Point: Median, Total: true}), queue.ByUse},
		{"dag", func(policy.Truth) (Estimator, error) {
			return NewDAG(DAGConfig{Sampling: SamplingConfig{Src: rand.NewPCG(1, 2)}, History: stagedHistory()})
		}, queue.ByService},
		{"chooser", func(policy.Truth) (Estimator, error) { return newChooser(ChooserConfig{}), nil }, queue.ByService},
		{"hybrid", func(policy.Truth) (Estimator, error) { return newHybrid(HybridConfig{Thin: true}), nil }, queue.ByService},
	} {
		t.Run(test.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{Allocates: test.name == "hybrid", New: func(truth policy.Truth) (policy.Scheduler, error) {
				e, err := test.new(truth)
				if err != nil {
					return nil, err
				}
				c := GSConfig{Estimator: e}
				c.Queues.First = 5 // the jobs of the tests are small
				c.Sharing = test.rule
				c.Apart = test.rule == queue.ByNextUse
				c.BySpeed = test.rule == queue.ByService
				return NewGS(c)
			}})
		})
	}
}

func history(c HistoryConfig) func(policy.Truth) (Estimator, error) {
	return func(policy.Truth) (_ Estimator, err error) {
		c.Predictor, err = predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)})
		if err != nil {
			return nil, err
		}
		return NewHistory(c)
	}
}

func sampling(ratio float64, adaptLimit bool) func(policy.Truth) (Estimator, error) {
	return func(policy.Truth) (Estimator, error) {
		c := SamplingConfig{Src: rand.NewPCG(1, 2)}
		c.Ratio, c.AdaptLimit = ratio, adaptLimit
		return NewSampling(c)
	}
}

package slearn_test

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/slearn"
	"example.com/augur/predict"
	"example.com/augur/queue"
)

// GS under every estimator keeps to the contract, forgets nothing and allocates nothing in
// the steady state.
func TestConformance(t *testing.T) {
	for _, test := range []struct {
		name string
		new  func(policy.Truth) (slearn.Estimator, error)
		rule queue.ShareRule
	}{
		{"Oracle", func(truth policy.Truth) (slearn.Estimator, error) { return slearn.NewOracle(truth) }, queue.ByService},
		{"LAS", func(policy.Truth) (slearn.Estimator, error) { return slearn.LAS{}, nil }, queue.ByService},
		{"SLearn", sampling(0, false), queue.ByService},
		{"half", sampling(0.5, true), queue.ByNextUse},
		{"3Sigma", history(slearn.HistoryConfig{}), queue.ByService},
		{"3SigmaTL", history(slearn.HistoryConfig{ThinLimit: 3}), queue.ByUse},
		{"PointEst", history(slearn.HistoryConfig{Point: slearn.Median, Total: true}), queue.ByUse},
		{"dag", func(policy.Truth) (slearn.Estimator, error) {
			return slearn.NewDAG(slearn.DAGConfig{Sampling: slearn.DefaultSampling(rand.NewPCG(1, 2)), History: stagedHistory()})
		}, queue.ByService},
		{"chooser", func(policy.Truth) (slearn.Estimator, error) { return newChooser(slearn.ChooserConfig{}), nil }, queue.ByService},
		{"hybrid", func(policy.Truth) (slearn.Estimator, error) { return newHybrid(slearn.HybridConfig{Thin: true}), nil }, queue.ByService},
	} {
		t.Run(test.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{Allocates: test.name == "hybrid", New: func(truth policy.Truth) (policy.Scheduler, error) {
				e, err := test.new(truth)
				if err != nil {
					return nil, err
				}
				c := slearn.DefaultGS(e)
				c.Queues.First = 5 // the jobs of the tests are small
				c.Sharing = test.rule
				c.Apart = test.rule == queue.ByNextUse
				c.BySpeed = test.rule == queue.ByService
				return slearn.NewGS(c)
			}})
		})
	}
}

func history(c slearn.HistoryConfig) func(policy.Truth) (slearn.Estimator, error) {
	return func(policy.Truth) (_ slearn.Estimator, err error) {
		c.Predictor, err = predict.New(predict.Config{})
		if err != nil {
			return nil, err
		}
		return slearn.NewHistory(c)
	}
}

func sampling(ratio float64, adaptLimit bool) func(policy.Truth) (slearn.Estimator, error) {
	return func(policy.Truth) (slearn.Estimator, error) {
		c := slearn.DefaultSampling(rand.NewPCG(1, 2))
		c.Ratio, c.AdaptLimit = ratio, adaptLimit
		return slearn.NewSampling(c)
	}
}

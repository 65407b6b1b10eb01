package slearn

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/policytest"
	"example.com/augur/predict"
	"example.com/augur/queue"
)

// GS by every forecast keeps to the contract, forgets nothing and allocates nothing in
// the steady state.
func TestConformance(t *testing.T) {
	for _, test := range []struct {
		name string
		new  func(policy.Truth) (central.Forecast, error)
		rule queue.ShareRule
	}{
		{"LAS", func(policy.Truth) (central.Forecast, error) { return forecast.Nothing(), nil }, queue.ByService},
		{"SLearn", sampling(0, false), queue.ByService},
		{"half", sampling(0.5, true), queue.ByNextUse},
		{"3Sigma", history(HistoryConfig{}), queue.ByService},
		{"3SigmaTL", history(HistoryConfig{ThinLimit: 3}), queue.ByUse},
		{"PointEst", history(HistoryConfig{Point: Median, Total: true}), queue.ByUse},
		{"dag", by(func() Estimator {
			return must(NewDAG(DAGConfig{Sampling: SamplingConfig{Src: rand.NewPCG(1, 2)}, History: stagedHistory()}))
		}), queue.ByService},
		{"chooser", by(func() Estimator { return newChooser(ChooserConfig{}) }), queue.ByService},
		{"hybrid", by(func() Estimator { return newHybrid(HybridConfig{Thin: true}) }), queue.ByService},
	} {
		t.Run(test.name, func(t *testing.T) {
			policytest.Test(t, policytest.Config{Allocates: test.name == "hybrid", New: func(truth policy.Truth) (policy.Scheduler, error) {
				f, err := test.new(truth)
				if err != nil {
					return nil, err
				}
				c := GSConfig{Forecast: f}
				c.Queues.First = 5 // the jobs of the tests are small
				c.Sharing = test.rule
				c.Apart = test.rule == queue.ByNextUse
				c.BySpeed = test.rule == queue.ByService
				return NewGS(c)
			}})
		})
	}
}

// by makes the forecast of an estimator.
func by(make func() Estimator) func(policy.Truth) (central.Forecast, error) {
	return func(policy.Truth) (central.Forecast, error) { return NewForecast(make()), nil }
}

func history(c HistoryConfig) func(policy.Truth) (central.Forecast, error) {
	return by(func() Estimator {
		c.Predictor = must(predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)}))
		return must(NewHistory(c))
	})
}

func sampling(ratio float64, adaptLimit bool) func(policy.Truth) (central.Forecast, error) {
	return by(func() Estimator {
		c := SamplingConfig{Src: rand.NewPCG(1, 2)}
		c.Ratio, c.AdaptLimit = ratio, adaptLimit
		return must(NewSampling(c))
	})
}

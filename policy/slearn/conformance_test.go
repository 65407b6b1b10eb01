package slearn

import (
	"math/rand/v2"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/policytest"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
	"example.com/augur/queue"
)

// A variant is the queues, or another turn, by some forecast.
type variant struct {
	name    string
	new     func(policy.Truth) (central.Forecast, error)
	rule    queue.ShareRule
	another func() central.Config // the other parts, if not nil; without a Turn it is that of the queues
	copies  bool
}

func (v variant) config() policytest.Config {
	return policytest.Config{
		Allocates: v.copies || v.name == "hybrid",
		New: func(truth policy.Truth) (policy.Scheduler, error) {
			f, err := v.new(truth)
			if err != nil {
				return nil, err
			}
			c := Config{Forecast: f}
			c.Queues.First = 5 // the jobs of the tests are small
			c.Sharing = v.rule
			c.PilotQueue = v.rule == queue.ByNextUse
			if v.another == nil {
				return NewScheduler(c)
			}
			all := v.another()
			all.Forecast = f
			if v.copies {
				all.Copy = new(twins)
			}
			if all.Turn == nil {
				all.Turn = jobtest.Must(NewTurn(c.TurnConfig))
			}
			return central.New(all)
		},
		Prepare: func(j *workload.Job) {
			if j.ID%3 != 0 {
				j.Requested = policy.Duration(j.ID%7+1) * s
			}
		},
	}
}

// GS keeps to the contract, forgets nothing and allocates nothing in the steady state.
func TestConformance(t *testing.T) {
	for _, v := range []variant{
		{name: "SLearn", new: sampling(0)},
		{name: "LAS", new: nothing, rule: queue.ByNextUse},
		{name: "copies", new: sampling(0.5), copies: true, another: func() central.Config {
			return central.Config{CopyWhen: central.AfterAll, CopyTurn: baseline.Fair()}
		}},
	} {
		t.Run(v.name, func(t *testing.T) { policytest.Test(t, v.config()) })
	}
}

// So does GS by every forecast, and with every rule of sharing, and so do other turns with the forecast of an estimator.
func FuzzGS(f *testing.F) {
	var configs []policytest.Config
	for _, v := range []variant{
		{new: sampling(0)},
		{new: forecast.Truth, rule: queue.ByUse},
		{new: nothing, rule: queue.ByNextUse},
		{new: sampling(0.5), rule: queue.ByNextUse},
		{new: history(HistoryConfig{ThinLimit: 3}), rule: queue.ByUse},
		{new: history(HistoryConfig{Point: Median, Total: true}), rule: queue.ByNextUse},
		{new: by(func() Estimator {
			return jobtest.Must(NewDAG(DAGConfig{Sampling: SamplingConfig{Src: rand.NewPCG(1, 2)}, History: stagedHistory()}))
		})},
		{new: by(func() Estimator { return newChooser(ChooserConfig{}) })},
		{name: "hybrid", new: by(func() Estimator { return newHybrid() }), rule: queue.ByUse},
		{new: func(policy.Truth) (central.Forecast, error) { return forecast.Requested(), nil }},
		{new: func(policy.Truth) (central.Forecast, error) { return new(late), nil }},
		{new: sampling(0.5), copies: true, another: func() central.Config { return central.Config{} }},
		{new: sampling(0.5), another: func() central.Config {
			return central.Config{Turn: baseline.FIFO(), Fill: baseline.EASY()}
		}},
	} {
		configs = append(configs, v.config())
	}
	policytest.Fuzz(f, configs...)
}

func nothing(policy.Truth) (central.Forecast, error) { return forecast.Nothing(), nil }

// by makes the forecast of an estimator.
func by(make func() Estimator) func(policy.Truth) (central.Forecast, error) {
	return func(policy.Truth) (central.Forecast, error) { return NewForecast(make()), nil }
}

func history(c HistoryConfig) func(policy.Truth) (central.Forecast, error) {
	return by(func() Estimator {
		c.Predictor = jobtest.Must(predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)}))
		return jobtest.Must(NewHistory(c))
	})
}

func sampling(ratio float64) func(policy.Truth) (central.Forecast, error) {
	return by(func() Estimator {
		return jobtest.Must(NewSampling(SamplingConfig{Src: rand.NewPCG(1, 2), Ratio: ratio}))
	})
}

package slearn

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"example.com/augur/estimate"
	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/forecast"
	"example.com/augur/predict"
)

func failure[T any](_ T, err error) error { return err }

func TestConfigErrors(t *testing.T) {
	p := jobtest.Must(predict.New(predict.Config{}))
	h := newHistory(HistoryConfig{})
	samples := SamplingConfig{Src: rand.NewPCG(1, 2)}
	gs := func(change func(*Config)) error {
		c := Config{Forecast: forecast.Nothing()}
		change(&c)
		return failure(NewScheduler(c))
	}
	sampling := func(change func(*SamplingConfig)) error {
		c := samples
		change(&c)
		return failure(NewSampling(c))
	}
	for _, test := range []struct {
		want string
		err  error
	}{
		{"Forecast of a nil Estimator", gs(func(c *Config) { c.Forecast = NewForecast(nil) })},
		{"First is -1", gs(func(c *Config) { c.Queues.First = -1 })},
		{"Decay is 0.5", gs(func(c *Config) { c.Decay = 0.5 })},
		{"Decay is NaN", gs(func(c *Config) { c.Decay = math.NaN() })},
		{"queue 1 weighs too little", gs(func(c *Config) { c.Decay = 1e200 })},
		{"Levels is -1", gs(func(c *Config) { c.Queues.Levels, c.PilotQueue = -1, true })},
		{"Levels is 65, want 1 to 64", gs(func(c *Config) { c.Queues.Levels = 65 })},
		{"Levels is 64, want 1 to 63", gs(func(c *Config) { c.Queues.Levels, c.PilotQueue = 64, true })},
		{"Levels is 2147483647, want 1 to 63", gs(func(c *Config) { c.Queues.Levels, c.PilotQueue = math.MaxInt32, true })},
		{"ShareRule is 9", gs(func(c *Config) { c.Sharing = 9 })},
		{"Src is nil", sampling(func(c *SamplingConfig) { c.Src = nil })},
		{"ThinLimit is -1", sampling(func(c *SamplingConfig) { c.ThinLimit = -1 })},
		{"Ratio is 1.5", sampling(func(c *SamplingConfig) { c.Ratio = 1.5 })},
		{"Ratio is NaN", sampling(func(c *SamplingConfig) { c.Ratio = math.NaN() })},
		{"Predictor is nil", failure(NewHistory(HistoryConfig{}))},
		{"Point is 3", failure(NewHistory(HistoryConfig{Predictor: p, Point: 3}))},
		{"ThinLimit is -1", failure(NewHistory(HistoryConfig{Predictor: p, ThinLimit: -1}))},
		{"both set", failure(NewHistory(HistoryConfig{Predictor: p, Stages: true, Total: true}))},
		{"does not learn stages", failure(NewDAG(DAGConfig{Sampling: samples}))},
		{"does not learn stages", failure(NewDAG(DAGConfig{Sampling: samples, History: h}))},
		{"Src is nil", failure(NewDAG(DAGConfig{History: stagedHistory()}))},
		{"HybridConfig lacks", failure(NewHybrid(HybridConfig{Sampling: samples, Means: p}))},
		{"HybridConfig lacks", failure(NewHybrid(HybridConfig{Sampling: samples, Spreads: p}))},
		{"Src is nil", failure(NewHybrid(HybridConfig{Means: p, Spreads: p}))},
		{"History is nil", failure(NewChooser(ChooserConfig{Sampling: samples, SamplingErrors: p, HistoryErrors: p}))},
		{"ChooserConfig lacks", failure(NewChooser(ChooserConfig{Sampling: samples, History: h, HistoryErrors: p}))},
		{"ChooserConfig lacks", failure(NewChooser(ChooserConfig{Sampling: samples, History: h, SamplingErrors: p}))},
		{"Src is nil", failure(NewChooser(ChooserConfig{History: h, SamplingErrors: p, HistoryErrors: p}))},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("got error %v, want one with %q", test.err, test.want)
		}
	}
}

// A job with too few runtimes or too many teaches nothing, and the error names it and both numbers.
func TestLearnErrors(t *testing.T) {
	j := userJob(8, "u", 3)
	dag := jobtest.Must(NewDAG(DAGConfig{Sampling: SamplingConfig{Src: rand.NewPCG(1, 2)}, History: stagedHistory()}))
	sampling := jobtest.Must(NewSampling(SamplingConfig{Src: rand.NewPCG(1, 2)}))
	sampled := Plan{When: Later, Ratio: 0.03}
	for _, e := range []Estimator{newHistory(HistoryConfig{}), newChooser(ChooserConfig{}), newHybrid(), stagedHistory(), sampling, dag} {
		for _, test := range []struct {
			err  error
			want string
		}{
			{learn(e, j, 1, 1), "job 8 with 2 runtimes, want 3"},
			{learn(e, j, 1, 1, 1, 1), "job 8 with 4 runtimes, want 3"},
			{learn(e, j, 1, -1, 1), "job 8 with a runtime of -1s, want at least 0"},
			{e.Ended(j, Record{Outcome: policy.Done, Runtimes: moments(1, 1), Work: 4, Plan: sampled}), "job 8 with 2 runtimes, want 3"},
		} {
			if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
				t.Errorf("%T: error %v, want one with %q", e, test.err, test.want)
			}
		}
		if h, ok := e.(*History); ok {
			if _, known := h.Predict(j, 0); known {
				t.Errorf("%T has learned from a job with an error", e)
			}
		}
	}
	two := userJob(9, "u", 3)
	two.Stages = append(two.Stages, policy.Stage{Tasks: 1, Cores: 1})
	for _, stages := range [][]estimate.Moments{nil, {moments(1, 1, 1)}, {moments(1, 1), moments(1, 1)}, {moments(1, 1, 1), moments()}} {
		err := dag.Ended(two, Record{Outcome: policy.Done, Runtimes: moments(1, 1, 1, 1), Stages: stages, Plan: sampled})
		if _, known := dag.config.History.Predict(j, 0); err == nil || !strings.Contains(err.Error(), "job 9 without") || known {
			t.Errorf("runtimes of stages %v: error %v, and history knows (%v), want an error that names the job", stages, err, known)
		}
	}
	for _, s := range []*Sampling{sampling, dag.sampling} {
		if _, ok := s.ratio.score(3); ok {
			t.Error("3 % has a score by a job with an error")
		}
	}
}

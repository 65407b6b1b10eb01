package main

import (
	"fmt"
	"math/rand/v2"

	"example.com/augur/estimate"
	"example.com/augur/examples/internal/lakelab"
	"example.com/augur/policy"
	"example.com/augur/policy/hopper"
	"example.com/augur/policy/kairos"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/threesigma"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// setting is what a policy is made for.
type setting struct {
	truth policy.Truth
	seed  uint64
	past  func() (workload.Source, error) // nil: nothing is known of the time before the run

	lake *lakelab.Lake                // that the jobs are of; nil: none
	lab  func() (*lakelab.Lab, error) // what its history tells; nil if lake is

	classes classes
	kairos  kairos.Config
	hopper  hopper.Config
	wing    wingOptions

	threesigma threesigma.Config
}

// underGS makes SLearn's generic scheduler over an estimator, with the paper's parameters.
func underGS(estimator func(setting) (slearn.Estimator, error)) func(setting) (policy.Scheduler, error) {
	return func(s setting) (policy.Scheduler, error) {
		e, err := estimator(s)
		if err != nil {
			return nil, err
		}
		return slearn.NewGS(slearn.GSConfig{Estimator: e})
	}
}

func sampling(s setting) (slearn.Estimator, error) {
	return slearn.NewSampling(slearn.SamplingConfig{Src: rand.NewPCG(s.seed, 0x70696c6f7473)})
}

func oracle(s setting) (slearn.Estimator, error) { return slearn.NewOracle(s.truth) }

func attained(setting) (slearn.Estimator, error) { return slearn.LAS{}, nil }

// newPredictor makes a predictor of 3Sigma's features. What it knows of all jobs it says of a job like none before.
func newPredictor() (*predict.Predictor, error) {
	return predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)})
}

// history makes an estimator that has learnt from the past, if there is one.
func history(c slearn.HistoryConfig) func(setting) (slearn.Estimator, error) {
	return func(s setting) (slearn.Estimator, error) {
		var err error
		if c.Predictor, err = newPredictor(); err != nil {
			return nil, err
		}
		h, err := slearn.NewHistory(c)
		if err != nil {
			return nil, err
		}
		return h, s.learn(func(j *workload.Job) error { return h.Learn(&j.Job, j.Work(), j.At) })
	}
}

// sampledDAG makes an estimator by sampling of first stages and history of the others.
func sampledDAG(s setting) (slearn.Estimator, error) {
	h, err := history(slearn.HistoryConfig{Stages: true})(s)
	if err != nil {
		return nil, err
	}
	return slearn.NewDAG(slearn.DAGConfig{
		Sampling: slearn.SamplingConfig{Src: rand.NewPCG(s.seed, 0x70696c6f7473)}, History: h.(*slearn.History),
	})
}

// hybrid makes an estimator by history and pilots.
func hybrid(s setting) (slearn.Estimator, error) {
	means, err := newPredictor()
	if err != nil {
		return nil, err
	}
	spreads, err := newPredictor()
	if err != nil {
		return nil, err
	}
	c := slearn.HybridConfig{
		Sampling: slearn.SamplingConfig{Src: rand.NewPCG(s.seed, 0x70696c6f7473)},
		History:  &predict.Hybrid{Means: means, Spreads: spreads},
	}
	h, err := slearn.NewHybrid(c)
	if err != nil {
		return nil, err
	}
	var tasks []float64
	return h, s.learn(func(j *workload.Job) error {
		tasks = tasks[:0]
		for _, stage := range j.Runtimes {
			for _, runtime := range stage {
				tasks = append(tasks, runtime.Seconds())
			}
		}
		return c.History.Observe(&j.Job, tasks, j.At)
	})
}

// chooser makes an estimator by history or pilots, whichever has erred less on like jobs.
func chooser(s setting) (slearn.Estimator, error) {
	var predictors [3]*predict.Predictor
	for i := range predictors {
		var err error
		if predictors[i], err = newPredictor(); err != nil {
			return nil, err
		}
	}
	past, err := slearn.NewHistory(slearn.HistoryConfig{Predictor: predictors[0]})
	if err != nil {
		return nil, err
	}
	c, err := slearn.NewChooser(slearn.ChooserConfig{
		Sampling: slearn.SamplingConfig{Src: rand.NewPCG(s.seed, 0x70696c6f7473)}, History: past,
		Errors: &predict.Chooser{Sampling: predictors[1], History: predictors[2]},
	})
	if err != nil {
		return nil, err
	}
	return c, s.learn(func(j *workload.Job) error {
		var runtimes estimate.Moments
		for _, stage := range j.Runtimes {
			for _, runtime := range stage {
				if err := runtimes.Add(runtime.Seconds()); err != nil {
					return err
				}
			}
		}
		return c.Learn(&j.Job, runtimes, j.Work(), j.At)
	})
}

// learn shows each job of the past, if there is one, to a learner.
func (s setting) learn(from func(*workload.Job) error) error {
	if s.past == nil {
		return nil
	}
	past, err := s.past()
	if err != nil {
		return err
	}
	for j, err := range past {
		if err != nil {
			return err
		}
		if err := from(j); err != nil {
			return fmt.Errorf("job %d of the history: %w", j.ID, err)
		}
	}
	return nil
}

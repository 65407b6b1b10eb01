package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// setting is what a policy is made for.
type setting struct {
	truth policy.Truth
	seed  uint64
	past  func() (workload.Source, error) // nil: nothing is known of the time before the run
}

// underGS makes SLearn's generic scheduler over an estimator, with the paper's parameters.
func underGS(estimator func(setting) (slearn.Estimator, error)) func(setting) (policy.Scheduler, error) {
	return func(s setting) (policy.Scheduler, error) {
		e, err := estimator(s)
		if err != nil {
			return nil, err
		}
		return slearn.NewGS(slearn.DefaultGS(e))
	}
}

func sampling(s setting) (slearn.Estimator, error) {
	return slearn.NewSampling(slearn.DefaultSampling(rand.NewPCG(s.seed, 0x70696c6f7473)))
}

func oracle(s setting) (slearn.Estimator, error) { return slearn.NewOracle(s.truth) }

func attained(setting) (slearn.Estimator, error) { return slearn.LAS{}, nil }

// history makes an estimator that has learnt from the past, if there is one.
func history(c slearn.HistoryConfig) func(setting) (slearn.Estimator, error) {
	return func(s setting) (slearn.Estimator, error) {
		var err error
		if c.Predictor, err = predict.New(predict.Config{}); err != nil {
			return nil, err
		}
		h, err := slearn.NewHistory(c)
		if err != nil || s.past == nil {
			return h, err
		}
		past, err := s.past()
		if err != nil {
			return nil, err
		}
		for {
			j, err := past.Next()
			if errors.Is(err, io.EOF) {
				return h, nil
			}
			if err != nil {
				return nil, err
			}
			if err := h.Learn(&j.Job, j.Work(), j.At); err != nil {
				return nil, fmt.Errorf("job %d of the history: %w", j.ID, err)
			}
		}
	}
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// An outcome is what became of the jobs under one scheduler, with what its estimator had
// said of each.
type outcome struct {
	*sim.Result
	records map[policy.JobID]slearn.Record
}

// An estimator makes what GS goes by in a run, and notes the records of jobs.
type estimator func(truth policy.Truth, records map[policy.JobID]slearn.Record) (central.Forecast, error)

// run runs GS with an estimator, or FIFO if there is none. Changes are to the parameters of GS.
func (c *contest) run(ctx context.Context, e estimator, changes ...func(*slearn.Config)) (o outcome, err error) {
	jobs, truth := workload.Split(c.execution)
	var p policy.Scheduler = baseline.NewFIFO()
	if e != nil {
		o.records = make(map[policy.JobID]slearn.Record)
		estimates, err := e(truth, o.records)
		if err != nil {
			return o, err
		}
		config := slearn.Config{Forecast: estimates}
		for _, change := range changes {
			change(&config)
		}
		if p, err = slearn.NewScheduler(config); err != nil {
			return o, err
		}
	}
	o.Result, err = sim.Run(ctx, sim.Config{Nodes: c.cluster(), Jobs: jobs, Truth: truth}, p)
	return o, err
}

// noted is an estimator whose jobs are noted when they end.
type noted struct {
	slearn.Estimator
	records map[policy.JobID]slearn.Record
}

func (n *noted) Ended(j *policy.Job, r slearn.Record) error {
	n.records[j.ID] = r
	return n.Estimator.Ended(j, r)
}

// noting notes the records of an estimator of package slearn.
func noting(e func() (slearn.Estimator, error)) estimator {
	return func(_ policy.Truth, records map[policy.JobID]slearn.Record) (central.Forecast, error) {
		of, err := e()
		return slearn.NewForecast(&noted{of, records}), err
	}
}

// oracle, attained, sampling and learned make the estimators. The first two keep no records.
func (c *contest) oracle(truth policy.Truth, _ map[policy.JobID]slearn.Record) (central.Forecast, error) {
	return forecast.Truth(truth)
}

func (c *contest) attained(policy.Truth, map[policy.JobID]slearn.Record) (central.Forecast, error) {
	return forecast.Nothing(), nil
}

func (c *contest) sampling() estimator {
	return noting(func() (slearn.Estimator, error) {
		return slearn.NewSampling(slearn.SamplingConfig{Src: rand.NewPCG(c.seed, 2)})
	})
}

func (c *contest) learned(config slearn.HistoryConfig) estimator {
	return noting(func() (slearn.Estimator, error) { return c.remember(config) })
}

// remember returns an estimator that has learned from the history. What it has learned is
// kept for the next one that learns alike.
func (c *contest) remember(config slearn.HistoryConfig) (*slearn.History, error) {
	var err error
	if config.Predictor, err = newPredictor(); err != nil {
		return nil, err
	}
	h, err := slearn.NewHistory(config)
	if err != nil {
		return nil, err
	}
	alike := learning{config.Total, config.Stages}
	if past, ok := c.past[alike]; ok {
		return h, config.Predictor.Restore(bytes.NewReader(past))
	}
	learner := slearn.NewForecast(h)
	for _, j := range c.history {
		if err := learner.Learn(&j.Job, j.UnitRuntimes(), j.Submitted.Add(j.Ideal())); err != nil {
			return nil, fmt.Errorf("job %d of the history: %w", j.ID, err)
		}
	}
	var past bytes.Buffer
	if err := config.Predictor.Snapshot(&past); err != nil {
		return nil, err
	}
	if c.past == nil {
		c.past = make(map[learning][]byte)
	}
	c.past[alike] = past.Bytes()
	return h, nil
}

// dag makes SLearn-DAG.
func (c *contest) dag() estimator {
	return noting(func() (slearn.Estimator, error) {
		h, err := c.remember(slearn.HistoryConfig{Stages: true})
		if err != nil {
			return nil, err
		}
		return slearn.NewDAG(slearn.DAGConfig{Sampling: slearn.SamplingConfig{Src: rand.NewPCG(c.seed, 2)}, History: h})
	})
}

// newPredictor makes a predictor as 3Sigma has it. What it knows of all jobs it says of a job like none before.
func newPredictor() (*predict.Predictor, error) {
	return predict.New(predict.Config{Features: append(predict.ThreeSigmaFeatures(), predict.All)})
}

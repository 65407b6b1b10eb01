package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
)

// A contest is one execution trace on the cluster that it is made for.
type contest struct {
	halved
	nodes, cores int // in all
	seed         uint64
	past         map[learning][]byte // snapshots of predictors that have learned from the history
	speeds       []float64           // of as many equal parts of the nodes; nil: of all 1
}

// A learning is a way to learn from jobs.
type learning struct{ total, stages bool }

// contests makes those of so many seeds, at a load, or at that of the paper if it is 0.
func (t *slearnTrace) contests(ctx context.Context, seeds int, load float64) ([]*contest, error) {
	numbers := make([]uint64, seeds)
	for i := range numbers {
		numbers[i] = uint64(i + 1)
	}
	return inEach(ctx, numbers, func(seed uint64) (*contest, error) {
		h, err := t.generate(seed, load)
		return &contest{halved: h, nodes: 150, cores: t.params().Cores, seed: seed}, err
	})
}

// An outcome is what became of the jobs under one scheduler, with what its estimator had
// said of each, and, if it was watched, the work that went before it.
type outcome struct {
	*sim.Result
	records    map[policy.JobID]slearn.Record
	resistance map[policy.JobID]float64
}

// An estimator makes one for a run.
type estimator func(policy.Truth) (slearn.Estimator, error)

// run runs GS with an estimator, or FIFO if there is none. Changes are to the parameters of GS.
func (c *contest) run(ctx context.Context, e estimator, changes ...func(*slearn.GSConfig)) (outcome, error) {
	return c.runAs(ctx, e, func(g *slearn.GS) policy.Scheduler { return g }, changes...)
}

// watch is run, and also tells the resistance of jobs.
func (c *contest) watch(ctx context.Context, e estimator) (outcome, error) {
	resistance := make(map[policy.JobID]float64)
	o, err := c.runAs(ctx, e, func(g *slearn.GS) policy.Scheduler { return &watched{g, c.execution, nil, resistance} })
	o.resistance = resistance
	return o, err
}

// runAs runs what is made of GS with an estimator, or FIFO if there is no estimator.
func (c *contest) runAs(ctx context.Context, e estimator, as func(*slearn.GS) policy.Scheduler, changes ...func(*slearn.GSConfig)) (o outcome, err error) {
	jobs, truth := workload.Split(workload.Of(c.execution))
	var p policy.Scheduler = baseline.NewFIFO()
	if e != nil {
		estimates, err := e(truth)
		if err != nil {
			return o, err
		}
		o.records = make(map[policy.JobID]slearn.Record)
		config := slearn.DefaultGS(&noted{estimates, o.records})
		for _, change := range changes {
			change(&config)
		}
		g, err := slearn.NewGS(config)
		if err != nil {
			return o, err
		}
		p = as(g)
	}
	o.Result, err = sim.Run(ctx, sim.Config{Nodes: c.cluster(), Jobs: jobs, Truth: truth}, p)
	return o, err
}

func (c *contest) cluster() []policy.Node {
	speeds := c.speeds
	if speeds == nil {
		speeds = []float64{1}
	}
	return sim.Cluster(each(speeds, func(speed float64) sim.Partition {
		return sim.Partition{Nodes: c.nodes / len(speeds), Cores: int32(c.cores / c.nodes), Speed: speed}
	})...)
}

// noted is an estimator whose jobs are noted when they end.
type noted struct {
	slearn.Estimator
	records map[policy.JobID]slearn.Record
}

func (n *noted) Ended(j *policy.Job, r slearn.Record) {
	n.records[j.ID] = r
	n.Estimator.Ended(j, r)
}

// oracle, attained, sampling and learned make the estimators.
func (c *contest) oracle(truth policy.Truth) (slearn.Estimator, error) {
	return slearn.NewOracle(truth)
}

func (c *contest) attained(policy.Truth) (slearn.Estimator, error) { return slearn.LAS{}, nil }

func (c *contest) sampling(change func(*slearn.SamplingConfig)) estimator {
	return func(policy.Truth) (slearn.Estimator, error) {
		config := slearn.DefaultSampling(rand.NewPCG(c.seed, 2))
		change(&config)
		return slearn.NewSampling(config)
	}
}

func (c *contest) learned(config slearn.HistoryConfig) estimator {
	return func(policy.Truth) (slearn.Estimator, error) { return c.remember(config) }
}

// remember returns an estimator that has learned from the history. What it has learned is
// kept for the next one that learns alike.
func (c *contest) remember(config slearn.HistoryConfig) (*slearn.History, error) {
	var err error
	if config.Predictor, err = predict.New(predict.Config{}); err != nil {
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
	for _, j := range c.history {
		if err := h.Learn(&j.Job, j.Work(), j.At); err != nil {
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

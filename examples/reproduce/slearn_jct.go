package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/slearn"
	"example.com/augur/policy/workload"
	"example.com/augur/predict"
	"example.com/augur/queue"
)

// A contest is one execution trace on the cluster that it is made for.
type contest struct {
	halved
	nodes, cores int // in all
	seed         uint64
}

// An outcome is what became of the jobs under one scheduler, with what its estimator had
// said of each.
type outcome struct {
	*sim.Result
	records map[policy.JobID]slearn.Record
}

// run runs GS with an estimator, or FIFO if there is none.
func (c *contest) run(ctx context.Context, estimator func(policy.Truth) (slearn.Estimator, error)) (o outcome, err error) {
	jobs, truth := workload.Split(workload.Of(c.execution))
	var p policy.Scheduler = baseline.NewFIFO()
	if estimator != nil {
		e, err := estimator(truth)
		if err != nil {
			return o, err
		}
		o.records = make(map[policy.JobID]slearn.Record)
		if p, err = slearn.NewGS(slearn.DefaultGS(&noted{e, o.records})); err != nil {
			return o, err
		}
	}
	cluster := sim.Cluster(sim.Partition{Nodes: c.nodes, Cores: int32(c.cores / c.nodes)})
	o.Result, err = sim.Run(ctx, sim.Config{Nodes: cluster, Jobs: jobs, Truth: truth}, p)
	return o, err
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

// oracle, attained, sampling and history are the estimators.
func (c *contest) oracle(truth policy.Truth) (slearn.Estimator, error) {
	return slearn.NewOracle(truth)
}

func (c *contest) attained(policy.Truth) (slearn.Estimator, error) { return slearn.LAS{}, nil }

func (c *contest) sampling(change func(*slearn.SamplingConfig)) func(policy.Truth) (slearn.Estimator, error) {
	return func(policy.Truth) (slearn.Estimator, error) {
		config := slearn.DefaultSampling(rand.NewPCG(c.seed, 2))
		change(&config)
		return slearn.NewSampling(config)
	}
}

func (c *contest) learned(config slearn.HistoryConfig) func(policy.Truth) (slearn.Estimator, error) {
	return func(policy.Truth) (slearn.Estimator, error) {
		var err error
		if config.Predictor, err = predict.New(predict.Config{}); err != nil {
			return nil, err
		}
		h, err := slearn.NewHistory(config)
		if err != nil {
			return nil, err
		}
		for _, j := range c.history {
			if err := h.Learn(&j.Job, j.Work(), j.At); err != nil {
				return nil, fmt.Errorf("job %d of the history: %w", j.ID, err)
			}
		}
		return h, nil
	}
}

// slearnJCT is Fig. 6 and Tables 6 to 8: completion times under GS by estimator.
func slearnJCT(ctx context.Context, r *report, t *slearnTrace, traces []halved, full bool) error {
	type speedup struct{ mean, p50 float64 }
	u := unpublished
	paper := map[string]map[string]speedup{ // of SLearn over each
		"2strace":  {"Oracle": {0.79, 0.73}, "3Sigma": {1.28, 0.92}, "3SigmaTL": {1.26, u}, "PointEst": {1.42, u}, "LAS": {1.91, 1.29}, "FIFO": {3.29, 8.45}},
		"gtrace11": {"Oracle": {u, u}, "3Sigma": {1.56, 1.00}, "3SigmaTL": {1.55, u}, "PointEst": {2.17, u}, "LAS": {1.65, u}, "FIFO": {u, u}},
		"gtrace19": {"Oracle": {u, u}, "3Sigma": {1.32, 1.07}, "3SigmaTL": {1.32, u}, "PointEst": {1.54, u}, "LAS": {1.72, u}, "FIFO": {u, u}},
	}[t.name]
	right := map[string][2]float64{"2strace": {89.09, 73.84}, "gtrace11": {86.45, 76.20}, "gtrace19": {73.96, 58.07}}[t.name]
	ratios := map[string]map[int]float64{
		"2strace":  {1: 1.24, 2: 1.23, 3: 1.27, 4: 1.26, 5: 1.27, 10: 1.28},
		"gtrace11": {1: 1.52, 2: 1.55, 3: 1.54, 4: 1.56, 5: 1.58, 10: 1.51},
		"gtrace19": {1: 1.31, 2: 1.31, 3: 1.31, 4: 1.32, 5: 1.28, 10: 1.24},
	}[t.name]
	limits := map[string]map[int]float64{
		"2strace":  {2: 1.23, 3: 1.28, 4: 1.14, 5: 0.97, 6: 0.84},
		"gtrace11": {2: 1.54, 3: 1.56, 4: 1.55, 5: 1.54, 6: 1.53},
		"gtrace19": {2: 1.33, 3: 1.32, 4: 1.32, 5: 1.30, 6: 1.29},
	}[t.name]

	names := []string{"Oracle", "3Sigma", "3SigmaTL", "PointEst", "LAS", "FIFO"}
	mean, p50 := make(map[string][]float64), make(map[string][]float64)
	var sampledRight, learnedRight []float64
	byRatio, byLimit := make(map[int][]float64), make(map[int][]float64)
	for seed, h := range traces {
		c := &contest{halved: h, nodes: 150, cores: t.params().Cores, seed: uint64(seed + 1)}
		base, err := c.run(ctx, c.sampling(func(*slearn.SamplingConfig) {}))
		if err != nil {
			return err
		}
		var sigma outcome
		for _, name := range names {
			o, err := c.run(ctx, map[string]func(policy.Truth) (slearn.Estimator, error){
				"Oracle":   c.oracle,
				"3Sigma":   c.learned(slearn.HistoryConfig{}),
				"3SigmaTL": c.learned(slearn.HistoryConfig{ThinLimit: wide}),
				"PointEst": c.learned(slearn.HistoryConfig{Point: slearn.Median}),
				"LAS":      c.attained,
				"FIFO":     nil,
			}[name])
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			cmp := sim.Compare(o.Result, base.Result)
			mean[name], p50[name] = append(mean[name], cmp.RatioOfMeans), append(p50[name], cmp.P50Ratio)
			if name == "3Sigma" {
				sigma = o
			}
		}
		sampledRight = append(sampledRight, rightQueue(base, h))
		learnedRight = append(learnedRight, rightQueue(sigma, h))
		if !full {
			continue
		}
		for percent := range ratios {
			o, err := c.run(ctx, c.sampling(func(s *slearn.SamplingConfig) { s.Ratio = float64(percent) / 100 }))
			if err != nil {
				return err
			}
			byRatio[percent] = append(byRatio[percent], sim.Compare(sigma.Result, o.Result).RatioOfMeans)
		}
		for limit := range limits {
			o, err := c.run(ctx, c.sampling(func(s *slearn.SamplingConfig) { s.ThinLimit = limit }))
			if err != nil {
				return err
			}
			byLimit[limit] = append(byLimit[limit], sim.Compare(sigma.Result, o.Result).RatioOfMeans)
		}
	}
	for _, name := range names {
		r.add("Fig. 6", t.name, "mean JCT of "+name+" over SLearn's", paper[name].mean, mean[name])
		r.add("Fig. 6", t.name, "P50 of JCT of "+name+" over SLearn's", paper[name].p50, p50[name])
	}
	r.add("Table 7", t.name, "SLearn, wide jobs in the right queue, %", right[0], sampledRight)
	r.add("Table 7", t.name, "3Sigma, wide jobs in the right queue, %", right[1], learnedRight)
	if full {
		for _, percent := range []int{1, 2, 3, 4, 5, 10} {
			r.add("Table 6", t.name, fmt.Sprintf("mean JCT of 3Sigma over SLearn's with %d %% pilots", percent), ratios[percent], byRatio[percent])
		}
		for limit := 2; limit <= 6; limit++ {
			r.add("Table 8", t.name, fmt.Sprintf("mean JCT of 3Sigma over SLearn's with thin limit %d", limit), limits[limit], byLimit[limit])
		}
	}
	return nil
}

// rightQueue returns the share of wide jobs, in percent, whose estimate was in the same
// queue as their true work.
func rightQueue(o outcome, h halved) float64 {
	levels, err := queue.NewMultilevel[struct{}](slearn.DefaultGS(slearn.LAS{}).Queues)
	if err != nil {
		return math.NaN()
	}
	all, right := 0.0, 0.0
	for _, j := range h.execution {
		if len(j.Runtimes[0]) < wide {
			continue
		}
		all++
		r := o.records[j.ID]
		said, _ := levels.Level(r.Estimate)
		if is, _ := levels.Level(j.Work()); r.Estimated && said == is {
			right++
		}
	}
	return 100 * right / all
}

package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/policy/slearn"
	"example.com/augur/predict"
)

// slearnOptions is section 7, which the paper leaves to future work: mean completion times under
// SLearn with an option over those without.
func slearnOptions(ctx context.Context, r *report, t *slearnTrace, rounds []*round) error {
	statistic := func(of func(*estimate.Sample) float64) func(*round) estimator {
		return func(d *round) estimator {
			return d.sampling(func(c *slearn.SamplingConfig) { c.Statistic = of })
		}
	}
	for _, option := range []struct {
		name string
		of   func(*round) estimator
	}{
		{"history and pilots", func(d *round) estimator { return d.hybrid(false) }},
		{"history and pilots, thin jobs by history", func(d *round) estimator { return d.hybrid(true) }},
		{"history or pilots", func(d *round) estimator { return d.chooser }},
		{"an adaptive thin limit", func(d *round) estimator {
			return d.sampling(func(c *slearn.SamplingConfig) { c.AdaptLimit = true })
		}},
		{"the median of pilots", statistic((*estimate.Sample).Median)},
		{"the mean of pilots less a fifth at either end", statistic(func(s *estimate.Sample) float64 { return s.TrimmedMean(0.2) })},
		{"the P90 of pilots", statistic(func(s *estimate.Sample) float64 { return s.Quantile(0.9) })},
	} {
		over, err := inEach(ctx, rounds, func(d *round) (float64, error) {
			o, err := d.run(ctx, option.of(d))
			if err != nil {
				return 0, fmt.Errorf("%s: %w", option.name, err)
			}
			return speedupOf(o, d.bySLearn).mean, nil
		})
		if err != nil {
			return err
		}
		r.add("section 7", t.name, "mean JCT by "+option.name+" over SLearn's", unpublished, over)
	}
	return slearnSpeeds(ctx, r, t, rounds)
}

// slearnSpeeds compares runtimes by the speed of nodes with those by time, on a cluster of two
// speeds.
func slearnSpeeds(ctx context.Context, r *report, t *slearnTrace, rounds []*round) error {
	for _, e := range []struct {
		name string
		of   func(*round) estimator
	}{
		{"SLearn", func(d *round) estimator { return d.sampling(func(*slearn.SamplingConfig) {}) }},
		{"3Sigma", func(d *round) estimator { return d.learned(slearn.HistoryConfig{}) }},
	} {
		type pair struct{ byTime, bySpeed outcome }
		pairs, err := inEach(ctx, rounds, func(d *round) (p pair, err error) {
			c := d.twoSpeeds()
			if p.byTime, err = c.run(ctx, e.of(d)); err != nil {
				return p, err
			}
			p.bySpeed, err = c.run(ctx, e.of(d), func(g *slearn.GSConfig) { g.BySpeed = true })
			return p, err
		})
		if err != nil {
			return err
		}
		var over, rightBySpeed, rightByTime []float64
		for i, p := range pairs {
			over = append(over, speedupOf(p.bySpeed, p.byTime).mean)
			bySpeed, err := rounds[i].rightQueue(p.bySpeed)
			if err != nil {
				return err
			}
			byTime, err := rounds[i].rightQueue(p.byTime)
			if err != nil {
				return err
			}
			rightBySpeed, rightByTime = append(rightBySpeed, bySpeed), append(rightByTime, byTime)
		}
		on := "on nodes of two speeds, " + e.name
		r.add("section 7", t.name, on+": mean JCT by speed over that by time", unpublished, over)
		r.add("section 7", t.name, on+" by speed: wide jobs in the right queue, %", unpublished, rightBySpeed)
		r.add("section 7", t.name, on+" by time: wide jobs in the right queue, %", unpublished, rightByTime)
	}
	return nil
}

// twoSpeeds returns the contest on a cluster of which half of the nodes are half as fast as the
// others, and all together as fast as without.
func (c *contest) twoSpeeds() *contest {
	two := *c
	two.speeds = []float64{4. / 3, 2. / 3}
	return &two
}

// hybrid makes an estimator by history and pilots together.
func (c *contest) hybrid(thin bool) estimator {
	return func(policy.Truth) (slearn.Estimator, error) {
		config := slearn.HybridConfig{Sampling: slearn.DefaultSampling(rand.NewPCG(c.seed, 2)), History: new(predict.Hybrid), Thin: thin}
		if err := predictors(&config.History.Means, &config.History.Spreads); err != nil {
			return nil, err
		}
		h, err := slearn.NewHybrid(config)
		if err != nil {
			return nil, err
		}
		var tasks []float64
		for _, j := range c.history {
			tasks = tasks[:0]
			for _, runtime := range j.Runtimes[0] {
				tasks = append(tasks, runtime.Seconds())
			}
			if err := config.History.Observe(&j.Job, tasks, j.At); err != nil {
				return nil, fmt.Errorf("job %d of the history: %w", j.ID, err)
			}
		}
		return h, nil
	}
}

// chooser makes an estimator by history or pilots, whichever has erred less.
func (c *contest) chooser(truth policy.Truth) (slearn.Estimator, error) {
	past := slearn.HistoryConfig{}
	config := slearn.ChooserConfig{Sampling: slearn.DefaultSampling(rand.NewPCG(c.seed, 2)), Errors: new(predict.Chooser)}
	if err := predictors(&past.Predictor, &config.Errors.Sampling, &config.Errors.History); err != nil {
		return nil, err
	}
	var err error
	if config.History, err = slearn.NewHistory(past); err != nil {
		return nil, err
	}
	chooser, err := slearn.NewChooser(config)
	if err != nil {
		return nil, err
	}
	for _, j := range c.history {
		var runtimes estimate.Moments
		for _, runtime := range j.Runtimes[0] {
			if err := runtimes.Add(runtime.Seconds()); err != nil {
				return nil, err
			}
		}
		if err := chooser.Learn(&j.Job, runtimes, j.Work(), j.At); err != nil {
			return nil, fmt.Errorf("job %d of the history: %w", j.ID, err)
		}
	}
	return chooser, nil
}

// predictors makes predictors as 3Sigma has them.
func predictors(all ...**predict.Predictor) (err error) {
	for _, p := range all {
		if *p, err = predict.New(predict.Config{}); err != nil {
			return err
		}
	}
	return nil
}

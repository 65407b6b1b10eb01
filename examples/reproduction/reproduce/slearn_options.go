package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"example.com/augur/estimate"
	"example.com/augur/policy"
	"example.com/augur/policy/slearn"
)

// slearnOptions are ways to estimate that the paper leaves to future work.
var slearnOptions = []struct {
	name string
	of   func(*round) estimator
}{
	{"history and pilots", func(d *round) estimator { return d.hybrid(false) }},
	{"history and pilots, thin jobs by history", func(d *round) estimator { return d.hybrid(true) }},
	{"history or pilots", func(d *round) estimator { return noting(d.chooser) }},
	{"the median of pilots", byStatistic((*estimate.Sample).Median)},
	{"the mean of pilots less a fifth at either end", byStatistic(func(s *estimate.Sample) float64 { return s.TrimmedMean(0.2) })},
	{"the P90 of pilots", byStatistic(func(s *estimate.Sample) float64 { return s.Quantile(0.9) })},
}

func byStatistic(of func(*estimate.Sample) float64) func(*round) estimator {
	return func(d *round) estimator {
		return noting(func() (slearn.Estimator, error) {
			s, err := slearn.NewSampling(slearn.SamplingConfig{Src: rand.NewPCG(d.seed, 2)})
			return statistic{s, of}, err
		})
	}
}

// A statistic is a Sampling that takes another number of the pilots than their mean.
type statistic struct {
	*slearn.Sampling
	of func(*estimate.Sample) float64
}

func (s statistic) Work(j *policy.Job, _ policy.Time, pilots []float64) float64 {
	var sample estimate.Sample
	for _, runtime := range pilots {
		if err := sample.Add(runtime); err != nil {
			return math.NaN()
		}
	}
	return s.of(&sample) * slearn.Width(j)
}

// slearnFuture is section 7: mean completion times under SLearn with an option over those without.
func slearnFuture(t *slearnTrace, b *bed[*round]) item {
	return byRound(b, "section 7", func(ctx context.Context, d *round) (over []float64, err error) {
		for _, option := range slearnOptions {
			o, err := d.run(ctx, option.of(d))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", option.name, err)
			}
			over = append(over, speedupOf(o, d.bySLearn).mean)
		}
		return over, nil
	}, func(r *report, runs [][]float64) {
		for i, option := range slearnOptions {
			r.add("section 7", t.name, "mean JCT by "+option.name+" over SLearn's", unpublished, each(runs, func(over []float64) float64 { return over[i] }))
		}
	})
}

// A speedGain compares runtimes by the speed of nodes with those by time: mean completion times, and how
// many percent of the wide jobs are in the right queue.
type speedGain struct{ over, bySpeed, byTime float64 }

// slearnSpeeds is section 7, too, on a cluster of two speeds.
func slearnSpeeds(t *slearnTrace, b *bed[*round]) item {
	return byRound(b, "two speeds", func(ctx context.Context, d *round) (gains [2]speedGain, err error) {
		for i, e := range []estimator{d.sampling(nil), d.learned(slearn.HistoryConfig{})} {
			if gains[i], err = d.speedGain(ctx, e); err != nil {
				return gains, err
			}
		}
		return gains, nil
	}, func(r *report, runs [][2]speedGain) {
		for i, who := range []string{"SLearn", "3Sigma"} {
			on := "on nodes of two speeds, " + who
			r.add("section 7", t.name, on+": mean JCT by speed over that by time", unpublished, each(runs, func(g [2]speedGain) float64 { return g[i].over }))
			r.add("section 7", t.name, on+" by speed: wide jobs in the right queue, %", unpublished, each(runs, func(g [2]speedGain) float64 { return g[i].bySpeed }))
			r.add("section 7", t.name, on+" by time: wide jobs in the right queue, %", unpublished, each(runs, func(g [2]speedGain) float64 { return g[i].byTime }))
		}
	})
}

func (d *round) speedGain(ctx context.Context, e estimator) (g speedGain, err error) {
	c := d.twoSpeeds()
	byTime, err := c.run(ctx, e)
	if err != nil {
		return g, err
	}
	bySpeed, err := c.run(ctx, e, func(g *slearn.GSConfig) { g.BySpeed = true })
	if err != nil {
		return g, err
	}
	g.over = speedupOf(bySpeed, byTime).mean
	if g.bySpeed, err = d.rightQueue(bySpeed); err != nil {
		return g, err
	}
	g.byTime, err = d.rightQueue(byTime)
	return g, err
}

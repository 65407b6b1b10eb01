package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"example.com/augur/estimate"
	"example.com/augur/predict"
)

// A run is a predictor that learns from jobs as they end and predicts each as it comes,
// and what became of its predictions.
type run struct {
	name      string
	predictor *predict.Predictor
	rows      []*row
	ended     int       // jobs
	held      coverages // of the predictor's intervals
	quantiles coverages // of those between quantiles of the distribution
	took      []float64 // by each prediction, µs, increasing
	bytes     float64   // of memory for each value of a feature
}

// newRun makes a predictor, and a row for each way to get an estimate from it: as in the paper, by one feature, by one
// estimator, and by figures of the distribution.
func newRun(name string, c predict.Config) (*run, error) {
	p, err := predict.New(c)
	if err != nil {
		return nil, err
	}
	r := &run{name: name, predictor: p}
	r.row("", func(p *predict.Prediction) (float64, bool) { return p.Runtime, true })
	for _, f := range p.Config().Features {
		r.row(f, func(p *predict.Prediction) (float64, bool) { return byFeature(p, f) })
	}
	for e := predict.Mean; e <= predict.RecentMean; e++ {
		r.row("by "+e.String(), func(p *predict.Prediction) (float64, bool) { return byEstimator(p, e) })
	}
	r.row("median of distribution", func(p *predict.Prediction) (float64, bool) { return p.Distribution().Quantile(0.5), true })
	r.row("utility 1/t^2", func(p *predict.Prediction) (float64, bool) {
		x, err := estimate.CertaintyEquivalent(p.Distribution().All())
		return x, err == nil
	})
	return r, nil
}

func (r *run) row(name string, estimate func(*predict.Prediction) (float64, bool)) {
	if name != "" {
		name = ": " + name
	}
	r.rows = append(r.rows, &row{name: r.name + name, estimate: estimate})
}

// byFeature returns the estimate of the best estimator of a feature.
func byFeature(p *predict.Prediction, feature string) (float64, bool) {
	for i := range p.Candidates {
		if c := &p.Candidates[i]; c.Feature == feature {
			best := 0
			for e := range c.NMAE {
				if c.NMAE[e] < c.NMAE[best] {
					best = e
				}
			}
			return c.Estimates[best], true
		}
	}
	return 0, false
}

// byEstimator returns the estimate of an estimator for the feature where it has been best;
// for one without a score only if there is no other.
func byEstimator(p *predict.Prediction, e predict.Estimator) (x float64, ok bool) {
	least := math.Inf(1)
	for i := range p.Candidates {
		c := &p.Candidates[i]
		if n := c.NMAE[e]; n < least || !ok {
			x, ok = c.Estimates[e], true
			if n < least {
				least = n
			}
		}
	}
	return x, ok
}

// evaluate runs the jobs past the predictor.
func (r *run) evaluate(ctx context.Context, jobs []job) error {
	told := make([]float64, len(jobs)) // what was estimated when each came; NaN: nothing was
	var p predict.Prediction
	for _, m := range moments(jobs) {
		if err := ctx.Err(); err != nil {
			return err
		}
		j := &jobs[m.job]
		now := time.Unix(0, int64(m.at))
		if m.end {
			if err := r.predictor.ObserveEstimated(j, told[m.job], j.seconds, now); err != nil {
				return fmt.Errorf("job %d: %w", j.ID, err)
			}
			r.ended++
			continue
		}
		begin := time.Now()
		ok := r.predictor.Predict(j, now, &p)
		r.took = append(r.took, float64(time.Since(begin).Nanoseconds())/1e3)
		for _, row := range r.rows {
			row.jobs++
		}
		if told[m.job] = math.NaN(); ok {
			told[m.job] = p.Runtime
			if err := r.score(&p, j); err != nil {
				return fmt.Errorf("job %d: %w", j.ID, err)
			}
			r.intervals(j, &p, now)
		}
	}
	slices.Sort(r.took)
	return nil
}

// score looks how good a prediction for a job is.
func (r *run) score(p *predict.Prediction, j *job) error {
	var errs []error
	for _, row := range r.rows {
		if x, ok := row.estimate(p); ok {
			errs = append(errs, row.add(j.Job, x, j.seconds))
		}
	}
	return errors.Join(errs...)
}

// measure finds how much memory a predictor takes after it has learned from all the jobs.
func (r *run) measure(ctx context.Context, jobs []job) error {
	before := heap()
	p, err := predict.New(r.predictor.Config())
	if err != nil {
		return err
	}
	for _, m := range moments(jobs) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if j := &jobs[m.job]; m.end {
			if err := p.Observe(j, j.seconds, time.Unix(0, int64(m.at))); err != nil {
				return err
			}
		}
	}
	r.bytes = (heap() - before) / float64(p.Values())
	return nil
}

// heap returns the bytes in use.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

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
	adaptive  *intervals // conformal, around the first row's estimate
	quantiles *intervals // between quantiles of the distribution
	widened   *intervals // conformal, around these
	took      []float64  // by each prediction, µs, increasing
	bytes     float64    // of memory for each value of a feature
}

// newRun makes a predictor, and a row for each way to get an estimate from it: as the paper
// has it, by one feature alone, by one estimator alone, and by figures of the distribution.
func newRun(name string, c predict.Config) (*run, error) {
	p, err := predict.New(c)
	if err != nil {
		return nil, err
	}
	r := &run{name: name, predictor: p, adaptive: conformal(0.01), quantiles: new(intervals), widened: conformal(0)}
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
	r.rows = append(r.rows, &row{name: r.name + name, estimate: estimate, point: conformal(0)})
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

// A guess is what was predicted for a job.
type guess struct {
	estimates []float64 // of each row; NaN if there is none
	quantiles [2][2]float64
}

// evaluate runs the jobs past the predictor.
func (r *run) evaluate(ctx context.Context, jobs []job) error {
	guesses := make([]*guess, len(jobs)) // of those that have come and not ended
	var p predict.Prediction
	for _, m := range moments(jobs) {
		if err := ctx.Err(); err != nil {
			return err
		}
		j := &jobs[m.job]
		now := time.Unix(0, int64(m.at))
		if m.end {
			err := r.predictor.Observe(j, j.seconds, now)
			if f := guesses[m.job]; err == nil && f != nil {
				err = r.learn(f, j.seconds)
				guesses[m.job] = nil
			}
			if err != nil {
				return fmt.Errorf("job %d: %w", j.ID, err)
			}
			continue
		}
		begin := time.Now()
		ok := r.predictor.Predict(j, now, &p)
		r.took = append(r.took, float64(time.Since(begin).Nanoseconds())/1e3)
		for _, row := range r.rows {
			row.jobs++
		}
		if ok {
			f, err := r.score(&p, j)
			if err != nil {
				return fmt.Errorf("job %d: %w", j.ID, err)
			}
			guesses[m.job] = f
		}
	}
	slices.Sort(r.took)
	return nil
}

// score looks how good a prediction for a job is.
func (r *run) score(p *predict.Prediction, j *job) (*guess, error) {
	actual := j.seconds
	f := &guess{estimates: make([]float64, len(r.rows))}
	var errs []error
	for i, row := range r.rows {
		x, ok := row.estimate(p)
		if !ok {
			f.estimates[i] = math.NaN()
			continue
		}
		f.estimates[i] = x
		errs = append(errs, row.add(j.ID, x, actual))
		for k := range levels {
			errs = append(errs, row.point.predict(k, x, x, actual))
		}
	}
	for k, level := range levels {
		low, high := p.Distribution().Quantile((1-level)/2), p.Distribution().Quantile((1+level)/2)
		f.quantiles[k] = [2]float64{low, high}
		x := f.estimates[0]
		errs = append(errs, r.adaptive.predict(k, x, x, actual), r.quantiles.predict(k, low, high, actual), r.widened.predict(k, low, high, actual))
	}
	return f, errors.Join(errs...)
}

// learn tells what makes intervals what came true.
func (r *run) learn(f *guess, actual float64) error {
	var errs []error
	for k := range levels {
		for i, row := range r.rows {
			if x := f.estimates[i]; !math.IsNaN(x) {
				errs = append(errs, row.point.learn(k, x, x, actual))
			}
		}
		x, q := f.estimates[0], f.quantiles[k]
		errs = append(errs, r.adaptive.learn(k, x, x, actual), r.widened.learn(k, q[0], q[1], actual))
	}
	return errors.Join(errs...)
}

// measure finds how much memory a predictor takes that has learned from all the jobs.
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

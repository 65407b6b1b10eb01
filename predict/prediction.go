package predict

import (
	"fmt"
	"math"
	"time"

	"example.com/augur/histogram"
)

// A Prediction is what a predictor says of a job. The zero Prediction can be passed to
// [Predictor.Predict], and one that is used again and again keeps its memory. It is the
// caller's: what is observed later does not change it.
type Prediction struct {
	Runtime   float64   // the winner's estimate
	Feature   string    // the winner's feature
	Estimator Estimator // the winner's estimator
	NMAE      float64   // the winner's normalised mean absolute error; NaN if it has made no estimate yet

	// Candidates are the features of which the job's value has been seen, the winner's and
	// the runners-up, in the order of Config.Features.
	Candidates []Candidate

	distribution *histogram.Histogram
	recent       []float64 // runtimes that are to be added to it
}

// Distribution returns the distribution of the runtimes seen with the winning feature's value:
// the prediction's own, which the next Predict overwrites. It has no values if nothing could be
// predicted. Of up to Config.Recent runtimes it is worked out when it is first asked for, so
// only one goroutine may ask at a time.
func (p *Prediction) Distribution() *histogram.Histogram {
	if p.distribution == nil {
		p.distribution = new(histogram.Histogram)
	}
	addAll(p.distribution, p.recent)
	p.recent = p.recent[:0]
	return p.distribution
}

// A Candidate is a feature of which a job's value has been seen, with the estimates for it.
type Candidate struct {
	Feature   string
	Jobs      float64    // seen, each counting less as it fades, up to when the last was observed
	Estimates [4]float64 // by Estimator
	NMAE      [4]float64 // of past estimates, by Estimator; NaN if there is none
}

// String says who won and why, as in
//
//	120 by rolling of user+program, with error 0.08 over 7 jobs
func (p *Prediction) String() string {
	for _, c := range p.Candidates {
		if c.Feature != p.Feature {
			continue
		}
		if math.IsNaN(p.NMAE) {
			return fmt.Sprintf("%.4g by %v of %s, without score", p.Runtime, p.Estimator, p.Feature)
		}
		return fmt.Sprintf("%.4g by %v of %s, with error %.2g over %.4g jobs", p.Runtime, p.Estimator, p.Feature, p.NMAE, c.Jobs)
	}
	return "no prediction"
}

// Predict predicts a job's runtime and writes it to dst. Each feature of which the job's
// value has been seen has four estimates, and the one wins whose past estimates for that
// value have the least normalised mean absolute error. Ties go to the earlier feature, then
// to the earlier estimator. A value that has seen a single job has no score, and counts with
// the error Config.Unscored. [All] comes last: where it is the Feature of the prediction, the job
// is like none before. Predict returns false if there is nothing to predict from. Now is as for
// [Predictor.Observe]; without a HalfLife and a Window any will do. To a nil dst nothing is written.
//
// It takes O(features + bins) time, and allocates nothing once dst has grown to its size.
func (p *Predictor) Predict(job Job, now time.Time, dst *Prediction) bool {
	if dst == nil {
		dst = new(Prediction)
	}
	if dst.distribution == nil || dst.distribution.Config() != p.config.Histogram {
		dst.distribution = p.config.newHistogram()
	}
	dst.distribution.Reset()
	dst.Candidates = dst.Candidates[:0]
	dst.Runtime, dst.Feature, dst.NMAE = math.NaN(), "", math.NaN()
	dst.recent = dst.recent[:0]
	var k keys
	instant := now.UnixNano()
	p.lock(p.mu.RLocker(), job, &k)
	defer p.mu.RUnlock()
	feature, _ := p.choose(&k, instant, dst)
	if feature < 0 {
		return false
	}
	dst.set(p, feature, k.ids[feature], instant)
	return true
}

// Estimate predicts a job's runtime as [Predictor.Predict] does, but returns only the
// winner's estimate, and false if there is none. That it is true does not mean that the job is
// like others: [All], if it is a feature, knows of every job. It takes O(features) time and does
// not allocate.
func (p *Predictor) Estimate(job Job, now time.Time) (runtime float64, ok bool) {
	var k keys
	p.lock(p.mu.RLocker(), job, &k)
	defer p.mu.RUnlock()
	feature, runtime := p.choose(&k, now.UnixNano(), nil)
	return runtime, feature >= 0
}

// look returns a value as it is now, or nil if nothing of it is in the window. Where parts of
// its window have gone, it writes what remains to left, and returns the parts that remain.
func (s *store) look(id uint32, now int64, c *Config, left *value) (*value, []part) {
	v := s.at(id)
	parts, some := v.expired(now, c)
	if !some {
		return v, nil
	}
	if len(parts) == 0 {
		return nil, nil
	}
	*left = s.reduced(v, parts)
	return left, parts
}

// set copies what the winner says.
func (p *Prediction) set(of *Predictor, feature int, id uint32, now int64) {
	var left value
	v, parts := of.store.look(id, now, &of.config, &left)
	p.Feature, p.Estimator = of.config.Features[feature], v.best()
	p.Runtime, p.NMAE = v.estimates[p.Estimator], v.nmae(p.Estimator)
	switch {
	case parts != nil:
		mergeParts(p.distribution, parts)
	case v.runtimes != nil:
		merge(p.distribution, v.runtimes)
	}
	if of.config.HalfLife == 0 {
		p.recent = v.counting(of.store.lastRuntimes(v, p.recent))
	}
}

// add notes a candidate.
func (p *Prediction) add(feature string, v *value) {
	c := Candidate{Feature: feature, Jobs: v.weight, Estimates: v.estimates}
	for e := range c.NMAE {
		c.NMAE[e] = v.nmae(Estimator(e))
	}
	p.Candidates = append(p.Candidates, c)
}

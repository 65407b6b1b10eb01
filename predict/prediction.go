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
	Jobs      float64    // seen, each counting less as it fades
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
// the error Config.Unscored. [All] comes last. Predict returns false if there is nothing to
// predict from.
//
// It takes O(features + bins) time, and allocates nothing once dst has grown to its size.
func (p *Predictor) Predict(job Job, now time.Time, dst *Prediction) bool {
	if dst.distribution == nil || dst.distribution.Config() != p.config.Histogram {
		dst.distribution = p.config.newHistogram()
	}
	dst.distribution.Reset()
	dst.Candidates = dst.Candidates[:0]
	dst.Runtime, dst.Feature, dst.NMAE = math.NaN(), "", math.NaN()
	dst.recent = dst.recent[:0]
	var k keys
	p.features.keys(job, &k)
	instant := now.UnixNano()
	for {
		feature, _ := p.choose(&k, instant, dst)
		if feature < 0 {
			return false
		}
		if p.take(feature, k.of[feature], instant, dst) {
			return true
		}
		dst.Candidates = dst.Candidates[:0] // the winner has just been dropped
	}
}

// Estimate predicts a job's runtime as [Predictor.Predict] does, but returns only the
// winner's estimate, and false if there is none. It takes O(features) time and does not
// allocate.
func (p *Predictor) Estimate(job Job, now time.Time) (runtime float64, ok bool) {
	var k keys
	p.features.keys(job, &k)
	feature, runtime := p.choose(&k, now.UnixNano(), nil)
	return runtime, feature >= 0
}

// choose returns the winning feature, or -1, and its estimate. It notes the candidates in
// dst, unless that is nil.
func (p *Predictor) choose(k *keys, now int64, dst *Prediction) (feature int, runtime float64) {
	feature = -1
	top := rank{group: nothing}
	var left value
	for i, name := range p.config.Features {
		if k.have&(1<<i) == 0 {
			continue
		}
		s := p.shard(k.of[i])
		s.mu.Lock()
		if v, _ := s.look(k.of[i], now, &p.config, &left); v != nil {
			best := v.best()
			if r := p.rank(i, v, best); r.before(top) {
				top, feature, runtime = r, i, v.estimates[best]
			}
			if dst != nil {
				dst.add(name, v)
			}
		}
		s.mu.Unlock()
	}
	return feature, runtime
}

// look returns the value of a key as it is now, or nil if there is none. Where parts of its
// window have gone, it writes what remains to left, and returns the parts that remain.
func (s *shard) look(k key, now int64, c *Config, left *value) (*value, []part) {
	v := s.find(k)
	if v == nil {
		return nil, nil
	}
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

// take copies what a value says to dst, and returns false if there is no such value any more.
func (p *Predictor) take(feature int, k key, now int64, dst *Prediction) bool {
	s := p.shard(k)
	s.mu.Lock()
	defer s.mu.Unlock()
	var left value
	v, parts := s.look(k, now, &p.config, &left)
	if v == nil {
		return false
	}
	dst.Feature, dst.Estimator = p.config.Features[feature], v.best()
	dst.Runtime, dst.NMAE = v.estimates[dst.Estimator], v.nmae(dst.Estimator)
	switch {
	case parts != nil:
		mergeParts(dst.distribution, parts)
	case v.runtimes != nil:
		merge(dst.distribution, v.runtimes)
	}
	if p.config.HalfLife == 0 {
		dst.recent = v.counting(s.lastRuntimes(v, dst.recent))
	}
	return true
}

// add notes a candidate.
func (p *Prediction) add(feature string, v *value) {
	c := Candidate{Feature: feature, Jobs: v.weight, Estimates: v.estimates}
	for e := range c.NMAE {
		c.NMAE[e] = v.nmae(Estimator(e))
	}
	p.Candidates = append(p.Candidates, c)
}

// A rank orders candidates: by group, then by error.
type rank struct {
	group int
	nmae  float64
}

// The groups, the best first.
const (
	known   = iota
	shared  // All
	nothing // no candidate
)

func (p *Predictor) rank(feature int, v *value, best Estimator) rank {
	switch {
	case feature == p.features.all:
		return rank{group: shared}
	case v.scores == 0:
		return rank{known, p.config.Unscored}
	}
	return rank{known, v.nmae(best)}
}

func (r rank) before(other rank) bool {
	return r.group < other.group || r.group == other.group && r.nmae < other.nmae
}

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

	// Distribution is that of the runtimes seen with the winning feature's value. There is
	// always one after Predict, without values if nothing could be predicted.
	Distribution *histogram.Histogram

	// Candidates are the features of which the job's value has been seen, the winner's and
	// the runners-up, in the order of Config.Features.
	Candidates []Candidate

	recent []float64
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
	if dst.Distribution == nil || dst.Distribution.Config() != p.config.Histogram {
		dst.Distribution = p.config.newHistogram()
	}
	dst.Distribution.Reset()
	dst.Candidates = dst.Candidates[:0]
	dst.Runtime, dst.Feature, dst.NMAE = math.NaN(), "", math.NaN()
	dst.recent = dst.recent[:0]
	_, ok := p.predict(job, now.UnixNano(), dst)
	addAll(dst.Distribution, dst.recent)
	return ok
}

// Estimate predicts a job's runtime as [Predictor.Predict] does, but returns only the
// winner's estimate, and false if there is none. It takes O(features) time and does not
// allocate.
func (p *Predictor) Estimate(job Job, now time.Time) (runtime float64, ok bool) {
	return p.predict(job, now.UnixNano(), nil)
}

// predict finds the winner. What dst needs to know of a value it is told under the value's
// lock; the runtimes that are not in a histogram yet it only copies, to be added later.
func (p *Predictor) predict(job Job, now int64, dst *Prediction) (runtime float64, ok bool) {
	top := rank{group: nothing}
	var k keys
	p.features.keys(job, &k)
	var left value // of one whose window has moved on
	for i, name := range p.config.Features {
		if k.have&(1<<i) == 0 {
			continue
		}
		s := p.shard(k.of[i])
		s.mu.Lock()
		if v := s.find(k.of[i]); v != nil {
			parts, some := v.expired(now, &p.config)
			if some {
				left = s.reduced(v, parts)
				v = &left
			} else {
				parts = nil
			}
			if v.weight > 0 {
				best := v.best()
				r := p.rank(i, v, best)
				won := r.before(top)
				if won {
					top, runtime = r, v.estimates[best]
				}
				if dst != nil {
					dst.add(name, v)
					if won {
						dst.set(name, v, best)
						dst.distribute(s, v, parts)
					}
				}
			}
		}
		s.mu.Unlock()
	}
	return runtime, top.group != nothing
}

// add notes a candidate.
func (p *Prediction) add(feature string, v *value) {
	c := Candidate{Feature: feature, Jobs: v.weight, Estimates: v.estimates}
	for e := range c.NMAE {
		c.NMAE[e] = v.nmae(Estimator(e))
	}
	p.Candidates = append(p.Candidates, c)
}

// set makes a value the winner so far.
func (p *Prediction) set(feature string, v *value, e Estimator) {
	p.Feature, p.Estimator = feature, e
	p.Runtime, p.NMAE = v.estimates[e], v.nmae(e)
}

// distribute copies the distribution of a value, or that of its parts unless they are nil.
func (p *Prediction) distribute(s *shard, v *value, parts []part) {
	p.recent = p.recent[:0]
	p.Distribution.Reset()
	switch {
	case v.runtimes == nil:
		p.recent = v.counting(s.lastRuntimes(v, p.recent))
	case parts != nil:
		mergeParts(p.Distribution, parts)
	default:
		merge(p.Distribution, v.runtimes)
	}
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

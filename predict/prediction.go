package predict

import (
	"fmt"
	"math"
	"time"

	"example.com/augur/histogram"
)

// A Prediction is the result of [Predictor.Predict], which overwrites it. The zero Prediction is
// ready for use; reuse one to avoid allocation. Later observations do not change it.
type Prediction struct {
	Runtime   float64   // the winner's estimate, which may be a median: the mean is that of Distribution, but after PowerLaw
	Feature   string    // the winner's feature
	Estimator Estimator // the winner's estimator
	NMAE      float64   // the winner's normalised mean absolute error; NaN if it has no score yet, +Inf if only runtimes of 0 had an estimate

	// Candidates are the features whose value for this job has been observed, the winner's among
	// them, in the order of Predictor.Features.
	Candidates []Candidate

	distribution *histogram.Histogram
	recent       []float64 // runtimes not yet added to it
}

// Distribution returns the distribution of the runtimes of past jobs with the winning feature's
// value. If [PowerLaw] has won, these are jobs with similar numbers, the nearest that there were: the distribution does not
// follow the law, and may lie far from Runtime. It belongs to the prediction, and the next Predict overwrites it. It is empty if nothing
// could be predicted. The first call adds up to 20 runtimes to it, so only one
// goroutine may call Distribution at a time.
func (p *Prediction) Distribution() *histogram.Histogram {
	if p.distribution == nil {
		p.distribution = new(histogram.Histogram)
	}
	for _, x := range p.recent {
		add(p.distribution, x)
	}
	p.recent = p.recent[:0]
	return p.distribution
}

// A Candidate is a feature whose value for a job has been observed, with its estimates. Of a feature with a number Jobs, and all
// but the power law, are those of the jobs with similar numbers: see "Formulae" in the package comment.
type Candidate struct {
	Feature   string
	Jobs      float64    // number of jobs that the estimates are made of, faded up to the last observation
	Estimates [5]float64 // by Estimator; NaN: none
	NMAE      [5]float64 // error of past estimates, by Estimator; NaN and +Inf as in Prediction
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

// Predict predicts a job's runtime and writes the prediction to dst, unless that is nil. It returns
// false if no feature's value for this job has been observed.
//
// Each feature whose value has been observed has four estimates, or five if it has a number. The estimate wins whose
// estimator had the least normalised mean absolute error for that value. Ties go to the earlier
// feature, then to the earlier estimator. A value of a single job has no score yet and counts with
// an error of 0.5, which the paper does not say. [All] comes last: if it is the prediction's Feature, no past job is
// similar. Now is the time as in [Predictor.Observe]; it matters only with a HalfLife or a Window.
//
// It allocates nothing once dst has grown to its size, but as "Cost" in the package comment says.
func (p *Predictor) Predict(job Job, now time.Time, dst *Prediction) bool {
	if dst == nil {
		dst = new(Prediction)
	}
	if dst.distribution == nil {
		dst.distribution = new(histogram.Histogram)
	}
	dst.distribution.Reset()
	dst.Candidates = dst.Candidates[:0]
	dst.Runtime, dst.Feature, dst.NMAE = math.NaN(), "", math.NaN()
	dst.recent = dst.recent[:0]
	p.mu.RLock()
	defer p.mu.RUnlock()
	k := p.prepared(job)
	if k == nil {
		k = new(p.features.keys(job, &p.secret, new(places)))
	}
	w, ok := p.choose(k, now.UnixNano(), dst)
	if ok {
		dst.Runtime, dst.Feature, dst.Estimator, dst.NMAE = w.runtime, p.features.features[w.feature].name, w.estimator, w.nmae
		dst.copy(p, w.of, now.UnixNano())
	}
	return ok
}

// Estimate predicts a job's runtime as [Predictor.Predict] does, but returns only the winner's
// estimate, and false if there is none. If [All] is a feature, Estimate answers for every job,
// even if no past job is similar.
func (p *Predictor) Estimate(job Job, now time.Time) (runtime float64, ok bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	k := p.prepared(job)
	if k == nil {
		k = new(p.features.keys(job, &p.secret, new(places)))
	}
	w, ok := p.choose(k, now.UnixNano(), nil)
	return w.runtime, ok
}

// copy copies the distribution of a value.
func (p *Prediction) copy(of *Predictor, k key, now int64) {
	var left value
	v, parts := of.store.values[k].look(now, &of.config, &left)
	switch {
	case parts != nil:
		mergeParts(p.distribution, parts)
	case v.runtimes != nil:
		merge(p.distribution, v.runtimes)
	}
	if of.config.HalfLife == 0 { // else the histogram has them
		p.recent = append(p.recent, v.recent...)
	}
}

package predict

import "math"

// An Estimator is a way to estimate the next runtime from the runtimes of past jobs. What 3Sigma
// calls an expert is a pair of a feature's value and an Estimator, such as the median of the jobs
// of user ann. Expert selection takes the expert with the least error: Predictor.choose does
// this, which [Predictor.Predict] calls.
type Estimator uint8

// The four estimators of 3Sigma, section 4.1, in its order, and one more.
const (
	Mean       Estimator = iota // of all runtimes
	Median                      // of the last 20 runtimes
	EWMA                        // exponentially weighted moving average; the newest runtime weighs 0.6
	RecentMean                  // mean of the last 20 runtimes
	PowerLaw                    // of a feature with a number: the runtime is about a power of the number
)

var estimatorNames = [...]string{"mean", "median", "rolling", "recent mean", "power law"}

// String returns the paper's name: mean, median, rolling (for EWMA) or recent mean; or power law.
func (e Estimator) String() string {
	if int(e) < len(estimatorNames) {
		return estimatorNames[e]
	}
	return "no estimator"
}

// A choice is what a feature says, and the winner among them.
type choice struct {
	feature   int // its position
	of        key // of the value that it goes by
	estimator Estimator
	runtime   float64 // its estimate
	nmae      float64
	mean      float64
}

// choose is expert selection. It takes the expert with the least NMAE among what the job's features say: best finds the best
// Estimator of each, and rank compares the features. It returns false if no feature says anything. Unless dst is nil, it adds
// the candidates to dst.
func (p *Predictor) choose(k *keys, now int64, dst *Prediction) (winner choice, ok bool) {
	var top rank
	plain := dst == nil && p.config.Window == 0
	for have := k.have; have != 0; {
		i := next(&have)
		var c choice
		var some bool
		if plain && p.features.features[i].number < 0 {
			v := p.value(k, i)
			if some = v != nil; some {
				c = choice{i, k.of[i], v.best, v.estimates[v.best], v.nmae, v.estimates[Mean]}
			}
		} else {
			c, some = p.weigh(k, i, now, dst)
		}
		r := rank{shared: i == p.features.all, nmae: c.nmae}
		if math.IsNaN(r.nmae) {
			r.nmae = unscored
		}
		if some && (!ok || r.before(top)) {
			top, winner, ok = r, c, true
		}
	}
	return winner, ok
}

// weigh chooses among the estimators of a feature.
func (p *Predictor) weigh(k *keys, i int, now int64, dst *Prediction) (choice, bool) {
	var left value
	c, of := p.candidate(k, i, now, &left)
	if c.Jobs == 0 {
		return choice{}, false
	}
	if dst != nil {
		dst.Candidates = append(dst.Candidates, c)
	}
	e := c.best()
	return choice{i, of, e, c.Estimates[e], c.NMAE[e], c.Estimates[Mean]}, true
}

// candidate returns what a feature says of a job, and the key of the value that it goes by; without Jobs, if it says nothing.
// Of a feature with a number the finest bin that has had a few jobs speaks, and the fit of all.
func (p *Predictor) candidate(k *keys, i int, now int64, left *value) (c Candidate, of key) {
	v, _ := p.value(k, i).look(now, &p.config, left)
	if v == nil {
		return c, of
	}
	c.Feature, of = p.features.features[i].name, k.of[i]
	c.Estimates[PowerLaw], c.NMAE[PowerLaw] = math.NaN(), math.NaN()
	if x := k.numberOf(i); v.fit != nil && !math.IsNaN(x) {
		c.Estimates[PowerLaw], c.NMAE[PowerLaw] = v.fit.estimate(x, v.weight), v.errorOf(v.fit.error)
	}
	c.set(v)
	for bin := range k.bins(i) {
		v, _ := p.store.values[bin].look(now, &p.config, left)
		if v == nil || v.weight < few {
			break
		}
		c.set(v)
		of = bin
	}
	return c, of
}

// set takes over what a value says.
func (c *Candidate) set(v *value) {
	c.Jobs = v.weight
	for e, x := range v.estimates {
		c.Estimates[e], c.NMAE[e] = x, v.errorOf(v.errors[e])
	}
}

// best returns the estimator with the least error, the first of equal ones. One without a score comes last.
func (c *Candidate) best() Estimator {
	best := Mean
	for e, nmae := range c.NMAE {
		if nmae < c.NMAE[best] || math.IsNaN(c.NMAE[best]) && !math.IsNaN(nmae) {
			best = Estimator(e)
		}
	}
	return best
}

// judge takes note of the best of the estimators but PowerLaw. All of them have a score, or none.
func (v *value) judge() {
	v.best, v.nmae = Mean, v.errorOf(v.errors[Mean])
	for e := Median; e < PowerLaw; e++ {
		if nmae := v.errorOf(v.errors[e]); nmae < v.nmae {
			v.best, v.nmae = e, nmae
		}
	}
}

// A rank orders candidates: All last, the others by error.
type rank struct {
	shared bool
	nmae   float64
}

func (r rank) before(other rank) bool {
	if r.shared != other.shared {
		return other.shared
	}
	return r.nmae < other.nmae
}

// errorOf is the normalised mean absolute error of an estimator, given the sum of its errors; NaN if there was no estimate.
func (t *totals) errorOf(errors float64) float64 {
	switch {
	case t.scores == 0:
		return math.NaN()
	case errors == 0:
		return 0
	}
	return errors / t.actual
}

// score adds the errors of estimates of the runtime x.
func (t *totals) score(estimates *[PowerLaw]float64, x float64) {
	t.scores++
	t.actual += x
	for i, estimate := range estimates {
		t.errors[i] += math.Abs(estimate - x)
	}
}

package predict

import "math"

// An Estimator is a way to estimate the next runtime from the runtimes of past jobs. What 3Sigma
// calls an expert is a pair of a feature's value and an Estimator, such as the median of the jobs
// of user ann. Expert selection takes the expert with the least error: Predictor.choose does
// this, which [Predictor.Predict] calls.
type Estimator uint8

// The four estimators of 3Sigma, section 4.1, in its order.
const (
	Mean       Estimator = iota // of all runtimes
	Median                      // of the last 20 runtimes
	EWMA                        // exponentially weighted moving average; the newest runtime weighs 0.6
	RecentMean                  // mean of the last 20 runtimes
	estimators = 4
)

var estimatorNames = [estimators]string{"mean", "median", "rolling", "recent mean"}

// String returns the paper's name: mean, median, rolling (for EWMA) or recent mean.
func (e Estimator) String() string {
	if int(e) < len(estimatorNames) {
		return estimatorNames[e]
	}
	return "no estimator"
}

// choose is expert selection. It takes the expert with the least NMAE among the job's values: best finds the best
// Estimator for each value, and rank compares the values. It returns the winner's feature, or -1, and the winner's
// estimate. Unless dst is nil, it adds the candidates to dst.
func (p *Predictor) choose(k *keys, now int64, dst *Prediction) (feature int, runtime float64) {
	feature = -1
	var top rank
	var left value
	for i := range k.features() {
		v, _ := p.store.look(k.of[i], now, &p.config, &left)
		if v == nil {
			continue
		}
		best := v.best()
		r := rank{shared: i == p.features.all, nmae: unscored}
		if v.scores > 0 {
			r.nmae = v.nmae(best)
		}
		if feature < 0 || r.before(top) {
			top, feature, runtime = r, i, v.estimates[best]
		}
		if dst != nil {
			dst.add(p.config.Features[i], v)
		}
	}
	return feature, runtime
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

// nmae is the normalised mean absolute error of an estimator; NaN if it has made no estimate.
func (t *totals) nmae(e Estimator) float64 {
	switch {
	case t.scores == 0:
		return math.NaN()
	case t.errors[e] == 0:
		return 0
	}
	return t.errors[e] / t.actual
}

// best returns the estimator with the least error, the first of equal ones.
func (t *totals) best() Estimator {
	best := Mean
	for e := range t.errors {
		if t.errors[e] < t.errors[best] {
			best = Estimator(e)
		}
	}
	return best
}

// score adds the errors of estimates of the runtime x.
func (t *totals) score(estimates *[estimators]float64, x float64) {
	t.scores++
	t.actual += x
	for i, estimate := range estimates {
		t.errors[i] += math.Abs(estimate - x)
	}
}

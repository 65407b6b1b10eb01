package predict

import (
	"fmt"
	"math"
	"slices"
	"time"

	"example.com/augur/histogram"
	"example.com/augur/internal/saturate"
)

// Interval returns bounds between which a job's runtime lies with the given probability, in (0, 1). As many jobs are shorter
// than low as are longer than high: if nine jobs of ten shall end within a limit, take the high of a coverage of 0.8.
//
// The bounds are what [Predictor.Estimate] returns times ratios that the errors of past estimates say; if estimates err to one
// side, they need not contain it. So over all jobs they are right as often as they claim however wrong the estimates are, if the
// next jobs are like the last ones. Of one kind of job they are once its value of a feature has won for 20 jobs, and 39 for a
// coverage of 0.95, which takes longer if other features won before; until then they are as for all young kinds together, too
// narrow for a kind that varies more than these. Of a job like none before, for which only [All] answers, they are those of the
// runtimes of all jobs. docs/calibration.md has how often that is on real logs.
//
// Interval returns false if nothing is known of the job, or too few jobs have ended for this coverage: 20 for up to 0.9, 39
// for 0.95 and 199 for 0.99. It also does if the coverage is not in (0, 1). Jobs that failed or were stopped
// do not count. It takes O(features) time, and 20 µs to sort past errors.
//
// # Jobs that overlap
//
// [Predictor.Observe] notes the error of the estimate that the predictor would give just before it learns from the job. Where many like
// jobs are submitted before the first of them ends, that is less than the error of the estimate at submission, and
// the intervals are too narrow. Keep that estimate and pass it to [Predictor.ObserveEstimated].
//
// # Source
//
// Conformal prediction: V. Vovk, A. Gammerman and G. Shafer, Algorithmic Learning in a Random World, 2005, section 4.5 for
// categories of jobs. The score is the ratio of the runtime to its estimate. There is a category for each value that has won
// 20 times, of its last 100 ratios, and one for all others, of their last 500. We differ, since jobs come in batches and are not
// exchangeable: where bounds for 0.8 would have held for less than 0.8 of the last 500 jobs, wider ones are taken, and
// narrower ones where they would have held for more.
func (p *Predictor) Interval(job Job, coverage float64, now time.Time) (low, high float64, ok bool) {
	if !(coverage > 0 && coverage < 1) {
		return 0, 0, false
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	k := p.prepared(job)
	if k == nil {
		k = new(p.features.keys(job, &p.secret, new(places)))
	}
	w, ok := p.choose(k, now.UnixNano(), nil)
	if !ok {
		return 0, 0, false
	}
	v := p.value(k, w.feature)
	if w.feature == p.features.all && len(v.ratios) < enough {
		return p.unlike(w.of, coverage, now)
	}
	from, to, ok := p.ends(v, coverage)
	if !ok {
		return 0, 0, false
	}
	x := max(w.runtime, tiny)
	return known(x * from), known(x * to), true
}

// unlike returns bounds for a job like none before: those of the runtimes of all. The errors of known kinds tell nothing of it.
func (p *Predictor) unlike(of key, coverage float64, now time.Time) (low, high float64, ok bool) {
	all := Prediction{distribution: new(histogram.Histogram)}
	all.copy(p, of, now.UnixNano())
	d := all.Distribution()
	n := d.Count()
	k := math.Floor(float64((n+1)*(1-coverage)/2) + 1e-9)
	if k < 1 {
		return 0, 0, false
	}
	return d.Quantile(k / n), d.Quantile((n - k + 1) / n), true
}

// known returns 0 for what stands for it.
func known(x float64) float64 {
	if x < 1.001*tiny {
		return 0
	}
	return min(x, maxRuntime)
}

// ObserveEstimated is as [Predictor.Observe], and intervals learn how wrong an estimate was that was made earlier: what
// Estimate returned when the job was submitted, or NaN if it returned false. Use it where jobs overlap and their intervals
// matter. The error says if the estimate, or the runtime, is outside 0 to 1e100; nothing is learned then.
func (p *Predictor) ObserveEstimated(job Job, estimate, runtime float64, now time.Time) error {
	if !math.IsNaN(estimate) && !(estimate >= 0 && estimate <= maxRuntime) {
		return fmt.Errorf("predict: estimate is %v, must be between 0 and 1e100, or NaN for none", estimate)
	}
	return p.learn(job, outcome{what: "runtime", runtime: runtime, estimate: estimate, earlier: true}, now)
}

// score notes the error of the estimate of a job that has ended, before anything is learned from it.
func (p *Predictor) score(k *keys, o *outcome, now int64) {
	w, ok := p.choose(k, now, nil)
	if !ok {
		return
	}
	x := w.runtime
	if o.earlier {
		x = o.estimate
	}
	if math.IsNaN(x) {
		return
	}
	ratio := float32(min(max(o.runtime, tiny)/max(x, tiny), math.MaxFloat32))
	own := &p.value(k, w.feature).ratios
	of := own
	if len(*own) < enough && w.feature != p.features.all {
		of = &p.ratios
	}
	if len(*of) >= enough {
		p.levels.add(of.level(ratio), ofAll)
	}
	if of != own {
		of.add(ratio, ofAll)
	}
	own.add(ratio, ofKind)
}

// tiny is the runtime that shorter ones count as where one is divided by another.
const tiny = 1e-9

// How many of the last ratios are kept of a value and of all, and how many are enough.
const (
	ofKind = 100
	ofAll  = 500
	enough = 20
)

// ratios are numbers, the oldest first: runtimes divided by their estimates, or levels of those.
type ratios []float32

// add adds a number, and drops the oldest one if there are more than limit.
func (r *ratios) add(x float32, limit int) {
	if len(*r) == limit {
		copy(*r, (*r)[1:])
		*r = (*r)[:limit-1]
	}
	*r = append(*r, x)
}

// level returns the coverage above which the bounds that rank gives contain x.
func (r ratios) level(x float32) float32 {
	// The bits of numbers that are not negative are in their order. A difference shifted is 1 where it is negative: a branch would
	// often be guessed wrong.
	less, more := 0, 0
	for _, y := range r {
		d := int64(math.Float32bits(y)) - int64(math.Float32bits(x))
		less += int(uint64(d) >> 63)
		more += int(uint64(-d) >> 63)
	}
	return float32(max(0, 1-2*float64(1+len(r)-max(less, more))/float64(len(r)+1)))
}

// rank returns k such that a further ratio is less than the k-th least one with a probability of at most (1-coverage)/2,
// and more than the k-th largest one with the same. It is 0 if there are too few.
func (r ratios) rank(coverage float64) int {
	if len(r) < enough {
		return 0
	}
	return saturate.To[int](float64(len(r)+1)*(1-coverage)/2 + 1e-9) // a product that is rounded down counts as whole
}

// ends returns the bounds of the ratios of jobs whose winner is v: by its own ratios if these are enough, or else by those of
// all such values.
func (p *Predictor) ends(v *value, coverage float64) (low, high float64, ok bool) {
	corrected, k := p.corrected(coverage), 0
	var of ratios
	for _, r := range [...]ratios{v.ratios, p.ratios} {
		if r.rank(coverage) == 0 {
			continue
		}
		of = r
		if k = r.rank(corrected); k > 0 {
			break
		}
	}
	if of == nil {
		return 0, 0, false
	}
	var place [ofAll]float32
	sorted := append(place[:0], of...)
	slices.Sort(sorted)
	k = max(k, 1)
	// A ratio was rounded: one more unit holds what it came from.
	down, up := math.Nextafter32(sorted[k-1], 0), math.Nextafter32(sorted[len(sorted)-k], math.MaxFloat32)
	return float64(down), float64(up), true
}

// corrected returns the coverage that would have contained the given share of the last jobs.
func (p *Predictor) corrected(coverage float64) float64 {
	const few, above = 50, 1e-6 // a level is rounded
	n := len(p.levels)
	at := saturate.To[int](math.Ceil(float64(float64(n+1)*coverage) - 1e-9))
	if n < few || at > n {
		return coverage
	}
	var place [ofAll]float32
	sorted := append(place[:0], p.levels...)
	slices.Sort(sorted)
	return float64(sorted[at-1]) + above
}

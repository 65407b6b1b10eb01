package provenance

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// EvaluateConfig says which jobs a [Predictor] is tried on. All are required.
type EvaluateConfig struct {
	// From and To: the jobs submitted at From or later and before To.
	From, To Time
	// End is the end of the log, at least To: what is read at End or later is not known. A job
	// for which a predicted dependent one would come after End is left out.
	End Time
}

// An Evaluation is how well a [Predictor] has done, by threshold.
type Evaluation struct {
	cases []outcome
	young int
	never int // pairs that the predictor does not know, which have come true
}

// An outcome is a prediction for one job, with what became of it.
type outcome struct {
	share    float64
	forecast time.Duration
	actual   time.Duration // no meaning unless read
	read     bool
}

// A Score says how good predictions are at one threshold.
type Score struct {
	Threshold float64
	// True and False count predictions, by whether the dependent job came. Missed counts the
	// dependent jobs, one for each template, that were not predicted.
	True, False, Missed int
	Precision           float64 // True / (True + False), 0 if there are none
	Recall              float64 // True / (True + Missed), 0 if there are none

	// How far the forecast time to dependency is from the actual one, over the True; 0 if there
	// are none: root mean square error, and median absolute error.
	RMSE, MedianError time.Duration
	// The shares of the True forecasts that are within 20 % of the actual time, and that are at least
	// twice the actual time; 0 if there are none.
	Within20, Twice float64
}

// Evaluate compares what a predictor says, for jobs of recurring templates, with what is in a log,
// which should be later than what it was trained on. The numbers of templates must be the same.
//
// # Source
//
// Wing, section 3.2.
func Evaluate(p *Predictor, l *Log, deps []Dependency, classes *Classes, c EvaluateConfig) (*Evaluation, error) {
	if c.To < c.From || c.End < c.To {
		return nil, fmt.Errorf("provenance: From, To and End are %d, %d and %d, want none before the one before it", c.From, c.To, c.End)
	}
	if p == nil {
		return nil, errors.New("provenance: the predictor is nil")
	}
	if err := l.checkClasses(deps, classes); err != nil {
		return nil, err
	}
	e := new(Evaluation)
	recurring := func(template uint32) bool {
		return int64(template) < int64(len(classes.Templates)) && classes.Templates[template].Has(Recurring)
	}
	type key struct{ down, job uint32 }
	read := make(map[key]time.Duration)
	for _, u := range l.firstUses(deps, classes, c.From, c.To, c.End) {
		if recurring(u.up) {
			read[key{u.down, u.job}] = u.after
		}
	}
	for up, jobs := range l.byTemplate(c.From, c.To) {
		if !recurring(uint32(up)) {
			continue
		}
		for _, q := range p.All(uint32(up)) {
			if !recurring(q.Template) {
				continue
			}
			for _, job := range jobs {
				after, ok := read[key{q.Template, job}]
				delete(read, key{q.Template, job})
				if since(c.End, l.Jobs[job].Submitted) < uint64(q.After) {
					e.young++
					continue
				}
				e.cases = append(e.cases, outcome{q.Share, q.After, after, ok})
			}
		}
	}
	e.never = len(read)
	return e, nil
}

// At returns the score at a threshold in [0, 1]. At 0 all is predicted that ever was; above 1, and at
// NaN, nothing. It takes O(n log n) time.
func (e *Evaluation) At(threshold float64) Score {
	s := Score{Threshold: threshold, Missed: e.never}
	var errors []time.Duration
	squares, within, twice := 0.0, 0, 0
	for _, o := range e.cases {
		switch predicted := o.share >= threshold; {
		case predicted && !o.read:
			s.False++
		case o.read && !predicted:
			s.Missed++
		case predicted:
			s.True++
			f, a := o.forecast.Seconds(), o.actual.Seconds()
			squares += (f - a) * (f - a)
			errors = append(errors, (o.forecast - o.actual).Abs())
			if math.Abs(f-a) <= 0.2*a {
				within++
			}
			if f >= 2*a {
				twice++
			}
		}
	}
	if s.True > 0 {
		n := float64(s.True)
		s.Precision = n / float64(s.True+s.False)
		s.Recall = n / float64(s.True+s.Missed)
		s.RMSE = time.Duration(min(math.Sqrt(squares/n)*1e9, 1<<63-1024)) // what a float64 can hold
		s.MedianError = median(errors)
		s.Within20, s.Twice = float64(within)/n, float64(twice)/n
	}
	return s
}

// Best returns the score at that one of the thresholds for which the product of precision and recall
// is the greatest, the least of equal ones, and false if there are no thresholds. NaN is none.
func (e *Evaluation) Best(thresholds []float64) (best Score, ok bool) {
	for _, threshold := range thresholds {
		if math.IsNaN(threshold) {
			continue
		}
		s := e.At(threshold)
		product, most := s.Precision*s.Recall, best.Precision*best.Recall
		if !ok || product > most || product == most && threshold < best.Threshold {
			best, ok = s, true
		}
	}
	return best, ok
}

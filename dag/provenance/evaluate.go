package provenance

import (
	"errors"
	"fmt"
	"math"
	"time"

	"example.com/augur/internal/saturate"
)

// EvaluateConfig says on which jobs to evaluate a [Model]. All fields are required.
type EvaluateConfig struct {
	// The jobs submitted in [From, To) count.
	From, To Time
	// End is the end of the log, at least To: reads at End or later are unknown. If a predicted
	// dependent of a job would come after End, the job does not count.
	End Time
}

// An Evaluation scores a [Model] at any threshold.
type Evaluation struct {
	cases []outcome
	young int
	never int // dependents that the model could not predict at any threshold
}

// An outcome is a prediction for one job and what happened.
type outcome struct {
	share    float64
	forecast time.Duration
	actual   time.Duration // valid only if read
	read     bool
}

// A Score is the quality of the predictions at one threshold.
type Score struct {
	Threshold float64
	// TruePositives and FalsePositives count predictions, by whether a dependent job came.
	// FalseNegatives counts dependent jobs that were not predicted, one for each template.
	TruePositives, FalsePositives, FalseNegatives int
	Precision                                     float64 // TruePositives / (TruePositives + FalsePositives), 0 if there are none
	Recall                                        float64 // TruePositives / (TruePositives + FalseNegatives), 0 if there are none

	// Root mean square error and median absolute error of the predicted time to dependency, over the
	// true positives; 0 if there are none.
	RMSE, MedianError time.Duration
	// Shares of the true positives whose predicted time is within 20 % of the actual time, and at least
	// twice the actual time; 0 if there are none.
	Within20, Twice float64
}

// Evaluate compares the predictions of a model, for jobs of recurring templates, with a log, which
// should be later than the training data. Templates must have the same numbers as in training.
//
// # Source
//
// Wing, section 3.2.
func Evaluate(p *Model, l *Log, deps []Dependency, classes *Classes, c EvaluateConfig) (*Evaluation, error) {
	if c.To < c.From || c.End < c.To {
		return nil, fmt.Errorf("provenance: From, To and End are %d, %d and %d, want From ≤ To ≤ End", c.From, c.To, c.End)
	}
	if p == nil {
		return nil, errors.New("provenance: the Model is nil, want one that Train returned")
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
				if since(c.End, l.Jobs[job].Submitted) < uint64(q.TimeToDependency) {
					e.young++
					continue
				}
				e.cases = append(e.cases, outcome{q.Share, q.TimeToDependency, after, ok})
			}
		}
	}
	e.never = len(read)
	return e, nil
}

// At returns the score at a threshold in [0, 1]. At 0 every dependent seen in training is predicted;
// above 1, and at NaN, none. It takes O(n log n) time.
func (e *Evaluation) At(threshold float64) Score {
	s := Score{Threshold: threshold, FalseNegatives: e.never}
	var errors []time.Duration
	squares, within, twice := 0.0, 0, 0
	for _, o := range e.cases {
		switch predicted := o.share >= threshold; {
		case predicted && !o.read:
			s.FalsePositives++
		case o.read && !predicted:
			s.FalseNegatives++
		case predicted:
			s.TruePositives++
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
	if s.TruePositives > 0 {
		n := float64(s.TruePositives)
		s.Precision = n / float64(s.TruePositives+s.FalsePositives)
		s.Recall = n / float64(s.TruePositives+s.FalseNegatives)
		s.RMSE = saturate.To[time.Duration](math.Sqrt(squares/n) * 1e9)
		s.MedianError = median(errors)
		s.Within20, s.Twice = float64(within)/n, float64(twice)/n
	}
	return s
}

// Best returns the score at the threshold with the greatest product of precision and recall. Ties go
// to the least threshold. NaN is ignored. Best returns false if there are no thresholds.
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

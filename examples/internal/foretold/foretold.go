// Package foretold scores the predictions of package dag/provenance: which jobs will read the output of a job, and when.
package foretold

import (
	"math"
	"slices"
	"time"

	"example.com/augur/dag/provenance"
	"example.com/augur/internal/saturate"
)

// Config says on which jobs to evaluate a model. All fields are required, and From ≤ To ≤ End.
type Config struct {
	// The jobs submitted in [From, To) count.
	From, To provenance.Time
	// End is the end of the log, at least To: reads at End or later are unknown. If a predicted
	// dependent of a job would come after End, the job does not count.
	End provenance.Time
}

// An Evaluation scores a [provenance.Model] at any threshold.
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

// Evaluate compares the predictions of a model, for jobs of recurring templates, with a log, which should be later than the
// training data. Templates must have the same numbers as in training, and the classes must be those of the dependencies.
//
// # Source
//
// Wing, section 3.2.
func Evaluate(m *provenance.Model, l *provenance.Log, deps []provenance.Dependency, classes *provenance.Classes, c Config) *Evaluation {
	recurring := func(template uint32) bool { return classes.Templates[template].Has(provenance.Recurring) }
	counts := func(j *provenance.Job) bool {
		return c.From <= j.Submitted && j.Submitted < c.To && recurring(j.Template)
	}
	type key struct{ down, job uint32 }
	read := make(map[key]time.Duration) // from the submission of a job to that of its first reader of a template
	for i, d := range deps {
		up, down := &l.Jobs[d.From], &l.Jobs[d.To]
		if !counts(up) || !classes.Dependencies[i].Has(provenance.Recurring) || d.First >= c.End {
			continue
		}
		k, after := key{down.Template, d.From}, down.Submitted.Sub(up.Submitted)
		if first, ok := read[k]; !ok || after < first {
			read[k] = after
		}
	}
	e := new(Evaluation)
	var predicted []provenance.Dependent
	for i := range l.Jobs {
		j := &l.Jobs[i]
		if !counts(j) {
			continue
		}
		predicted = m.Predict(predicted[:0], j.Template, 0)
		for _, q := range predicted {
			if !recurring(q.Template) {
				continue
			}
			k := key{q.Template, uint32(i)}
			after, ok := read[k]
			delete(read, k)
			if c.End.Sub(j.Submitted) < q.TimeToDependency {
				e.young++
				continue
			}
			e.cases = append(e.cases, outcome{q.Share, q.TimeToDependency, after, ok})
		}
	}
	e.never = len(read)
	return e
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
		slices.Sort(errors)
		lower, upper := errors[(len(errors)-1)/2], errors[len(errors)/2]
		s.MedianError = lower + (upper-lower)/2
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

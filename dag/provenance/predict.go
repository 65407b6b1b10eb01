package provenance

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// BestThreshold is the threshold for which the paper finds the greatest product of precision and
// recall.
const BestThreshold = 0.2

// TrainConfig says what a [Predictor] learns from. From and To are required.
type TrainConfig struct {
	// From and To: it learns from the jobs submitted at From or later and before To, and from what
	// was read before To. A week that ends now is what the authors found best.
	From, To Time
}

// A Predictor tells, of a job that has arrived, which templates' jobs will read its output, and
// when the first of each will. It is immutable, and safe for concurrent use.
//
// Let u and d be templates, both recurring. Of the jobs of u, those that are at least as old
// as the time to dependency are counted, and those of them whose output a job of d has read: that is the Share. The
// time to dependency of a job of u is from its submission to that of the first job of d that reads its
// output; that it After is the median of these over all jobs of u that were read, young ones too.
//
// # Source
//
// Wing, section 3.1: targets T1, the share, and T2, the time. That young jobs are left out
// is ours: they would count as not read while they yet may be.
type Predictor struct {
	byTemplate [][]Prediction // of the readers, by Template
}

// A Prediction is about the jobs of one template that might read the output of a job.
type Prediction struct {
	Template uint32
	Jobs     uint32        // how many jobs it is learnt from
	Share    float64       // of these, how many were read, in [0, 1]
	After    time.Duration // from submission to submission
}

// Train learns from a log, its dependencies and its classes, of which those of the dependencies
// are enough. It takes O(n log n) time for n jobs and dependencies. The error names the field
// that is not allowed, or says what of the log is not sound, or that the classes are not those
// of the dependencies.
func Train(l *Log, deps []Dependency, classes *Classes, c TrainConfig) (*Predictor, error) {
	if c.To < c.From {
		return nil, fmt.Errorf("provenance: To is %d, want at least From, %d", c.To, c.From)
	}
	if err := l.checkClasses(deps, classes); err != nil {
		return nil, err
	}
	var (
		p     = &Predictor{make([][]Prediction, l.Templates.Len())}
		jobs  = l.byTemplate(c.From, c.To)
		times []time.Duration
	)
	for uses := l.firstUses(deps, classes, c.From, c.To, c.To); len(uses) > 0; {
		n := 1
		for n < len(uses) && uses[n].up == uses[0].up && uses[n].down == uses[0].down {
			n++
		}
		pair := uses[:n]
		uses = uses[n:]
		times = times[:0]
		for _, u := range pair {
			times = append(times, u.after)
		}
		q := Prediction{Template: pair[0].down, After: median(times)}
		old := func(job uint32) bool { return since(c.To, l.Jobs[job].Submitted) >= uint64(q.After) }
		read := 0
		for _, u := range pair {
			if old(u.job) {
				read++
			}
		}
		for _, job := range jobs[pair[0].up] {
			if !old(job) {
				break
			}
			q.Jobs++
		}
		if q.Jobs > 0 {
			q.Share = float64(read) / float64(q.Jobs)
		}
		p.byTemplate[pair[0].up] = append(p.byTemplate[pair[0].up], q)
	}
	return p, nil
}

// All returns what has been learnt of those who read the output of a template's jobs, by Template.
// It is the predictor's own, not to be changed.
func (p *Predictor) All(template uint32) []Prediction {
	if int64(template) >= int64(len(p.byTemplate)) {
		return nil
	}
	return slices.Clip(p.byTemplate[template])
}

// Predict appends to dst what is to be expected of a job of the given template: the predictions
// of which the share is at least the threshold, in [0, 1], and none if it is NaN; see [BestThreshold].
// It allocates nothing if dst has room.
func (p *Predictor) Predict(dst []Prediction, template uint32, threshold float64) []Prediction {
	for _, q := range p.All(template) {
		if q.Share >= threshold {
			dst = append(dst, q)
		}
	}
	return dst
}

// checkClasses checks a log, its dependencies, and that the classes are theirs.
func (l *Log) checkClasses(deps []Dependency, classes *Classes) error {
	if err := l.check(deps); err != nil {
		return err
	}
	if classes == nil || len(classes.Dependencies) != len(deps) || len(classes.Templates) != l.Templates.Len() {
		return fmt.Errorf("provenance: classes are not those of the %d dependencies and %d templates", len(deps), l.Templates.Len())
	}
	return nil
}

// A firstUse says how long after a job the first of a template was submitted that read its
// output.
type firstUse struct {
	up, down uint32 // templates
	job      uint32
	after    time.Duration
}

// firstUses returns the first uses, in order of up, down and job, of the jobs submitted in [from, to)
// by what was read before end.
func (l *Log) firstUses(deps []Dependency, classes *Classes, from, to, end Time) []firstUse {
	var uses []firstUse
	for i, d := range deps {
		up, down := &l.Jobs[d.From], &l.Jobs[d.To]
		if classes.Dependencies[i].Has(Recurring) && from <= up.Submitted && up.Submitted < to && d.First < end {
			uses = append(uses, firstUse{up.Template, down.Template, d.From, down.Submitted.Sub(up.Submitted)})
		}
	}
	slices.SortFunc(uses, func(a, b firstUse) int {
		return cmp.Or(cmp.Compare(a.up, b.up), cmp.Compare(a.down, b.down), cmp.Compare(a.job, b.job), cmp.Compare(a.after, b.after))
	})
	return slices.CompactFunc(uses, func(a, b firstUse) bool { return a.up == b.up && a.down == b.down && a.job == b.job })
}

// median sorts at least one time and returns the median, that of an even number being the mean
// of the middle two, rounded down.
func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	n := len(times)
	lower, upper := times[(n-1)/2], times[n/2]
	return lower + (upper-lower)/2
}

package provenance

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// BestThreshold is the threshold with the greatest product of precision and recall in the paper.
const BestThreshold = 0.2

// TrainConfig selects the training data of a [Model]. From and To are required.
type TrainConfig struct {
	// The model learns from the jobs submitted in [From, To) and from reads before To. The authors
	// found a week that ends now to be best.
	From, To Time
}

// A Model predicts, for a newly submitted job, which templates' jobs will read its output, and when
// the first job of each template will come. It is immutable, and safe for concurrent use.
//
// Let u and d be recurring templates. The time to dependency of a job of u is the time from its submission to the submission
// of the first job of d that reads its output. TimeToDependency is the median over all jobs of u that were read. Share is
// the share of the jobs of u that were read by a job of d, among those at least as old as TimeToDependency.
//
// # Source
//
// Wing, section 3.1: targets T1, the share, and T2, the time. We leave out young jobs, which would
// count as not read although they may still be.
type Model struct {
	byTemplate [][]Dependent // of the readers, by Template
}

// A Dependent is a template whose jobs may read the output of a job.
type Dependent struct {
	Template         uint32
	Jobs             uint32        // number of jobs that it was learnt from
	Share            float64       // share of these that were read, in [0, 1]
	TimeToDependency time.Duration // median time from submission to submission
}

// Train learns a Model from a log, its dependencies and their classes. It takes O(n log n) time for n
// jobs and dependencies. The error names a field that is not allowed or an inconsistency of the log,
// or says that the classes do not belong to the dependencies.
func Train(l *Log, deps []Dependency, classes *Classes, c TrainConfig) (*Model, error) {
	if c.To < c.From {
		return nil, fmt.Errorf("provenance: To is %d, want at least From, %d", c.To, c.From)
	}
	if err := l.checkClasses(deps, classes); err != nil {
		return nil, err
	}
	var (
		p     = &Model{make([][]Dependent, l.Templates.Len())}
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
		q := Dependent{Template: pair[0].down, TimeToDependency: median(times)}
		old := func(job uint32) bool { return since(c.To, l.Jobs[job].Submitted) >= uint64(q.TimeToDependency) }
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

// Predict appends to dst the dependents expected for a job of the given template, ordered by Template: those whose Share is
// at least threshold, in [0, 1]; see [BestThreshold]. If threshold is NaN there are none. Predict allocates nothing if dst has
// room.
func (p *Model) Predict(dst []Dependent, template uint32, threshold float64) []Dependent {
	if int64(template) >= int64(len(p.byTemplate)) {
		return dst
	}
	for _, q := range p.byTemplate[template] {
		if q.Share >= threshold {
			dst = append(dst, q)
		}
	}
	return dst
}

// checkClasses checks a log, its dependencies, and that the classes belong to them.
func (l *Log) checkClasses(deps []Dependency, classes *Classes) error {
	if err := l.check(deps); err != nil {
		return err
	}
	if classes == nil || len(classes.Dependencies) != len(deps) || len(classes.Templates) != l.Templates.Len() {
		return fmt.Errorf("provenance: the classes are not those of the %d dependencies and %d templates, want what Classify returned for them", len(deps), l.Templates.Len())
	}
	return nil
}

// A firstUse is the time from the submission of a job to that of the first job of a template that read its output.
type firstUse struct {
	up, down uint32 // templates
	job      uint32
	after    time.Duration
}

// firstUses returns the first uses before end of the jobs submitted in [from, to), in order of up, down and job.
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

// median sorts at least one time and returns the median: the mean of the middle two, rounded down, if their number is even.
func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	n := len(times)
	lower, upper := times[(n-1)/2], times[n/2]
	return lower + (upper-lower)/2
}

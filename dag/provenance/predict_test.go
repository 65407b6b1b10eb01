package provenance_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/dag/provenance"
)

// all makes everything recurring.
func all(l *provenance.Log, deps []provenance.Dependency) *provenance.Classes {
	return &provenance.Classes{
		Templates:    slices.Repeat([]provenance.Traits{provenance.Recurring}, l.Templates.Len()),
		Dependencies: slices.Repeat([]provenance.Traits{provenance.Recurring}, len(deps)),
	}
}

// naiveFirst returns how long after a job the first of a template was submitted that reads its output before end.
func naiveFirst(l *provenance.Log, deps []provenance.Dependency, classes *provenance.Classes, job int, down uint32, end provenance.Time) (after provenance.Time, ok bool) {
	for i, d := range deps {
		if int(d.From) == job && l.Jobs[d.To].Template == down && d.First < end && classes.Dependencies[i].Has(provenance.Recurring) {
			if t := l.Jobs[d.To].Submitted - l.Jobs[job].Submitted; !ok || t < after {
				after, ok = t, true
			}
		}
	}
	return after, ok
}

func naiveMedian(times []provenance.Time) provenance.Time {
	slices.Sort(times)
	if n := len(times); n%2 == 0 {
		return (times[n/2-1] + times[n/2]) / 2
	}
	return times[len(times)/2]
}

func naivePredictions(l *provenance.Log, deps []provenance.Dependency, classes *provenance.Classes, c provenance.TrainConfig, up uint32) (list []provenance.Dependent) {
	for down := range uint32(l.Templates.Len()) {
		var times []provenance.Time
		for i, j := range l.Jobs {
			if j.Template == up && c.From <= j.Submitted && j.Submitted < c.To {
				if after, ok := naiveFirst(l, deps, classes, i, down, c.To); ok {
					times = append(times, after)
				}
			}
		}
		if times == nil {
			continue
		}
		q := provenance.Dependent{Template: down, TimeToDependency: time.Duration(naiveMedian(times))}
		read := 0.0
		for i, j := range l.Jobs {
			if j.Template == up && c.From <= j.Submitted && j.Submitted < c.To && time.Duration(c.To-j.Submitted) >= q.TimeToDependency {
				q.Jobs++
				if _, ok := naiveFirst(l, deps, classes, i, down, c.To); ok {
					read++
				}
			}
		}
		if q.Jobs > 0 {
			q.Share = read / float64(q.Jobs)
		}
		list = append(list, q)
	}
	return list
}

func predictorAgreesWithTheNaiveOne(t *testing.T) {
	learnt := 0
	for seed := range seeds(1000) {
		rng := rand.New(rand.NewPCG(seed, 8))
		l, deps := randomJobs(rng)
		for i := range l.Jobs { // units in which a percentage is a whole number
			l.Jobs[i].Submitted *= 1e9
			l.Jobs[i].Completed *= 1e9
		}
		for i := range deps {
			deps[i].First *= 1e9
		}
		classes := all(l, deps)
		if rng.IntN(3) == 0 {
			var err error
			if classes, err = provenance.Classify(l, deps, provenance.ClassConfig{End: 40e9, Month: 10 * time.Second}); err != nil {
				t.Fatal(err)
			}
		}
		from, to := provenance.Time(rng.IntN(10))*1e9, provenance.Time(15+rng.IntN(15))*1e9
		c := provenance.TrainConfig{From: from, To: to}
		p, err := provenance.Train(l, deps, classes, c)
		if err != nil {
			t.Fatal(err)
		}
		for up := range uint32(l.Templates.Len()) {
			want := naivePredictions(l, deps, classes, c, up)
			if diff := cmp.Diff(want, p.Predict(nil, up, 0), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("seed %d: template %d: -want +got:\n%s", seed, up, diff)
			}
			want = slices.DeleteFunc(want, func(q provenance.Dependent) bool { return q.Share < 0.5 })
			if diff := cmp.Diff(want, p.Predict(nil, up, 0.5), cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("seed %d: template %d, from 0.5: -want +got:\n%s", seed, up, diff)
			}
			learnt += len(want)
		}
	}
	if learnt < 200 && !testing.Short() {
		t.Errorf("the generator is poor: %d pairs learnt", learnt)
	}
}

// Of 20 jobs 15 are read by one template and 2 by another one.
func TestPredict(t *testing.T) {
	const day = provenance.Time(24 * time.Hour)
	l := new(provenance.Log)
	var deps []provenance.Dependency
	for _, name := range []string{"up", "often", "seldom"} {
		l.Templates.Number(name)
	}
	add := func(template uint32, at provenance.Time) uint32 {
		l.Jobs = append(l.Jobs, provenance.Job{Template: template, Submitted: at})
		return uint32(len(l.Jobs) - 1)
	}
	for i := range provenance.Time(20) {
		up := add(0, i*day)
		if i%4 != 0 { // of 20 jobs, 15 are read by one, and 2 by the other
			deps = append(deps, provenance.Dependency{From: up, To: add(1, i*day+100), First: i*day + 100})
		}
		if i%10 == 3 {
			deps = append(deps, provenance.Dependency{From: up, To: add(2, i*day+200), First: i*day + 200})
		}
	}
	classes := all(l, deps)
	p, err := provenance.Train(l, deps, classes, provenance.TrainConfig{From: 0, To: 20 * day})
	if err != nil {
		t.Fatal(err)
	}
	want := []provenance.Dependent{{1, 20, 0.75, 100}, {2, 20, 0.1, 200}}
	if diff := cmp.Diff(want, p.Predict(nil, 0, 0)); diff != "" {
		t.Fatalf("-want +got:\n%s", diff)
	}
	dst := make([]provenance.Dependent, 0, 2)
	if allocs := testing.AllocsPerRun(100, func() { dst = p.Predict(dst[:0], 0, 0.2) }); allocs > 0 || len(dst) != 1 {
		t.Errorf("got %v allocations and %d predictions, want 0 and 1", allocs, len(dst))
	}
	if got := p.Predict(nil, math.MaxUint32, 0); got != nil {
		t.Errorf("a template that does not exist: got %v", got)
	}
}

func TestPredictorRefuses(t *testing.T) {
	l := new(provenance.Log)
	l.Templates.Number("t")
	good := &provenance.Classes{Templates: make([]provenance.Traits, 1)}
	if _, err := provenance.Train(l, nil, good, provenance.TrainConfig{From: 1}); err == nil {
		t.Error("it ends before it begins: got no error")
	}
	for _, classes := range []*provenance.Classes{nil, {}, {Templates: good.Templates, Dependencies: make([]provenance.Traits, 1)}} {
		if _, err := provenance.Train(l, nil, classes, provenance.TrainConfig{}); err == nil {
			t.Errorf("classes %+v: got no error", classes)
		}
	}
}

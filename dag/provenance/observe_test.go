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

// share counts the indices below n of those for which of holds, and for which is holds too.
func share(n int, of, is func(i int) bool) (s provenance.Share) {
	for i := range n {
		if of(i) {
			s.Of++
			if is(i) {
				s.N++
			}
		}
	}
	return s
}

func every(int) bool { return true }

// naiveReport counts each share by its definition. Of the examples it makes inversions and components.
func naiveReport(l *provenance.Log, found *provenance.Lineage, c *provenance.Classes, shifts []time.Duration) (*provenance.Report, provenance.Worst) {
	deps := found.Dependencies
	jobs, templates := len(l.Jobs), l.Templates.Len()
	job := func(i uint32) provenance.Job { return l.Jobs[i] }
	recurring := func(i int) bool { return c.Templates[l.Jobs[i].Template].Has(provenance.Recurring) }
	recurs := func(i int) bool { return c.Dependencies[i].Has(provenance.Recurring) }
	cross := func(i int) bool { return job(deps[i].From).Org != job(deps[i].To).Org }
	inverted := func(i int) bool { return !cross(i) && job(deps[i].From).Priority < job(deps[i].To).Priority }
	some := func(is func(i int) bool) bool {
		return slices.ContainsFunc(deps, func(d provenance.Dependency) bool { return is(slices.Index(deps, d)) })
	}
	between := func(up, down int) func(i int) bool {
		return func(i int) bool {
			return recurs(i) && int(job(deps[i].From).Template) == up && int(job(deps[i].To).Template) == down
		}
	}
	r, worst := new(provenance.Report), provenance.Worst{}
	r.RecurringJobs = share(jobs, every, recurring)
	r.RecurringDependencies = share(len(deps), every, recurs)
	r.DependentJobs = share(jobs, every, func(i int) bool { return some(func(k int) bool { return int(deps[k].To) == i }) })

	r.InvertedJobs = share(jobs, every, func(i int) bool { return some(func(k int) bool { return int(deps[k].To) == i && inverted(k) }) })
	r.InvertedTemplates = share(templates, func(up int) bool { return c.Templates[up].Has(provenance.Recurring) }, func(up int) bool {
		for down := range templates {
			if s := share(len(deps), func(i int) bool { return between(up, down)(i) && !cross(i) }, inverted); 2*s.N > s.Of {
				return true
			}
		}
		return false
	})
	r.AdHocAbove = share(jobs, func(i int) bool { return !recurring(i) }, func(i int) bool {
		sum, n := 0.0, 0.0
		for k, j := range l.Jobs {
			if recurring(k) && j.Org == l.Jobs[i].Org {
				sum, n = sum+j.Priority, n+1
			}
		}
		return l.Jobs[i].Priority > sum/n // not if n is 0
	})

	r.Uncoordinated = share(jobs, recurring, func(i int) bool {
		t := l.Jobs[i].Template
		return !c.Templates[t].Has(provenance.Polling) &&
			some(func(k int) bool {
				return job(deps[k].To).Template == t && recurs(k) && c.Dependencies[k].Has(provenance.Hard)
			})
	})

	touches := func(i int) bool {
		return some(func(k int) bool { return cross(k) && (int(deps[k].From) == i || int(deps[k].To) == i) })
	}
	r.CrossDependencies = share(len(deps), every, cross)
	r.CrossTemplates = share(templates*templates, func(i int) bool { return some(between(i/templates, i%templates)) },
		func(i int) bool {
			return some(func(k int) bool { return between(i/templates, i%templates)(k) && cross(k) })
		})
	r.CrossJobs = share(jobs, every, touches)
	r.CrossRecurring = share(jobs, recurring, touches)
	r.CrossDependents = share(jobs, every, func(i int) bool { return some(func(k int) bool { return cross(k) && int(deps[k].To) == i }) })
	r.CrossOrgs = share(l.Orgs.Len(), func(org int) bool {
		return slices.ContainsFunc(l.Jobs, func(j provenance.Job) bool { return int(j.Org) == org })
	}, func(org int) bool {
		return some(func(k int) bool {
			return cross(k) && (int(job(deps[k].From).Org) == org || int(job(deps[k].To).Org) == org)
		})
	})

	// The component of a job is the least job that it is tied to, step by step.
	of := make([]int, jobs)
	for i := range of {
		of[i] = i
	}
	for range jobs {
		for _, d := range deps {
			of[d.From] = min(of[d.From], of[d.To])
			of[d.To] = of[d.From]
		}
	}
	size := func(i int) int { return share(jobs, every, func(k int) bool { return of[k] == i }).N }
	r.InTen = share(jobs, every, func(i int) bool { return size(of[i]) >= 10 })
	r.InLargest.Of = jobs
	for i := range jobs {
		r.InLargest.N = max(r.InLargest.N, size(i))
	}

	for i := range jobs {
		if of[i] == i && size(i) > 1 {
			worst.Components = append(worst.Components, [2]int{i, size(i)})
		}
	}
	slices.SortStableFunc(worst.Components, func(a, b [2]int) int { return b[1] - a[1] })
	for up := range templates {
		for down := range templates {
			if s := share(len(deps), func(i int) bool { return between(up, down)(i) && !cross(i) }, inverted); s.N > 0 {
				worst.Inversions = append(worst.Inversions, [4]int{up, down, s.N, s.Of})
			}
		}
	}
	slices.SortStableFunc(worst.Inversions, func(a, b [4]int) int { return b[2] - a[2] })

	first := func(i int) (at provenance.Time, ok bool) {
		at = math.MaxInt64
		for _, d := range deps {
			if int(d.From) == i {
				at, ok = min(at, d.First), true
			}
		}
		for _, d := range found.Downloads {
			if int(d.Job) == i {
				at, ok = min(at, d.Time), true
			}
		}
		return at, ok
	}
	complete := func(i int) bool { return recurring(i) && l.Jobs[i].State == provenance.Complete }
	for _, by := range shifts {
		s := provenance.Shift{By: by}
		s.Jobs = share(jobs, every, func(i int) bool {
			at, ok := first(i)
			j := l.Jobs[i]
			return complete(i) && ok && at-j.Completed > provenance.Time(by) && j.Completed-j.Submitted < provenance.Time(by)
		})
		r.Shifts = append(r.Shifts, s)
	}
	r.Unread = share(jobs, complete, func(i int) bool { _, ok := first(i); return !ok })
	return r, worst
}

func observeAgreesWithTheNaiveOne(t *testing.T) {
	var sum provenance.Report
	for seed := range seeds(400) {
		rng := rand.New(rand.NewPCG(seed, 9))
		l, deps := randomJobs(rng)
		found := &provenance.Lineage{Dependencies: deps}
		for i, j := range l.Jobs {
			if rng.IntN(4) == 0 {
				found.Downloads = append(found.Downloads, provenance.Download{Job: uint32(i), Time: j.Completed + provenance.Time(rng.IntN(9))})
			}
		}
		classes, err := provenance.Classify(l, deps, provenance.ClassConfig{End: 40, Month: 10, Months: 1 + rng.IntN(3), Poll: 3, HardShare: 0.5})
		if err != nil {
			t.Fatal(err)
		}
		shifts := []time.Duration{1, 2, 5}
		want, wantWorst := naiveReport(l, found, classes, shifts)
		got, err := provenance.Observe(l, found, classes, provenance.ObserveConfig{Shifts: shifts, Worst: 1000})
		if err != nil {
			t.Fatal(err)
		}
		wantExamples(t, seed, got)
		few, err := provenance.Observe(l, found, classes, provenance.ObserveConfig{Shifts: shifts, Worst: 1})
		if err != nil {
			t.Fatal(err)
		}
		gotWorst := got.Worst()
		if one, all := few.Worst().Inversions, gotWorst.Inversions; !slices.Equal(one, all[:min(1, len(all))]) {
			t.Fatalf("seed %d: got worst priorities %v, want the first of %v", seed, one, all)
		}
		add(&sum.InvertedJobs, got.InvertedJobs)
		add(&sum.InvertedTemplates, got.InvertedTemplates)
		add(&sum.AdHocAbove, got.AdHocAbove)
		add(&sum.Uncoordinated, got.Uncoordinated)
		add(&sum.CrossTemplates, got.CrossTemplates)
		add(&sum.InTen, got.InTen)
		add(&sum.Unread, got.Unread)
		for _, s := range got.Shifts {
			add(&sum.RecurringJobs, s.Jobs)
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreUnexported(provenance.Report{})); diff != "" {
			t.Fatalf("seed %d: -want +got:\n%s", seed, diff)
		}
		gotWorst.Risks, gotWorst.Crossing, gotWorst.Postponable = nil, nil, nil
		if diff := cmp.Diff(wantWorst, gotWorst); diff != "" {
			t.Fatalf("seed %d: examples: -want +got:\n%s", seed, diff)
		}
	}
	for _, s := range []provenance.Share{sum.InvertedJobs, sum.InvertedTemplates, sum.AdHocAbove, sum.Uncoordinated, sum.CrossTemplates, sum.InTen, sum.Unread, sum.RecurringJobs} {
		if fraction := float64(s.N) / float64(s.Of); !(fraction >= 0.01 && fraction <= 0.99) {
			t.Errorf("the generator is poor: %+v", sum)
		}
	}
}

func add(sum *provenance.Share, s provenance.Share) { sum.N, sum.Of = sum.N+s.N, sum.Of+s.Of }

// wantExamples checks that all examples together are what the shares count.
func wantExamples(t *testing.T, seed uint64, r *provenance.Report) {
	t.Helper()
	worst := r.Worst()
	jobs, most := 0, math.MaxInt
	for _, w := range worst.Risks {
		jobs += w[0]
		if missed := w[1]; missed > most {
			t.Fatalf("seed %d: examples are not in order: %v", seed, worst.Risks)
		}
		most = w[1]
	}
	if jobs != r.Uncoordinated.N {
		t.Fatalf("seed %d: examples have %d uncoordinated jobs, want %d", seed, jobs, r.Uncoordinated.N)
	}
	cross := 0
	for _, n := range worst.Crossing {
		cross += n
	}
	if cross != r.CrossDependencies.N {
		t.Fatalf("seed %d: examples have %d dependencies between organisations, want %d", seed, cross, r.CrossDependencies.N)
	}
	if all := worst.Components; len(all) > 0 && all[0][1] != r.InLargest.N {
		t.Fatalf("seed %d: got a first component of %d jobs, want %d", seed, all[0][1], r.InLargest.N)
	}
	for i, s := range r.Shifts {
		n := 0.0
		for _, w := range worst.Postponable[i] {
			n += w[0]
			if w[1] != w[0] { // each job has 1
				t.Fatalf("seed %d: got compute time %v of %v jobs", seed, w[1], w[0])
			}
		}
		if n != float64(s.Jobs.N) {
			t.Fatalf("seed %d: examples have %v jobs that can be put off by %v, want %d", seed, n, s.By, s.Jobs.N)
		}
	}
}

func TestObserveRefuses(t *testing.T) {
	l := new(provenance.Log)
	l.Templates.Number("t")
	l.Orgs.Number("o")
	l.Jobs = make([]provenance.Job, 1)
	classes := &provenance.Classes{Templates: make([]provenance.Traits, 1)}
	found := new(provenance.Lineage)
	if r, err := provenance.Observe(l, found, classes, provenance.ObserveConfig{}); err != nil || len(r.Shifts) != 4 {
		t.Errorf("got %+v and error %v, want 4 shifts", r, err)
	}
	for _, c := range []provenance.ObserveConfig{{Worst: -1}, {Shifts: []time.Duration{1, 0}}} {
		if _, err := provenance.Observe(l, found, classes, c); err == nil {
			t.Errorf("%+v: got no error", c)
		}
	}
	if _, err := provenance.Observe(l, found, nil, provenance.ObserveConfig{}); err == nil {
		t.Error("no classes: got no error")
	}
	if _, err := provenance.Observe(l, &provenance.Lineage{Downloads: make([]provenance.Download, 1)}, classes, provenance.ObserveConfig{}); err != nil {
		t.Error(err)
	}
	if _, err := provenance.Observe(l, &provenance.Lineage{Downloads: []provenance.Download{{Job: 1}}}, classes, provenance.ObserveConfig{}); err == nil {
		t.Error("a download of no job: got no error")
	}
	for _, change := range []func(j *provenance.Job){
		func(j *provenance.Job) { j.Org = 1 },
		func(j *provenance.Job) { j.State = 9 },
		func(j *provenance.Job) { j.Priority = math.NaN() },
		func(j *provenance.Job) { j.Compute = -1 },
	} {
		l.Jobs[0] = provenance.Job{}
		change(&l.Jobs[0])
		if _, err := provenance.Observe(l, found, classes, provenance.ObserveConfig{}); err == nil {
			t.Errorf("%+v: got no error", l.Jobs[0])
		}
	}
}

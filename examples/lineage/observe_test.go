package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"example.com/augur/dag/provenance"
	"example.com/augur/policy/wing/pipeline"
)

// share counts the indices below n for which of holds, and those for which is holds too.
func share(what string, n int, of, is func(i int) bool) observation {
	x := observation{What: what}
	for i := range n {
		if of(i) {
			x.add(is(i))
		}
	}
	return x
}

func every(int) bool { return true }

// naiveObservations counts each share by its definition.
func naiveObservations(r *pipeline.Result) (list []observation) {
	l, deps := r.Log, r.Found.Dependencies
	jobs, templates := len(l.Jobs), l.Templates.Len()
	job := func(i uint32) provenance.Job { return l.Jobs[i] }
	recurring := func(i int) bool { return r.Classes.Templates[l.Jobs[i].Template].Has(provenance.Recurring) }
	recurs := func(i int) bool { return r.Classes.Dependencies[i].Has(provenance.Recurring) }
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
	put := func(what string, n int, of, is func(i int) bool) { list = append(list, share(what, n, of, is)) }
	put("recurring_jobs", jobs, every, recurring)
	put("recurring_dependencies", len(deps), every, recurs)
	put("dependent_jobs", jobs, every, func(i int) bool { return some(func(k int) bool { return int(deps[k].To) == i }) })

	put("inverted_jobs", jobs, every, func(i int) bool { return some(func(k int) bool { return int(deps[k].To) == i && inverted(k) }) })
	put("inverted_templates", templates, func(up int) bool { return r.Classes.Templates[up].Has(provenance.Recurring) }, func(up int) bool {
		for down := range templates {
			if s := share("", len(deps), func(i int) bool { return between(up, down)(i) && !cross(i) }, inverted); 2*s.N > s.Of {
				return true
			}
		}
		return false
	})
	put("ad_hoc_above_recurring", jobs, func(i int) bool { return !recurring(i) }, func(i int) bool {
		sum, n := 0.0, 0.0
		for k, j := range l.Jobs {
			if recurring(k) && j.Org == l.Jobs[i].Org {
				sum, n = sum+j.Priority, n+1
			}
		}
		return l.Jobs[i].Priority > sum/n // not if n is 0
	})
	put("uncoordinated_jobs", jobs, recurring, func(i int) bool {
		t := l.Jobs[i].Template
		return !r.Classes.Templates[t].Has(provenance.Polling) && some(func(k int) bool {
			return job(deps[k].To).Template == t && recurs(k) && r.Classes.Dependencies[k].Has(provenance.Hard)
		})
	})

	touches := func(i int) bool {
		return some(func(k int) bool { return cross(k) && (int(deps[k].From) == i || int(deps[k].To) == i) })
	}
	put("cross_organisation_dependencies", len(deps), every, cross)
	put("cross_organisation_templates", templates*templates, func(i int) bool { return some(between(i/templates, i%templates)) },
		func(i int) bool {
			return some(func(k int) bool { return between(i/templates, i%templates)(k) && cross(k) })
		})
	put("cross_organisation_jobs", jobs, every, touches)
	put("cross_organisation_recurring_jobs", jobs, recurring, touches)
	put("jobs_that_depend_on_another_organisation", jobs, every, func(i int) bool {
		return some(func(k int) bool { return cross(k) && int(deps[k].To) == i })
	})
	put("organisations_that_cross", l.Orgs.Len(), func(org int) bool {
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
	size := func(i int) int { return share("", jobs, every, func(k int) bool { return of[k] == i }).N }
	largest := observation{What: "jobs_in_largest_component", Of: jobs}
	for i := range jobs {
		largest.N = max(largest.N, size(i))
	}
	list = append(list, largest)
	put("jobs_in_components_of_ten", jobs, every, func(i int) bool { return size(of[i]) >= 10 })

	first := func(i int) (at provenance.Time, ok bool) {
		at = math.MaxInt64
		for _, d := range deps {
			if int(d.From) == i {
				at, ok = min(at, d.First), true
			}
		}
		for _, d := range r.Found.Downloads {
			if int(d.Job) == i {
				at, ok = min(at, d.Time), true
			}
		}
		return at, ok
	}
	complete := func(i int) bool { return recurring(i) && l.Jobs[i].State == provenance.Complete }
	for _, shift := range shifts {
		put("jobs_that_can_wait_"+days(shift.by), jobs, every, func(i int) bool {
			at, ok := first(i)
			j := l.Jobs[i]
			return complete(i) && ok && at.Sub(j.Completed) > shift.by && j.Completed.Sub(j.Submitted) < shift.by
		})
	}
	put("unread_recurring_jobs", jobs, complete, func(i int) bool { _, ok := first(i); return !ok })
	return list
}

// randomResult makes jobs of a few templates, and dependencies and downloads of them, on a coarse grid of time so that there are
// ties. Its unit is half an hour.
func randomResult(t *testing.T, rng *rand.Rand) *pipeline.Result {
	const unit = provenance.Time(30 * time.Minute)
	l, found := new(provenance.Log), new(provenance.Lineage)
	for i := range 2 {
		l.Orgs.Number(fmt.Sprint("o", i))
	}
	for i := range 1 + rng.IntN(5) {
		template, gap := l.Templates.Number(fmt.Sprint("t", i)), 1+rng.IntN(8)
		for k := range rng.IntN(16) {
			at := provenance.Time(k*gap) * unit
			if i%2 == 1 {
				at = provenance.Time(rng.IntN(40)) * unit
			}
			j := provenance.Job{Template: template, Org: uint32(rng.IntN(2)), Submitted: at, Priority: float64(rng.IntN(3)),
				State: provenance.State(max(1, rng.IntN(8)-4)), Compute: 1, Completed: at + provenance.Time(rng.IntN(4))*unit}
			if rng.IntN(4) == 0 {
				found.Downloads = append(found.Downloads, provenance.Download{Job: uint32(len(l.Jobs)), Time: j.Completed + provenance.Time(rng.IntN(30))*unit})
			}
			l.Jobs = append(l.Jobs, j)
		}
	}
	far := provenance.Time(1+rng.IntN(6)) * unit
	for from, a := range l.Jobs {
		for to, b := range l.Jobs {
			if gap := b.Submitted - a.Submitted; gap > 0 && gap <= far && rng.IntN(3) == 0 {
				found.Dependencies = append(found.Dependencies, provenance.Dependency{From: uint32(from), To: uint32(to), Files: 1, Reads: 1, First: b.Submitted + provenance.Time(rng.IntN(9))*unit})
			}
		}
	}
	classes, err := provenance.Classify(l, found.Dependencies, provenance.ClassConfig{
		End: 40 * unit, Month: time.Duration(10 * unit), Months: 1 + rng.IntN(3), Poll: time.Duration(3 * unit), HardShare: 0.5,
	})
	if err != nil {
		t.Fatal(err)
	}
	return &pipeline.Result{Log: l, Found: found, Classes: classes}
}

func TestObservationsAreThoseOfTheNaive(t *testing.T) {
	sums := make(map[string]*observation)
	for seed := range uint64(200) {
		r := randomResult(t, rand.New(rand.NewPCG(seed, 9)))
		got, err := observe(r, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(naiveObservations(r), got, cmpopts.IgnoreFields(observation{}, "Title", "Paper", "Examples")); diff != "" {
			t.Fatalf("seed %d: -want +got:\n%s", seed, diff)
		}
		for _, x := range got {
			if sums[x.What] == nil {
				sums[x.What] = new(observation)
			}
			sums[x.What].N, sums[x.What].Of = sums[x.What].N+x.N, sums[x.What].Of+x.Of
		}
	}
	for what, x := range sums {
		if fraction := float64(x.N) / float64(x.Of); !(fraction >= 0.01 && fraction <= 0.99) {
			t.Errorf("the generator is poor: %s: %s", what, x.share())
		}
	}
}

// Clicks are loaded each day, sooner or later. Neither the audit, which has more priority, nor the bills of another organisation
// wait for them, and every tenth bill fails. A tie of components goes to the earlier one.
func TestExamplesOfObservations(t *testing.T) {
	const hour, day = provenance.Time(time.Hour), 24 * provenance.Time(time.Hour)
	var log provenance.Log
	submit := func(name, org string, at provenance.Time, priority float64, state provenance.State) uint32 {
		id := fmt.Sprintf("%s-%d", name, at/day)
		log.IDs.Number(id)
		log.Jobs = append(log.Jobs, provenance.Job{
			Template: log.Templates.Number(provenance.Template(id)), Org: log.Orgs.Number(org),
			Submitted: at, Completed: at + hour/2, State: state, Priority: priority, Compute: 3600,
		})
		return uint32(len(log.Jobs) - 1)
	}
	op := func(at provenance.Time, job, file uint32, kind provenance.OpKind) {
		log.Ops = append(log.Ops, provenance.Op{Time: at, Job: job, File: file, Kind: kind})
	}
	for i := range provenance.Time(90) {
		clicks := submit("clicks", "ads", i*day+i*5%13*hour, 1, provenance.Complete)
		op(log.Jobs[clicks].Completed, clicks, uint32(i), provenance.Write)
		audit := submit("audit", "ads", i*day+14*hour, 2, provenance.Complete)
		op(i*day+14*hour, audit, uint32(i), provenance.Read)
		if i%10 == 9 {
			submit("bill", "finance", i*day+11*hour, 1, provenance.NoInput)
		} else {
			op(i*day+14*hour, submit("bill", "finance", i*day+14*hour, 1, provenance.Complete), uint32(i), provenance.Read)
		}
	}
	r, err := pipeline.Run(&log, pipeline.Config{End: 90 * day})
	if err != nil {
		t.Fatal(err)
	}
	list, err := observe(r, 2)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range list {
		got = append(got, x.Examples...)
	}
	if diff := cmp.Diff([]string{
		"clicks-# has lower priority than audit-#: 90 of 90 (100 %)",
		"bill-#: 9 of 90 jobs missed an input, least slack 1h30m0s",
		"audit-#: 0 of 90 jobs missed an input, least slack 1h30m0s",
		"finance on ads: 81",
		"3 jobs with clicks-0",
		"3 jobs with clicks-1",
		"clicks-#: 90 jobs, 3.24e+05 resource-seconds",
		"clicks-#: 76 jobs, 2.74e+05 resource-seconds",
		"clicks-#: 56 jobs, 2.02e+05 resource-seconds",
		"clicks-#: 14 jobs, 5.04e+04 resource-seconds",
	}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

package provenance

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/dag"
)

// priorities is observation 2.
func (o *observer) priorities(r *Report) {
	jobs := o.log.Jobs
	inverted := make([]bool, len(jobs))
	pairs := make(map[pair]Share)
	for i, d := range o.found.Dependencies {
		up, down := &jobs[d.From], &jobs[d.To]
		if up.Org != down.Org {
			continue
		}
		is := up.Priority < down.Priority
		inverted[d.To] = inverted[d.To] || is
		if o.classes.Dependencies[i].Has(Recurring) {
			s := pairs[pair{up.Template, down.Template}]
			s.add(is)
			pairs[pair{up.Template, down.Template}] = s
		}
	}
	for _, is := range inverted {
		r.InvertedJobs.add(is)
	}
	systematic := make([]bool, o.log.Templates.Len())
	var inversions []inversion
	for pair, s := range pairs {
		if s.N > s.Of-s.N {
			systematic[pair.up] = true
		}
		if s.N > 0 {
			inversions = append(inversions, inversion{pair.up, pair.down, s})
		}
	}
	r.worst.inversions = worst(o, inversions, func(a, b inversion) int {
		return cmp.Or(cmp.Compare(b.inverted.N, a.inverted.N), pair{a.up, a.down}.compare(pair{b.up, b.down}))
	})

	// The mean is that of the sums of the recurring jobs, in order of jobs.
	sum, n := make([]float64, o.log.Orgs.Len()), make([]float64, o.log.Orgs.Len())
	for i, j := range jobs {
		if o.recurring(uint32(i)) {
			sum[j.Org] += j.Priority
			n[j.Org]++
		}
	}
	for i, is := range systematic {
		if o.classes.Templates[i].Has(Recurring) {
			r.InvertedTemplates.add(is)
		}
	}
	for i, j := range jobs {
		if !o.recurring(uint32(i)) {
			r.AdHocAbove.add(n[j.Org] > 0 && j.Priority > sum[j.Org]/n[j.Org])
		}
	}
}

// uncoordinated is observation 3.
func (o *observer) uncoordinated(report *Report) {
	jobs := o.log.Jobs
	risks := make([]risk, o.log.Templates.Len())
	blind := make([]bool, len(risks))
	for i := range risks {
		risks[i] = risk{template: uint32(i), slack: math.MaxInt64}
	}
	for i, d := range o.found.Dependencies {
		up, down := &jobs[d.From], &jobs[d.To]
		if !o.classes.Dependencies[i].Has(Recurring|Hard) || o.classes.Templates[down.Template].Has(Polling) {
			continue
		}
		blind[down.Template] = true
		if up.State != Running {
			r := &risks[down.Template]
			r.slack = min(r.slack, down.Submitted.Sub(up.Completed))
		}
	}
	for i, j := range jobs {
		if !o.recurring(uint32(i)) {
			continue
		}
		report.Uncoordinated.add(blind[j.Template])
		risks[j.Template].jobs++
		if j.State == NoInput {
			risks[j.Template].missed++
		}
	}
	risks = slices.DeleteFunc(risks, func(r risk) bool { return !blind[r.template] })
	report.worst.risks = worst(o, risks, func(a, b risk) int {
		return cmp.Or(cmp.Compare(b.missed, a.missed), cmp.Compare(a.slack, b.slack), cmp.Compare(a.template, b.template))
	})
}

// shifts is observation 6.
func (o *observer) shifts(r *Report) {
	jobs := o.log.Jobs
	first := make([]Time, len(jobs))
	for i := range first {
		first[i] = math.MaxInt64
	}
	for _, d := range o.found.Dependencies {
		first[d.From] = min(first[d.From], d.First)
	}
	for _, d := range o.found.Downloads {
		first[d.Job] = min(first[d.Job], d.Time)
	}
	candidate := func(i int) bool { return o.recurring(uint32(i)) && jobs[i].State == Complete }
	for i := range jobs {
		if candidate(i) {
			r.Unread.add(first[i] == math.MaxInt64)
		}
	}
	templates := make([]postponed, o.log.Templates.Len())
	for _, by := range o.config.Shifts {
		clear(templates)
		s := Shift{By: by}
		for i, j := range jobs {
			is := candidate(i) && first[i] != math.MaxInt64 && first[i].Sub(j.Completed) > by && j.Completed.Sub(j.Submitted) < by
			s.Jobs.add(is)
			if is {
				t := &templates[j.Template]
				t.jobs++
				t.compute += j.Compute
			}
		}
		var some []postponed
		for i, t := range templates {
			if t.jobs > 0 {
				t.number = uint32(i)
				some = append(some, t)
			}
		}
		r.Shifts = append(r.Shifts, s)
		r.worst.postponable = append(r.worst.postponable, worst(o, some, func(a, b postponed) int {
			return cmp.Or(cmp.Compare(b.compute, a.compute), cmp.Compare(b.jobs, a.jobs), cmp.Compare(a.number, b.number))
		}))
	}
}

// crossOrg is observation 4.
func (o *observer) crossOrg(r *Report) {
	jobs := o.log.Jobs
	involved, dependent := make([]bool, len(jobs)), make([]bool, len(jobs))
	orgs, used := make([]bool, o.log.Orgs.Len()), make([]bool, o.log.Orgs.Len())
	templates := make(map[pair]bool)
	pairs := make(map[pair]int)
	for i, d := range o.found.Dependencies {
		up, down := &jobs[d.From], &jobs[d.To]
		cross := up.Org != down.Org
		r.CrossDependencies.add(cross)
		if cross {
			involved[d.From], involved[d.To], dependent[d.To] = true, true, true
			orgs[up.Org], orgs[down.Org] = true, true
			pairs[pair{up.Org, down.Org}]++
		}
		if o.classes.Dependencies[i].Has(Recurring) {
			p := pair{up.Template, down.Template}
			templates[p] = templates[p] || cross
		}
	}
	for _, cross := range templates {
		r.CrossTemplates.add(cross)
	}
	for i, j := range jobs {
		used[j.Org] = true
		r.CrossJobs.add(involved[i])
		r.CrossDependents.add(dependent[i])
		if o.recurring(uint32(i)) {
			r.CrossRecurring.add(involved[i])
		}
	}
	for i, is := range orgs {
		if used[i] {
			r.CrossOrgs.add(is)
		}
	}
	var crossing []orgPair
	for p, n := range pairs {
		crossing = append(crossing, orgPair{p.up, p.down, n})
	}
	r.worst.crossing = worst(o, crossing, func(a, b orgPair) int {
		return cmp.Or(cmp.Compare(b.dependencies, a.dependencies), pair{a.from, a.to}.compare(pair{b.from, b.to}))
	})
}

// connected is observation 5.
func (o *observer) connected(r *Report) error {
	jobs := len(o.log.Jobs)
	g, err := o.found.Graph(jobs)
	if err != nil {
		return err
	}
	of, sizes := dag.ConnectedComponents(g)
	r.InLargest.Of, r.InTen.Of = jobs, jobs
	var some []component
	for i, size := range sizes {
		n := int(size)
		r.InLargest.N = max(r.InLargest.N, n)
		if n >= 10 {
			r.InTen.N += n
		}
		if n > 1 {
			some = append(some, component{uint32(i), n})
		}
	}
	// Components are numbered by their first jobs, so that of two the lesser number has the lesser one.
	some = worst(o, some, func(a, b component) int {
		return cmp.Or(cmp.Compare(b.jobs, a.jobs), cmp.Compare(a.first, b.first))
	})
	for i := range some {
		some[i].first = uint32(slices.Index(of, some[i].first))
	}
	r.worst.components = some
	return nil
}

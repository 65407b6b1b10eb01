package provenance

import (
	"cmp"
	"slices"

	"example.com/augur/dag"
)

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
	of, sizes := dag.Connected(g)
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

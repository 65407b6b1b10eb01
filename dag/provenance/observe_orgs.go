package provenance

import (
	"cmp"
	"slices"

	"example.com/augur/dag"
)

// crossOrg is observation 4.
func (o *observer) crossOrg() (c CrossOrg) {
	jobs := o.log.Jobs
	involved, dependent := make([]bool, len(jobs)), make([]bool, len(jobs))
	orgs, used := make([]bool, o.log.Orgs.Len()), make([]bool, o.log.Orgs.Len())
	templates := make(map[pair]bool)
	pairs := make(map[pair]int)
	for i, d := range o.found.Dependencies {
		up, down := &jobs[d.From], &jobs[d.To]
		cross := up.Org != down.Org
		c.Dependencies.add(cross)
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
		c.Templates.add(cross)
	}
	for i, j := range jobs {
		used[j.Org] = true
		c.Jobs.add(involved[i])
		c.Dependent.add(dependent[i])
		if o.recurring(uint32(i)) {
			c.Recurring.add(involved[i])
		}
	}
	for i, is := range orgs {
		if used[i] {
			c.Orgs.add(is)
		}
	}
	for p, n := range pairs {
		c.Worst = append(c.Worst, OrgPair{p.up, p.down, n})
	}
	c.Worst = worst(o, c.Worst, func(a, b OrgPair) int {
		return cmp.Or(cmp.Compare(b.Dependencies, a.Dependencies), pair{a.From, a.To}.compare(pair{b.From, b.To}))
	})
	return c
}

// connected is observation 5.
func (o *observer) connected() (c Connected, err error) {
	jobs := len(o.log.Jobs)
	g, err := Graph(jobs, o.found.Dependencies)
	if err != nil {
		return c, err
	}
	of, sizes := dag.Connected(g)
	c.Components = len(sizes)
	c.Largest.Of, c.Ten.Of = jobs, jobs
	for i, size := range sizes {
		n := int(size)
		c.Largest.N = max(c.Largest.N, n)
		if n >= 10 {
			c.Ten.N += n
		}
		if n > 1 {
			c.Worst = append(c.Worst, Component{uint32(i), n})
		}
	}
	// Components are numbered by their first jobs, so that of two the lesser number has the lesser one.
	c.Worst = worst(o, c.Worst, func(a, b Component) int {
		return cmp.Or(cmp.Compare(b.Jobs, a.Jobs), cmp.Compare(a.First, b.First))
	})
	for i := range c.Worst {
		c.Worst[i].First = uint32(slices.Index(of, c.Worst[i].First))
	}
	return c, nil
}

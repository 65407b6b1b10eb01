package provenance

import "cmp"

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
func (o *observer) connected() (c Connected) {
	// The trees of a union-find; the root is the job with the least number.
	up := make([]uint32, len(o.log.Jobs))
	for i := range up {
		up[i] = uint32(i)
	}
	root := func(v uint32) uint32 {
		for up[v] != v {
			up[v] = up[up[v]]
			v = up[v]
		}
		return v
	}
	for _, d := range o.found.Dependencies {
		a, b := root(d.From), root(d.To)
		up[max(a, b)] = min(a, b)
	}
	sizes := make([]int, len(up))
	for i := range up {
		sizes[root(uint32(i))]++
	}
	c.Largest.Of, c.Ten.Of = len(up), len(up)
	for i, n := range sizes {
		if n == 0 {
			continue
		}
		c.Components++
		c.Largest.N = max(c.Largest.N, n)
		if n >= 10 {
			c.Ten.N += n
		}
		if n > 1 {
			c.Worst = append(c.Worst, Component{uint32(i), n})
		}
	}
	c.Worst = worst(o, c.Worst, func(a, b Component) int {
		return cmp.Or(cmp.Compare(b.Jobs, a.Jobs), cmp.Compare(a.First, b.First))
	})
	return c
}

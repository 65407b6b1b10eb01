package provenance

import (
	"cmp"
	"slices"
)

// hard is rule C5 for dependencies that recur.
func (c *ClassConfig) hard(l *Log, deps []Dependency, t *byTemplate, classes *Classes) {
	counts := func(job uint32) bool {
		j := &l.Jobs[job]
		return c.Start <= j.Submitted && j.Submitted < c.End && j.State != NoInput && j.State != Running
	}
	readers := make([]int, len(classes.Templates)) // jobs of the template that count
	for i := range readers {
		for _, job := range t.of(uint32(i)) {
			if counts(job) {
				readers[i]++
			}
		}
	}
	// Sorted by the pair of templates and then by reader; each with its dependency.
	type use struct {
		pair   pair
		to, of uint32
	}
	var uses []use
	for i, d := range deps {
		if classes.Dependencies[i].Has(Recurring) {
			uses = append(uses, use{pair{l.Jobs[d.From].Template, l.Jobs[d.To].Template}, d.To, uint32(i)})
		}
	}
	slices.SortFunc(uses, func(a, b use) int { return cmp.Or(a.pair.compare(b.pair), cmp.Compare(a.to, b.to)) })
	for len(uses) > 0 {
		n := 1
		for n < len(uses) && uses[n].pair == uses[0].pair {
			n++
		}
		group := uses[:n]
		uses = uses[n:]
		one, all, same, number := 0, 0, true, 0
		for i := 0; i < n; {
			from := i
			for i < n && group[i].to == group[from].to {
				i++
			}
			if !counts(group[from].to) {
				continue
			}
			if i-from == 1 {
				one++
			}
			if all++; all == 1 {
				number = i - from
			}
			same = same && i-from == number
		}
		counted := readers[group[0].pair.down]
		if float64(one) > c.HardShare*float64(counted) || all > 0 && same && all == counted {
			for _, u := range group {
				classes.Dependencies[u.of] |= Hard
			}
		}
	}
}

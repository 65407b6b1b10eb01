package main

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/dag"
	"example.com/augur/policy/wing"
)

// misplaced applies A1 and A2, queue by queue.
func (a *advisor) misplaced() {
	ids := make([]uint32, len(a.templates))
	a.standing, a.worth = make([]float64, len(ids)), make([]float64, len(ids))
	for i := range ids {
		ids[i] = uint32(i)
	}
	slices.SortStableFunc(ids, func(i, j uint32) int { return cmp.Compare(a.templates[i].owner, a.templates[j].owner) })
	for len(ids) > 0 {
		n := 1
		for n < len(ids) && a.templates[ids[n]].owner == a.templates[ids[0]].owner {
			n++
		}
		if n > 1 {
			a.misplacedIn(ids[:n])
		}
		ids = ids[n:]
	}
}

// misplacedIn applies A1 and A2 to the templates of one queue, which it reorders.
func (a *advisor) misplacedIn(ids []uint32) {
	value, own := 0.0, 0.0
	for _, i := range ids {
		value += a.templates[i].value
		own += a.templates[i].own
	}
	a.above(a.worth, ids, func(t *template) float64 { return t.value / t.work })
	a.above(a.standing, ids, func(t *template) float64 { return t.priority })
	ladder := a.ladder(ids)
	slices.Sort(ids)
	for _, i := range ids {
		t := &a.templates[i]
		f := finding{template: i, standing: a.standing[i], worth: a.worth[i]}
		gap := f.worth - f.standing
		switch {
		case gap >= minGap:
			f.kind = tooLow
			f.harm = gap * t.value
		case -gap >= minGap:
			f.kind = tooHigh
			if own > 0 {
				f.harm = -gap * max(0, value-t.value) * (t.own / own)
			}
		default:
			continue
		}
		f.suggested = ladder.suggest(t, &f)
		a.find(f)
	}
}

// A ladder holds the priorities of a queue, increasing, and how many jobs have at most each.
type ladder struct {
	priorities, upTo []float64
}

// ladder returns the ladder of templates that are sorted by priority.
func (a *advisor) ladder(ids []uint32) ladder {
	var l ladder
	jobs := 0.0
	for _, i := range ids {
		t := &a.templates[i]
		jobs += float64(t.jobs)
		if n := len(l.priorities); n > 0 && l.priorities[n-1] == t.priority {
			l.upTo[n-1] = jobs
			continue
		}
		l.priorities, l.upTo = append(l.priorities, t.priority), append(l.upTo, jobs)
	}
	return l
}

// suggest returns the priority that a tooLow or tooHigh template should have: the least priority with as many of the
// others' jobs at or below it as its worth is above. If it has that priority already, too many jobs share it, and it
// should be between these and the next.
func (l ladder) suggest(t *template, f *finding) float64 {
	own := float64(t.jobs)
	others := l.upTo[len(l.upTo)-1] - own
	above := math.Round(2*f.worth*others) / 2 // whole or half jobs, whatever was rounded
	at, _ := slices.BinarySearch(l.priorities, t.priority)
	k, _ := slices.BinarySearchFunc(l.upTo, above, func(upTo, above float64) int {
		if upTo >= l.upTo[at] {
			upTo -= own
		}
		return cmp.Compare(upTo, above)
	})
	k = min(k, len(l.priorities)-1)
	switch {
	case k != at:
		return l.priorities[k]
	case f.kind == tooLow:
		return between(t.priority, l.priorities, at+1, 1)
	default:
		return between(t.priority, l.priorities, at-1, -1)
	}
}

// between returns the middle of a priority and its neighbour, or, if there is no neighbour, p one step further.
func between(p float64, priorities []float64, neighbour int, step float64) float64 {
	q := p + step
	if neighbour >= 0 && neighbour < len(priorities) {
		q = p/2 + priorities[neighbour]/2
	}
	if q == p { // large numbers lie further apart
		q = math.Nextafter(p, step*math.Inf(1))
	}
	return min(max(q, -math.MaxFloat64), math.MaxFloat64)
}

// above sorts templates by a key and sets to[i] to the share of the others' jobs with a lesser key; equal keys count
// half.
func (a *advisor) above(to []float64, ids []uint32, key func(*template) float64) {
	slices.SortFunc(ids, func(i, j uint32) int {
		return cmp.Or(cmp.Compare(key(&a.templates[i]), key(&a.templates[j])), cmp.Compare(i, j))
	})
	all := 0.0
	for _, i := range ids {
		all += float64(a.templates[i].jobs)
	}
	below := 0.0
	for first := 0; first < len(ids); {
		same, last := 0.0, first // of the same key
		for ; last < len(ids) && key(&a.templates[ids[last]]) == key(&a.templates[ids[first]]); last++ {
			same += float64(a.templates[ids[last]].jobs)
		}
		for _, i := range ids[first:last] {
			jobs := float64(a.templates[i].jobs)
			to[i] = (below + (same-jobs)/2) / (all - jobs)
		}
		below += same
		first = last
	}
}

// linked applies A3, A4 and A5.
func (a *advisor) linked() {
	priorities := make([]float64, len(a.templates))
	for i := range a.templates {
		priorities[i] = a.templates[i].priority
	}
	var edges []dag.Edge // inside queues
	for _, l := range a.links {
		if a.templates[l.up].owner == a.templates[l.down].owner {
			edges = append(edges, dag.Edge{From: l.up, To: l.down})
		}
	}
	raised, err := wing.Inherit(nil, priorities, edges)
	if err != nil {
		panic(err) // priorities are numbers, and links lead to templates
	}
	readers, inputs := make([][]link, len(a.templates)), make([][]link, len(a.templates))
	for _, l := range a.links {
		readers[l.up] = append(readers[l.up], l)
		inputs[l.down] = append(inputs[l.down], l)
	}
	for i := range a.templates {
		i, t := uint32(i), &a.templates[i]
		inverted := finding{kind: inverted, template: i, suggested: raised[i]}
		a.gather(&inverted, readers[i], func(down *template) bool {
			return down.owner == t.owner && down.priority > t.priority
		})
		unagreed := finding{kind: unagreed, template: i}
		a.gather(&unagreed, readers[i], func(down *template) bool {
			return down.owner != t.owner
		})
		if t.noInput > 0 {
			a.blind(i, inputs[i])
		}
	}
}

// gather makes a finding of the links that count, if there are any.
func (a *advisor) gather(f *finding, links []link, counts func(down *template) bool) {
	stake := func(l link) float64 {
		down := &a.templates[l.down]
		return down.value * (float64(l.jobs) / float64(down.jobs))
	}
	var found []link
	for _, l := range links {
		if counts(&a.templates[l.down]) {
			found = append(found, l)
			f.harm += stake(l)
		}
	}
	if len(found) == 0 {
		return
	}
	slices.SortStableFunc(found, func(l, m link) int { return cmp.Or(cmp.Compare(stake(m), stake(l)), cmp.Compare(l.down, m.down)) })
	for _, l := range found {
		f.others = append(f.others, l.down)
	}
	a.find(*f)
}

// blind applies A4 to a template.
func (a *advisor) blind(i uint32, inputs []link) {
	t := &a.templates[i]
	f := finding{kind: blind, template: i}
	if t.noInput < t.jobs {
		f.harm = t.value / float64(t.jobs-t.noInput) * float64(t.noInput)
	}
	slices.SortStableFunc(inputs, func(l, m link) int { return cmp.Or(cmp.Compare(m.jobs, l.jobs), cmp.Compare(l.up, m.up)) })
	for _, l := range inputs {
		f.others = append(f.others, l.up)
	}
	a.find(f)
}

// shiftable applies A6.
func (a *advisor) shiftable() {
	for i := range a.templates {
		t := &a.templates[i]
		f := finding{kind: shiftable, template: uint32(i)}
		for _, shift := range shifts {
			if t.periodic && t.gap > shift.by && t.runtime < shift.by {
				f.delay = shift.by
			}
		}
		if f.delay > 0 {
			a.find(f)
		}
	}
}

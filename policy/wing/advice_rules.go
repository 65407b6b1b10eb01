package wing

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/dag"
	"example.com/augur/internal/saturate"
)

// misplaced applies A1 and A2, queue by queue.
func (a *advisor) misplaced() {
	ids := make([]uint32, len(a.templates))
	a.standing, a.worth = make([]float64, len(ids)), make([]float64, len(ids))
	for i := range ids {
		ids[i] = uint32(i)
	}
	slices.SortStableFunc(ids, func(i, j uint32) int { return cmp.Compare(a.templates[i].Queue, a.templates[j].Queue) })
	for len(ids) > 0 {
		n := 1
		for n < len(ids) && a.templates[ids[n]].Queue == a.templates[ids[0]].Queue {
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
		value += a.templates[i].Value
		own += a.templates[i].Own
	}
	a.above(a.worth, ids, func(t *Template) float64 { return t.Value / t.Work })
	a.above(a.standing, ids, func(t *Template) float64 { return t.Priority })
	ladder := a.ladder(ids)
	slices.Sort(ids)
	for _, i := range ids {
		t := &a.templates[i]
		f := Finding{Template: i, Standing: a.standing[i], Worth: a.worth[i]}
		gap := f.Worth - f.Standing
		switch {
		case gap >= a.config.MinGap:
			f.Kind = TooLow
			f.Harm = gap * t.Value
		case -gap >= a.config.MinGap:
			f.Kind = TooHigh
			if own > 0 {
				f.Harm = -gap * max(0, value-t.Value) * (t.Own / own)
			}
		default:
			continue
		}
		f.Suggested = ladder.suggest(t, &f)
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
		jobs += float64(t.Jobs)
		if n := len(l.priorities); n > 0 && l.priorities[n-1] == t.Priority {
			l.upTo[n-1] = jobs
			continue
		}
		l.priorities, l.upTo = append(l.priorities, t.Priority), append(l.upTo, jobs)
	}
	return l
}

// suggest returns the priority that a TooLow or TooHigh template should have: the least priority with as many of the
// others' jobs at or below it as its worth is above. If it has that priority already, too many jobs share it, and it
// should be between these and the next.
func (l ladder) suggest(t *Template, f *Finding) float64 {
	own := float64(t.Jobs)
	others := l.upTo[len(l.upTo)-1] - own
	above := math.Round(2*f.Worth*others) / 2 // whole or half jobs, whatever was rounded
	at, _ := slices.BinarySearch(l.priorities, t.Priority)
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
	case f.Kind == TooLow:
		return between(t.Priority, l.priorities, at+1, 1)
	default:
		return between(t.Priority, l.priorities, at-1, -1)
	}
}

// between returns the middle of a priority and its neighbour, or, if there is no neighbour, p one step further.
func between(p float64, priorities []float64, neighbour int, step float64) float64 {
	q := p + step
	if neighbour >= 0 && neighbour < len(priorities) {
		q = p/2 + priorities[neighbour]/2
	}
	if q == p { // large numbers lie further apart
		q = math.Nextafter(p, math.Inf(saturate.To[int](step)))
	}
	return min(max(q, -math.MaxFloat64), math.MaxFloat64)
}

// above sorts templates by a key and sets to[i] to the share of the others' jobs with a lesser key; equal keys count
// half.
func (a *advisor) above(to []float64, ids []uint32, key func(*Template) float64) {
	slices.SortFunc(ids, func(i, j uint32) int {
		return cmp.Or(cmp.Compare(key(&a.templates[i]), key(&a.templates[j])), cmp.Compare(i, j))
	})
	all := 0.0
	for _, i := range ids {
		all += float64(a.templates[i].Jobs)
	}
	below := 0.0
	for first := 0; first < len(ids); {
		same, last := 0.0, first // of the same key
		for ; last < len(ids) && key(&a.templates[ids[last]]) == key(&a.templates[ids[first]]); last++ {
			same += float64(a.templates[ids[last]].Jobs)
		}
		for _, i := range ids[first:last] {
			jobs := float64(a.templates[i].Jobs)
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
		priorities[i] = a.templates[i].Priority
	}
	var edges []dag.Edge // inside queues
	for _, l := range a.links {
		if a.templates[l.Up].Queue == a.templates[l.Down].Queue {
			edges = append(edges, dag.Edge{From: l.Up, To: l.Down})
		}
	}
	raised, err := Inherit(nil, priorities, edges)
	if err != nil {
		panic(err) // all has been checked
	}
	readers, inputs := make([][]Link, len(a.templates)), make([][]Link, len(a.templates))
	for _, l := range a.links {
		readers[l.Up] = append(readers[l.Up], l)
		inputs[l.Down] = append(inputs[l.Down], l)
	}
	for i := range a.templates {
		i, t := uint32(i), &a.templates[i]
		inverted := Finding{Kind: Inverted, Template: i, Suggested: raised[i]}
		a.gather(&inverted, readers[i], func(down *Template, _ Link) bool {
			return down.Queue == t.Queue && down.Priority > t.Priority
		})
		unagreed := Finding{Kind: Unagreed, Template: i}
		a.gather(&unagreed, readers[i], func(down *Template, l Link) bool {
			return down.Owner != t.Owner && !l.Agreed
		})
		if t.NoInput > 0 {
			a.blind(i, inputs[i])
		}
	}
}

// gather makes a finding of the links that count, if there are any.
func (a *advisor) gather(f *Finding, links []Link, counts func(down *Template, l Link) bool) {
	stake := func(l Link) float64 {
		down := &a.templates[l.Down]
		return down.Value * (float64(l.Jobs) / float64(down.Jobs))
	}
	var found []Link
	for _, l := range links {
		if counts(&a.templates[l.Down], l) {
			found = append(found, l)
			f.Harm += stake(l)
		}
	}
	if len(found) == 0 {
		return
	}
	slices.SortStableFunc(found, func(l, m Link) int { return cmp.Or(cmp.Compare(stake(m), stake(l)), cmp.Compare(l.Down, m.Down)) })
	for _, l := range found {
		f.Others = append(f.Others, l.Down)
	}
	a.find(*f)
}

// blind applies A4 to a template.
func (a *advisor) blind(i uint32, inputs []Link) {
	t := &a.templates[i]
	f := Finding{Kind: Blind, Template: i}
	if t.NoInput < t.Jobs {
		f.Harm = t.Value / float64(t.Jobs-t.NoInput) * float64(t.NoInput)
	}
	slices.SortStableFunc(inputs, func(l, m Link) int { return cmp.Or(cmp.Compare(m.Jobs, l.Jobs), cmp.Compare(l.Up, m.Up)) })
	for _, l := range inputs {
		f.Others = append(f.Others, l.Up)
	}
	a.find(f)
}

// shiftable applies A6.
func (a *advisor) shiftable() {
	for i := range a.templates {
		t := &a.templates[i]
		f := Finding{Kind: Shiftable, Template: uint32(i)}
		for _, d := range a.config.Delays {
			if t.Periodic && t.Gap > d && t.Runtime < d {
				f.Delay = max(f.Delay, d)
			}
		}
		if f.Delay > 0 {
			a.find(f)
		}
	}
}

package baseline

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
)

// A profile says how many cores will be free when: a list of steps, the last of which has no end.
type profile struct{ steps []step }

type step struct {
	at   policy.Time // increasing
	free int64       // until the next step; no two neighbours have the same
}

// reset makes a profile with the cores that are free now, and those that units will free.
// What should have ended by now may end in the next moment.
func (p *profile) reset(now policy.Time, free int64, u *units) {
	p.steps = append(p.steps[:0], step{now, free})
	for _, e := range u.list {
		if e.end == never {
			break
		}
		free += e.width
		if at, last := max(e.end, now+1), &p.steps[len(p.steps)-1]; at == last.at {
			last.free = free
		} else {
			p.steps = append(p.steps, step{at, free})
		}
	}
}

// forget drops what was before now.
func (p *profile) forget(now policy.Time) {
	if i := p.index(now); i > 0 {
		p.steps = slices.Delete(p.steps, 0, i)
	}
}

// index returns the last step that begins at t or before, 0 if none does.
func (p *profile) index(t policy.Time) int {
	i, found := slices.BinarySearchFunc(p.steps, t, func(s step, t policy.Time) int { return cmp.Compare(s.at, t) })
	if !found && i > 0 {
		i--
	}
	return i
}

// add makes so many more cores free from one instant to another. What is before the first
// step stays unknown.
func (p *profile) add(from, to policy.Time, cores int64) {
	from = max(from, p.steps[0].at)
	if from >= to {
		return
	}
	first, end := p.split(from), len(p.steps)
	if to != never {
		end = p.split(to)
	}
	for i := first; i < end; i++ {
		p.steps[i].free += cores
	}
	p.merge(end)
	p.merge(first)
}

// split returns the step that begins at t, which it makes if there is none.
func (p *profile) split(t policy.Time) int {
	i := p.index(t)
	if p.steps[i].at == t {
		return i
	}
	p.steps = slices.Insert(p.steps, i+1, step{t, p.steps[i].free})
	return i + 1
}

// merge takes step i out if it changes nothing.
func (p *profile) merge(i int) {
	if i > 0 && i < len(p.steps) && p.steps[i].free == p.steps[i-1].free {
		p.steps = slices.Delete(p.steps, i, i+1)
	}
}

// earliest returns the first instant, now or later, from which so many cores are free for
// so long, or until latest. It is latest if there is none before.
func (p *profile) earliest(now, latest policy.Time, width int64, time policy.Duration) policy.Time {
	i := p.index(now)
	for start := max(now, p.steps[i].at); start < latest; i++ {
		end := latest
		if i+1 < len(p.steps) {
			end = p.steps[i+1].at
		}
		if p.steps[i].free < width {
			start = end
		} else if end >= min(latest, after(start, time)) {
			return start
		}
	}
	return latest
}

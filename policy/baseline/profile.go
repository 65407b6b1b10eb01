package baseline

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// A profile is a plan of how many cores will be free in all: a list of steps, the last of which has no end.
type profile struct{ steps []step }

type step struct {
	at   policy.Time // increasing
	free int64       // until the next step; no two neighbours have the same
}

func (p *profile) reset(now policy.Time, v *central.View, u *units, _ map[policy.Copy][]policy.Share, _ policy.Duration) {
	free := v.Free(0)
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

func (p *profile) add(_ []policy.Share, stage *policy.Stage, from, to policy.Time, units int64) {
	cores := units * stage.Width()
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

func (p *profile) earliest(now, latest policy.Time, stage *policy.Stage, time policy.Duration, at []policy.Share) (policy.Time, []policy.Share) {
	i, width := p.index(now), stage.Width()
	for start := max(now, p.steps[i].at); start < latest; i++ {
		end := latest
		if i+1 < len(p.steps) {
			end = p.steps[i+1].at
		}
		if p.steps[i].free < width {
			start = end
		} else if end >= min(latest, after(start, time)) {
			return start, at
		}
	}
	return latest, at
}

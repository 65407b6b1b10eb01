package baseline

import (
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// A profile is a plan of how many cores will be free in all.
type profile struct{ timeline[onlyCores] }

func (p *profile) reset(now policy.Time, v *central.View, u *units, _ map[policy.Copy][]policy.Share, _ policy.Duration) {
	p.timeline = p.timeline[:0]
	last := step[onlyCores]{now, onlyCores{v.Free(0)}}
	for _, e := range u.list {
		if e.end == never {
			break
		}
		if at := max(e.end, now+1); at != last.at {
			p.timeline = append(p.timeline, last)
			last.at = at
		}
		last.free[0] += e.width
	}
	p.timeline = append(p.timeline, last)
}

func (p *profile) add(_ []policy.Share, stage *policy.Stage, from, to policy.Time, units int64) {
	p.timeline.add(&onlyCores{stage.Width()}, units, from, to)
}

func (p *profile) earliest(now, latest policy.Time, stage *policy.Stage, time policy.Duration, at []policy.Share) (policy.Time, []policy.Share) {
	return p.timeline.earliest(now, latest, latest, &onlyCores{stage.Width()}, time), at
}

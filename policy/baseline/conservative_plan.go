package baseline

import (
	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// A plan says what will be free when, as Conservative expects it: the sum of all cores, or everything node by node.
type plan interface {
	// reset plans anew, with what is free now and what units will free. What should have ended by now may end in the next moment.
	// sent has the nodes of units that the host has not yet reported as started. Units may end later by up to lag.
	reset(now policy.Time, v *central.View, u *units, sent map[policy.Copy][]policy.Share, lag policy.Duration)
	// forget drops what was before now.
	forget(now policy.Time)
	// add makes what so many units of a stage take free from one instant to another. If units is -1 it takes that.
	add(at []policy.Share, stage *policy.Stage, from, to policy.Time, units int64)
	// earliest returns the first instant, now or later, from which a unit finds room for so long, and appends the nodes to at. It
	// is latest if there is none before. A plan of all cores looks for room until latest only.
	earliest(now, latest policy.Time, stage *policy.Stage, time policy.Duration, at []policy.Share) (policy.Time, []policy.Share)
}

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

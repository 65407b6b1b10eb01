package gittins

import "example.com/augur/policy"

// A pilot tells what the runtime T of a stage is above: the longest that a copy of it has run, as long as none has
// finished. It follows one copy at a time. If that one stops, the others count when they are next heard of.
type pilot struct {
	stage  uint32
	copy   policy.Copy
	above  float64     // s at speed 1, of copies that have stopped
	since  policy.Time // when the copy began, less the time suspended; Never if none is followed
	factor float64     // how many times longer it takes where it runs
}

// hear takes note of an event about a copy, which takes so many times longer where it runs.
func (p *pilot) hear(ev *policy.Event, factor float64) {
	served := ev.Service.Seconds() / factor
	switch {
	case ev.Kind == policy.Started || ev.Kind == policy.Resumed:
		if served > p.elapsed(ev.Time) || p.since == policy.Never {
			p.follow(ev.Copy.Stage)
			p.copy, p.since, p.factor = ev.Copy, ev.Time.Add(-ev.Service), factor
		}
	case ev.Kind == policy.Finished && ev.Copy.Stage == p.stage:
		p.above, p.since = 0, policy.Never
	case ev.Kind == policy.Suspended || ev.Kind.End() && ev.Kind != policy.Finished:
		if served > p.elapsed(ev.Time) || ev.Copy == p.copy {
			p.follow(ev.Copy.Stage)
			p.above = max(p.above, served)
		}
		if ev.Copy == p.copy {
			p.since = policy.Never
		}
	}
}

// follow turns to copies of a stage.
func (p *pilot) follow(stage uint32) {
	if stage != p.stage {
		p.stage, p.above = stage, 0
	}
}

// elapsed returns the longest that a copy has run, s at speed 1.
func (p *pilot) elapsed(now policy.Time) float64 {
	if p.since == policy.Never {
		return p.above
	}
	return max(p.above, now.Sub(p.since).Seconds()/p.factor)
}

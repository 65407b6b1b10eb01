package baseline

import (
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/view"
)

// EASY counts named resources as it counts cores: in the whole cluster. spare begins as what of each is free, without
// what the first job needs.

// addNeeds adds to amounts, as View.Resources lists them, so many times what a unit of a stage needs.
func addNeeds(amounts []int64, v *central.View, stage *policy.Stage, times int64) {
	for _, need := range stage.Needs {
		at := slices.IndexFunc(v.Resources(), func(r view.Resource) bool { return r.Name == need.Name })
		if at >= 0 && at < len(amounts) {
			amounts[at] += times * int64(tasksOf(stage)) * need.Amount
		}
	}
}

// reserveNeeds returns the earliest expected end by which what a unit of a stage needs will be free.
func (p *easy) reserveNeeds(stage *policy.Stage) policy.Time {
	p.spare = p.spare[:0]
	for _, r := range p.view.Resources() {
		p.spare = append(p.spare, r.Free)
	}
	addNeeds(p.spare, p.view, stage, -1)
	left := slices.Clone(p.spare)
	for i := 0; slices.ContainsFunc(left, func(x int64) bool { return x < 0 }); i++ {
		if i == len(p.units.list) {
			return never
		}
		addNeeds(left, p.view, p.units.list[i].stage, +1)
		if !slices.ContainsFunc(left, func(x int64) bool { return x < 0 }) {
			return p.units.list[i].end
		}
	}
	return p.view.Now()
}

// alike reports whether the units of two stages take the same.
func alike(a, b *policy.Stage) bool {
	return a == b || a.Cores == b.Cores && a.Memory == b.Memory && tasksOf(a) == tasksOf(b) && slices.Equal(a.Needs, b.Needs)
}

// tasksOf returns how many tasks a unit of a stage has.
func tasksOf(s *policy.Stage) uint32 { return s.Tasks / s.Units() }

// freedNeeds adds to spare what will have been freed by an instant.
func (p *easy) freedNeeds(by policy.Time) {
	for _, x := range p.units.list {
		if x.end > by || len(p.spare) == 0 {
			return
		}
		addNeeds(p.spare, p.view, x.stage, +1)
	}
}

// holds reports whether a candidate has what it needs now, and leaves the first job what that needs.
func (p *easy) holds(g *gap, c *candidate) bool {
	if slices.ContainsFunc(p.lacking, func(s *policy.Stage) bool { return alike(s, c.stage) }) {
		return false
	}
	if !p.view.RoomFor(c.stage) {
		p.lacking = append(p.lacking, c.stage) // and there will be none: room only shrinks while others are started
		return false
	}
	if c.time <= g.time {
		return true
	}
	addNeeds(p.spare, p.view, c.stage, -1)
	fits := !slices.ContainsFunc(p.spare, func(x int64) bool { return x < 0 })
	addNeeds(p.spare, p.view, c.stage, +1)
	return fits
}

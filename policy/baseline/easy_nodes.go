package baseline

import (
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// EASY reserves cores by their number where any free core will do, and else room by node. Nobody knows on which node a later
// unit will run. So a unit that runs on beyond the shadow time may overtake the first one only if nodes enough will be left
// for that, wherever the later unit goes.

// A nodegap is the room on nodes that the first job leaves at its shadow time. The zero nodegap has no end.
type nodegap struct {
	view  *central.View
	stage *policy.Stage // of the first job; nil: any free core will do for it
	tasks int64         // of that stage, for which nodes have room beside its reservation
	cores int64         // that are free on each node beside these and that
}

// spare reports whether a unit of another stage takes only cores that no task of the first job can use, wherever it runs.
func (g *nodegap) spare(other *policy.Stage) bool {
	return other.Width() <= g.cores && !g.view.Shares(other, g.stage)
}

// holds reports whether a unit of another stage, wherever it runs, leaves the room of the first job.
func (g *nodegap) holds(other *policy.Stage) bool {
	return g.stage == nil || g.spare(other) || g.view.Spoils(other, g.stage) <= g.tasks
}

// take takes the room of a unit that may run anywhere.
func (g *nodegap) take(other *policy.Stage) {
	switch {
	case g.stage == nil:
	case g.spare(other):
		g.cores -= other.Width()
	default:
		g.tasks -= g.view.Spoils(other, g.stage)
	}
}

// reserveNodes returns the earliest expected end, not before by, when nodes will have room for a unit of a stage, and what they
// will have room for beside it. It returns never if that is not known. A unit of which the host has not told where it runs may
// be anywhere until it ends.
//
// It supposes in the View's books that units have ended, one after the other, and takes that back before it returns.
func (p *easy) reserveNodes(stage *policy.Stage, by policy.Time) (at policy.Time, g nodegap) {
	at, g = by, nodegap{view: p.view, stage: stage, tasks: -int64(stage.UnitTasks()), cores: math.MaxInt64}
	for n := range p.view.Open() {
		g.tasks += p.view.Tasks(n, stage)
	}
	for i := range p.units.list {
		if x := &p.units.list[i]; x.at == nil {
			g.tasks -= p.view.Spoils(x.stage, stage)
		}
	}
	freed := 0
	for ; freed < len(p.units.list); freed++ {
		x := &p.units.list[freed]
		if x.end == never || g.tasks >= 0 && x.end > at {
			break
		}
		at = max(at, x.end)
		if x.at == nil {
			g.tasks += p.view.Spoils(x.stage, stage)
		}
		for _, share := range x.at {
			g.tasks -= p.view.Tasks(share.Node, stage)
			p.view.Suppose(x.stage, share, +1)
			g.tasks += p.view.Tasks(share.Node, stage)
		}
	}
	if g.tasks < 0 {
		at, g = never, nodegap{view: p.view, stage: stage}
	} else {
		p.rest(&g, freed)
	}
	for _, x := range p.units.list[:freed] {
		for _, share := range x.at {
			p.view.Suppose(x.stage, share, -1)
		}
	}
	return at, g
}

// rest finds how many cores are free on each node that has room for a task of the first job, once so many units have ended.
func (p *easy) rest(g *nodegap, freed int) {
	note := func(n policy.NodeID) {
		if tasks := p.view.Tasks(n, g.stage); tasks > 0 {
			g.cores = min(g.cores, p.view.Room(n)-tasks*int64(g.stage.Cores))
		}
	}
	for n := range p.view.Open() {
		note(n)
	}
	for i := range p.units.list {
		switch x := &p.units.list[i]; {
		case i < freed:
			for _, share := range x.at {
				note(share.Node)
			}
		case x.at == nil:
			g.cores -= x.stage.Width()
		}
	}
}

// atLeast reports whether a unit of a stage takes at least what one of another takes, of everything.
func atLeast(a, b *policy.Stage) bool {
	return a == b || a.Cores >= b.Cores && a.Memory >= b.Memory && a.UnitTasks() >= b.UnitTasks() &&
		!slices.ContainsFunc(b.Needs, func(need policy.Need) bool {
			return !slices.ContainsFunc(a.Needs, func(x policy.Need) bool { return x.Name == need.Name && x.Amount >= need.Amount })
		})
}

// roomFor reports whether nodes have what a candidate needs, wherever the Starts go that are not answered. Of what takes at least
// as much as a unit for which there was no room in any case it knows that there is none: room only shrinks in a decision.
func (p *easy) roomFor(c *candidate) bool {
	if !p.view.Short(c.stage) {
		return true
	}
	if slices.ContainsFunc(p.lacking, func(s *policy.Stage) bool { return atLeast(c.stage, s) }) {
		return false
	}
	sure, possible := p.view.Rooms(c.stage)
	if !possible {
		p.lacking = append(p.lacking, c.stage)
	}
	return sure
}

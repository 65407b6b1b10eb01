package baseline

import (
	"slices"

	"example.com/augur/policy"
)

// EASY reserves cores by their number, and named resources node by node. Nobody knows on which node a later unit will run. So a
// unit that runs on beyond the shadow time may overtake a first unit with needs only if nodes enough will be left for that,
// wherever the later unit goes.

// locate takes note of where a copy runs, in a cluster with named resources.
func (p *easy) locate(ev *policy.Event) {
	switch {
	case ev.Kind.End():
		delete(p.where, ev.Copy)
	case ev.Kind == policy.Started && len(p.view.Resources()) > 0:
		at := slices.Clone(ev.Gang)
		if ev.Node != 0 {
			at = append(at, policy.Share{Node: ev.Node, Tasks: 1, Devices: ev.Devices})
		}
		p.where[ev.Copy] = at
	}
}

// placed reports whether the host has told where all units run.
func (p *easy) placed() bool {
	return !slices.ContainsFunc(p.units.list, func(x unit) bool { return p.where[x.copy] == nil })
}

// reserveNodes returns the earliest expected end, not before by, when nodes will have room for a unit of a stage with needs, and
// for how many tasks more than those of a unit they will have room then. It returns never if that is not known. The host must
// have told where all units run.
//
// It gives back in the View's books what units hold, one unit after the other, and takes it again before it returns.
func (p *easy) reserveNodes(stage *policy.Stage, by policy.Time) (at policy.Time, more int64) {
	at, more = by, -int64(tasksOf(stage))
	for n := range p.view.Open() {
		more += p.tasks(n, stage)
	}
	freed := 0
	for ; freed < len(p.units.list); freed++ {
		x := &p.units.list[freed]
		if x.end == never || more >= 0 && x.end > at {
			break
		}
		at = max(at, x.end)
		for _, share := range p.where[x.copy] {
			more -= p.tasks(share.Node, stage)
			p.give(x.stage, share, +1)
			more += p.tasks(share.Node, stage)
		}
	}
	for _, x := range p.units.list[:freed] {
		for _, share := range p.where[x.copy] {
			p.give(x.stage, share, -1)
		}
	}
	if more < 0 {
		return never, 0
	}
	return at, more
}

// give gives back what the tasks of a share hold of a node, or takes it again if sign is -1.
func (p *easy) give(stage *policy.Stage, share policy.Share, sign int64) {
	p.view.Stock(share.Node).Add(stage, share.Devices, sign*int64(share.Tasks))
	p.freed[share.Node] += sign * int64(share.Tasks) * int64(stage.Cores)
}

// tasks returns for how many tasks of a stage with needs a node has room, with what reserveNodes gave back.
func (p *easy) tasks(n policy.NodeID, stage *policy.Stage) int64 {
	if memory := p.view.Memory(n); memory > 0 && memory < stage.Memory {
		return 0
	}
	room := max(0, p.view.Room(n)+p.freed[n]) / int64(stage.Cores)
	return min(room, int64(p.view.Stock(n).Fits(stage)))
}

// spoils returns for how many tasks of the first job nodes may lose the room to a unit of another stage, wherever that runs.
func (g *gap) spoils(other *policy.Stage) int64 {
	first := g.stage
	if first == nil {
		return 0 // only cores count
	}
	most := ratio(int64(other.Cores), int64(first.Cores))
	for _, need := range first.Needs {
		for _, x := range other.Needs {
			if x.Name == need.Name {
				most = max(most, ratio(x.Amount, need.Amount))
			}
		}
	}
	return most * int64(tasksOf(other))
}

// ratio returns a/b, rounded up.
func ratio(a, b int64) int64 { return (a + b - 1) / b }

// tasksOf returns how many tasks a unit of a stage has.
func tasksOf(s *policy.Stage) uint32 { return s.Tasks / s.Units() }

// alike reports whether the units of two stages take the same.
func alike(a, b *policy.Stage) bool {
	return a == b || a.Cores == b.Cores && a.Memory == b.Memory && tasksOf(a) == tasksOf(b) && slices.Equal(a.Needs, b.Needs)
}

// roomFor reports whether nodes have what a candidate needs. Of stages that were asked for in this decision and had no room it
// knows that there is none: room only shrinks while others are started.
func (p *easy) roomFor(c *candidate) bool {
	if c.stage.Needs == nil {
		return true
	}
	if slices.ContainsFunc(p.lacking, func(s *policy.Stage) bool { return alike(s, c.stage) }) {
		return false
	}
	if !p.view.RoomFor(c.stage) {
		p.lacking = append(p.lacking, c.stage)
		return false
	}
	return true
}

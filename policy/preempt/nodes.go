package preempt

import (
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// A nodeplan finds room for a plan node by node. It supposes in the View's books that units run or do not, and takes that back
// before it is closed.
type nodeplan struct {
	on      bool // a node can be short of something
	view    *central.View
	taken   []supposed
	lacking []*policy.Stage // for whose units there is no room in any case
}

// A supposed is what units of a stage have on a node by the plan.
type supposed struct {
	stage *policy.Stage
	share policy.Share
}

// open supposes that what is being stopped has ended.
func (l *nodeplan) open(view *central.View, running []*holder, list []entrant) {
	l.view, l.taken, l.lacking = view, l.taken[:0], l.lacking[:0]
	for i := range list {
		list[i].off, list[i].node = false, 0
	}
	l.stopped(running, +1)
}

// close takes all back.
func (l *nodeplan) close(running []*holder, list []entrant) {
	for _, t := range l.taken {
		l.view.Suppose(t.stage, t.share, +1)
	}
	for i := range list {
		if list[i].off {
			l.suppose(list[i].runs, -1)
		}
	}
	l.stopped(running, -1)
}

func (l *nodeplan) stopped(running []*holder, sign int64) {
	for _, h := range running {
		if h.stops {
			l.suppose(h, sign)
		}
	}
}

func (l *nodeplan) suppose(h *holder, sign int64) {
	for _, share := range h.at {
		l.view.Suppose(h.stage, share, sign)
	}
}

// take gives room to a unit of an entrant. If there is too little, it takes that of units which run and come later, the last first,
// and then gives back what is not needed, to the first of them first. It returns false and changes nothing if all of it is too little.
func (l *nodeplan) take(x *entrant, later []entrant) (ok bool) {
	if x.runs != nil && !x.off {
		return true
	}
	if slices.ContainsFunc(l.lacking, func(s *policy.Stage) bool { return x.runs == nil && atLeast(x.stage, s) }) {
		return false
	}
	if l.try(x) {
		return true
	}
	for i := len(later) - 1; i >= 0 && !ok; i-- {
		if y := &later[i]; y.runs != nil && !y.off {
			y.off = true
			l.suppose(y.runs, +1)
			ok = l.try(x)
		}
	}
	for i := range later {
		if y := &later[i]; y.off {
			y.off = !l.back(y.runs)
		}
	}
	if !ok && x.runs == nil {
		l.lacking = append(l.lacking, x.stage)
	}
	return ok
}

// try gives room to a unit of an entrant if there is room.
func (l *nodeplan) try(x *entrant) bool {
	if x.runs != nil {
		x.off = !l.back(x.runs)
		return !x.off
	}
	want, stage := int64(x.stage.UnitTasks()), x.stage
	if want == 1 { // where the least is left
		best := policy.NodeID(0)
		for n := range l.view.All() {
			if l.view.Tasks(n, stage) > 0 && (best == 0 || l.view.Room(n) < l.view.Room(best)) {
				best = n
			}
		}
		if best == 0 {
			return false
		}
		l.hold(stage, best, 1)
		if x.units == 1 && !stage.Gang {
			x.node = best
		}
		return true
	}
	for n := range l.view.All() {
		want -= l.view.Tasks(n, stage)
	}
	if want > 0 {
		return false
	}
	want = int64(stage.UnitTasks())
	for n := range l.view.All() {
		k := min(want, l.view.Tasks(n, stage))
		l.hold(stage, n, k)
		want -= k
	}
	return true
}

// hold gives a node's room to so many tasks.
func (l *nodeplan) hold(stage *policy.Stage, n policy.NodeID, tasks int64) {
	each := tasks
	if stage.Needs != nil { // each has devices of its own
		each = 1
	}
	for ; tasks > 0; tasks -= each {
		stock := l.view.Stock(n)
		devices, _ := stock.Take(stage)
		stock.Add(stage, devices, 1)
		t := supposed{stage, policy.Share{Node: n, Tasks: uint32(each), Devices: devices}}
		l.view.Suppose(stage, t.share, -1)
		l.taken = append(l.taken, t)
	}
}

// back supposes that a unit runs where it does, if there is room, and reports whether there is.
func (l *nodeplan) back(h *holder) bool {
	l.suppose(h, -1)
	if slices.ContainsFunc(h.at, func(s policy.Share) bool { return l.over(s.Node) }) {
		l.suppose(h, +1)
		return false
	}
	return true
}

// over reports whether more of a node is given away than it has.
func (l *nodeplan) over(n policy.NodeID) bool {
	if memory, limited := l.view.FreeMemory(n); l.view.Room(n) < 0 || limited && memory < 0 {
		return true
	}
	for _, free := range l.view.Stock(n).All {
		if slices.Min(free) < 0 {
			return true
		}
	}
	return false
}

// atLeast reports whether a unit of a stage surely takes at least what one of another takes, of everything.
func atLeast(a, b *policy.Stage) bool {
	return a == b || b.Needs == nil && a.Cores >= b.Cores && a.Memory >= b.Memory && a.UnitTasks() >= b.UnitTasks()
}

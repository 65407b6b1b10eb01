package central

import (
	"slices"

	"example.com/augur/policy"
)

// places says which units of a stage are local on which node.
type places map[policy.NodeID]*held

// held is what is local on a node.
type held struct {
	units []uint32 // increasing
	waits int      // how many of them wait
	next  int      // in units: none before it waits
}

// Local returns how many waiting units of the next stage ([Job.Next]) are local on node n: [policy.Stage.HoldersOf]
// names n for them. Gangs, and tasks without such nodes, are local nowhere, since they run equally well anywhere.
// Local does not check whether n has room or is there, and it changes nothing visible.
//
// The first call for a stage of t tasks with r holders each lists them by node, in O(t r) time; later calls take
// constant time. The lists take 4 bytes for each of the t r entries, until nothing of the stage waits or the job
// ends. Until then a Start, or a task that waits again, takes O(r log t) more time.
func (v *View) Local(j *Job, n policy.NodeID) int {
	p, _ := j.places()
	if l := p[n]; l != nil {
		return l.waits
	}
	return 0
}

// local takes out the lowest-numbered of the units that [View.Local] counts, including those to be tried again. It
// returns false if there is none.
func (v *View) local(j *Job, n policy.NodeID) (policy.Copy, bool) {
	p, stage := j.places()
	l := p[n]
	if l == nil || l.waits == 0 {
		return policy.Copy{}, false
	}
	s := &j.Stages[stage]
	for !s.picks.waits.has(int(l.units[l.next])) {
		l.next++
	}
	unit := l.units[l.next]
	s.leave(&j.Job.Stages[stage], unit)
	j.Waiting--
	c := policy.Copy{Task: policy.Task{Job: j.Job.ID, Stage: stage, Index: unit}, N: s.attempts[unit].next}
	if c.N > 0 {
		v.used(s, c)
	}
	return c, true
}

// places returns where the units of the first waiting stage are local, nil if that is unknown.
func (j *Job) places() (p places, stage uint32) {
	stage, ok := j.Next()
	if !ok {
		return nil, 0
	}
	spec := &j.Job.Stages[stage]
	if spec.Gang || len(spec.Holders) == 0 {
		return nil, 0
	}
	picks := j.picked(stage)
	if picks.places == nil {
		picks.place(spec)
	}
	return picks.places, stage
}

// place lists the units of a stage by node.
func (p *picks) place(stage *policy.Stage) {
	p.places = make(places)
	for unit := range stage.Tasks {
		for _, n := range stage.HoldersOf(unit) {
			l := p.places[n]
			switch {
			case n == 0:
				continue
			case l == nil:
				l = new(held)
				p.places[n] = l
			case l.units[len(l.units)-1] == unit: // it names the node twice
				continue
			}
			l.units = append(l.units, unit)
			if p.waits.has(int(unit)) {
				l.waits++
			}
		}
	}
}

// note counts a unit that begins to wait, or stops waiting, on the nodes where it is local.
func (p places) note(stage *policy.Stage, unit uint32, waits bool) {
	holders := stage.HoldersOf(unit)
	for k, n := range holders {
		l := p[n]
		switch {
		case l == nil || slices.Contains(holders[:k], n):
		case waits:
			at, _ := slices.BinarySearch(l.units, unit)
			l.next = min(l.next, at)
			l.waits++
		default:
			l.waits--
		}
	}
}

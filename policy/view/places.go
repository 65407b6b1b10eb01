package view

import (
	"slices"

	"example.com/augur/policy"
)

// Local returns how many units that wait, of the stage that [Job.Next] returns, are local
// on node n: those of which [policy.Stage.HoldersOf] names n. A task of which it names no node counts
// nowhere, since it runs as well anywhere; nor does a gang. It asks neither for room nor
// whether n is there, and changes nothing that can be seen.
//
// The first call for a stage in which t tasks wait, with r holders each, makes a list of
// them by node, in O(t r log(t r)) time; after that a call takes O(log m), with m the number
// of nodes that hold anything of the stage. The list takes about 4 bytes for each of the t r,
// 16 for each of the m, and 1 bit for each of both and for each task, until nothing of the
// stage waits or the job ends. From then on a Start, or a task that waits again, takes
// O(r log(t r)) time more.
//
// A task that waits again, but did not when the list was made, may need the list to be made
// anew. For k such tasks that is a list of those that wait at most k times, and work for
// O(t) tasks in all: never more than twice the list of the whole stage.
func (v *View[T]) Local(j *Job[T], n policy.NodeID) int {
	p, _ := j.places()
	if p == nil {
		return 0
	}
	if i, ok := slices.BinarySearch(p.nodes, n); ok {
		return int(p.count[i])
	}
	return 0
}

// local takes out the lowest-numbered of the units that [View.Local] counts, whether it is tried for the
// first time or again, and returns false if there is none. It takes the time of Local and O(r log(t r)).
func (v *View[T]) local(j *Job[T], n policy.NodeID) (policy.Copy, bool) {
	p, stage := j.places()
	if p == nil {
		return policy.Copy{}, false
	}
	unit, ok := p.first(n)
	if !ok {
		return policy.Copy{}, false
	}
	s := &j.Stages[stage]
	s.leave(&j.Job.Stages[stage], unit)
	j.Waiting--
	c := policy.Copy{Task: policy.Task{Job: j.Job.ID, Stage: stage, Index: unit}, N: s.attempts[unit]}
	if c.N > 0 {
		v.used(s, c)
	}
	return c, true
}

// places returns where the units of the first stage that waits are local, nil if nothing is
// known of that.
func (j *Job[T]) places() (p *places, stage uint32) {
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

// place makes the places of the units that wait, or, if lists so far have had as many units
// as the stage has, those of all units, so that no further list will be needed.
func (p *picks) place(stage *policy.Stage) {
	p.placed += p.count
	from := &p.waits
	if p.placed > int(stage.Tasks) {
		every := newBitset(int(stage.Tasks))
		every.fill(0, int(stage.Tasks))
		from = &every
	}
	var held []uint64 // node and unit
	for i, ok := from.next(0); ok; i, ok = from.next(i + 1) {
		for _, n := range stage.HoldersOf(uint32(i)) {
			if n != 0 {
				held = append(held, uint64(n)<<32|uint64(i))
			}
		}
	}
	slices.Sort(held)
	held = slices.Compact(held)

	q := &places{units: make([]uint32, len(held)), waits: newBitset(len(held))}
	for k, h := range held {
		n, unit := policy.NodeID(h>>32), uint32(h)
		if m := len(q.nodes); m == 0 || q.nodes[m-1] != n {
			q.nodes = append(q.nodes, n)
			q.begin = append(q.begin, k)
			q.count = append(q.count, 0)
		}
		q.units[k] = unit
		if p.waits.has(int(unit)) {
			q.waits.add(k)
			q.count[len(q.count)-1]++
		}
	}
	q.begin = append(q.begin, len(held))
	p.places = q
}

// places says of the units of a stage on which nodes they are local.
//
// The units of nodes[i] are units[begin[i]:begin[i+1]], of which count[i] wait:
//
//	units[k] waits = waits has k
type places struct {
	nodes []policy.NodeID // increasing
	begin []int
	count []uint32
	units []uint32 // increasing for each node
	waits bitset
}

// first returns the lowest-numbered unit that waits and is local on a node.
func (p *places) first(n policy.NodeID) (unit uint32, ok bool) {
	i, ok := slices.BinarySearch(p.nodes, n)
	if !ok || p.count[i] == 0 {
		return 0, false
	}
	k, ok := p.waits.next(p.begin[i])
	if !ok {
		panic("view: broken: units of a node wait, but none is found")
	}
	return p.units[k], true
}

// set says that a unit waits, or that it does not, and reports whether it is one of these
// units, or one that is local nowhere.
func (p *places) set(stage *policy.Stage, unit uint32, waits bool) bool {
	for _, n := range stage.HoldersOf(unit) {
		if n == 0 {
			continue
		}
		i, ok := slices.BinarySearch(p.nodes, n)
		if !ok {
			return false
		}
		k, ok := slices.BinarySearch(p.units[p.begin[i]:p.begin[i+1]], unit)
		if !ok {
			return false
		}
		switch k += p.begin[i]; {
		case waits && p.waits.add(k):
			p.count[i]++
		case !waits && p.waits.remove(k):
			p.count[i]--
		}
	}
	return true
}

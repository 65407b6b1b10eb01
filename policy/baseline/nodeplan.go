package baseline

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/view"
)

// A plan says what will be free when, as Conservative expects it: the sum of all cores, or everything node by node.
type plan interface {
	// reset plans anew, with what is free now and what units will free. What should have ended by now may end in the next moment.
	// sent says where units are planned of which the host has not told where they run, and lag by how much they may end later.
	reset(now policy.Time, v *central.View, u *units, sent map[policy.Copy][]policy.Share, lag policy.Duration)
	// forget drops what was before now.
	forget(now policy.Time)
	// add makes what so many units of a stage take free from one instant to another. If units is -1 it takes that.
	add(at []policy.Share, stage *policy.Stage, from, to policy.Time, units int64)
	// earliest returns the first instant, now or later, from which a unit finds room for so long, and appends the nodes to at. It
	// is latest if there is none before. A plan of all cores looks for room until latest only.
	earliest(now, latest policy.Time, stage *policy.Stage, time policy.Duration, at []policy.Share) (policy.Time, []policy.Share)
}

// amounts are cores, bytes of memory, and thousandths of named resources by their place in View.Resources. What exceeds the array
// is not planned. Devices are not told apart.
type amounts [2 + policy.MaxNames]int64

// unlimited is the memory of a node without a limit.
const unlimited = math.MaxInt64 / 2

// each returns what each task of a stage takes, as far as nodes can be short of it.
func each(v *central.View, stage *policy.Stage) (a amounts) {
	a[0], a[1] = int64(stage.Cores), stage.Memory
	for _, need := range stage.Needs {
		if i := slices.IndexFunc(v.Resources(), func(r view.Resource) bool { return r.Name == need.Name }); i >= 0 && i+2 < len(a) {
			a[i+2] = need.Amount
		}
	}
	return a
}

// tasks returns how many tasks fit that each need so much, at most want. A task takes a core at least.
func (a *amounts) tasks(need *amounts, want int64) int64 {
	for i, x := range need {
		switch {
		case x == 0:
		case a[i] < x:
			return 0
		case want > 1:
			want = min(want, a[i]/x)
		}
	}
	return want
}

// add adds what so many tasks need.
func (a *amounts) add(need *amounts, tasks int64) {
	for i, x := range need {
		a[i] += tasks * x
	}
}

// A nodeStep is what a node has free from an instant until that of the next step.
type nodeStep struct {
	at   policy.Time
	free amounts
}

// nodePlan is a plan of each node, as steps by increasing instants. The last step has no end.
type nodePlan struct {
	view  *central.View
	nodes [][]nodeStep // by NodeID; empty: it is not there

	changes []change // of earliest
}

// A change is by how many more tasks find room on a node if they start from an instant on.
type change struct {
	at    policy.Time
	node  policy.NodeID
	tasks int64
}

func (p *nodePlan) reset(now policy.Time, v *central.View, u *units, sent map[policy.Copy][]policy.Share, lag policy.Duration) {
	p.view = v
	for i := range p.nodes {
		p.nodes[i] = p.nodes[i][:0]
	}
	for n := range v.All() {
		for int(n) >= len(p.nodes) {
			p.nodes = append(p.nodes, nil)
		}
		first := nodeStep{at: now}
		first.free[0], first.free[1] = v.Room(n), unlimited
		if memory, ok := v.FreeMemory(n); ok {
			first.free[1] = memory
		}
		for o, free := range v.Stock(n).All {
			if i := slices.IndexFunc(v.Resources(), func(r view.Resource) bool { return r.Name == o.Name }); i+2 < len(first.free) {
				for _, x := range free {
					first.free[i+2] += x
				}
			}
		}
		p.nodes[n] = append(p.nodes[n], first)
	}
	for i := range u.list {
		x := &u.list[i]
		end := max(x.end, now+1)
		if _, asked := sent[x.copy]; asked {
			end = end.Add(lag)
		}
		if x.at != nil {
			if x.end != never {
				p.add(x.at, x.stage, end, never, 1)
			}
			continue
		}
		if len(sent[x.copy]) == 0 { // it may be on the first nodes with room
			_, sent[x.copy] = p.earliest(now, now+1, x.stage, 1, u.shares())
		}
		p.add(sent[x.copy], x.stage, now, end, -1)
	}
}

func (p *nodePlan) forget(now policy.Time) {
	for i, steps := range p.nodes {
		if k := index(steps, now); k > 0 {
			p.nodes[i] = slices.Delete(steps, 0, k)
		}
	}
}

// index returns the last step that begins at t or before, 0 if none does.
func index(steps []nodeStep, t policy.Time) int {
	if len(steps) < 2 || t < steps[1].at {
		return 0
	}
	i, found := slices.BinarySearchFunc(steps, t, func(s nodeStep, t policy.Time) int { return cmp.Compare(s.at, t) })
	if !found && i > 0 {
		i--
	}
	return i
}

func (p *nodePlan) add(at []policy.Share, stage *policy.Stage, from, to policy.Time, units int64) {
	need := each(p.view, stage)
	for _, share := range at {
		if int(share.Node) >= len(p.nodes) || len(p.nodes[share.Node]) == 0 {
			continue // it has left
		}
		steps := p.nodes[share.Node]
		if from = max(from, steps[0].at); from >= to {
			continue
		}
		steps, first := split(steps, from)
		end := len(steps)
		if to != never {
			steps, end = split(steps, to)
		}
		for i := first; i < end; i++ {
			steps[i].free.add(&need, units*int64(share.Tasks))
		}
		p.nodes[share.Node] = merge(merge(steps, end), first)
	}
}

// split returns the step that begins at t, which it makes if there is none.
func split(steps []nodeStep, t policy.Time) ([]nodeStep, int) {
	i := index(steps, t)
	if steps[i].at == t {
		return steps, i
	}
	return slices.Insert(steps, i+1, nodeStep{t, steps[i].free}), i + 1
}

// merge takes step i out if it changes nothing.
func merge(steps []nodeStep, i int) []nodeStep {
	if i > 0 && i < len(steps) && steps[i].free == steps[i-1].free {
		return slices.Delete(steps, i, i+1)
	}
	return steps
}

func (p *nodePlan) earliest(now, latest policy.Time, stage *policy.Stage, time policy.Duration, at []policy.Share) (policy.Time, []policy.Share) {
	need, want := each(p.view, stage), int64(stage.Tasks/stage.Units())
	if want > 1 {
		return p.gang(now, latest, &need, want, time, at)
	}
	var node policy.NodeID
	for n, steps := range p.nodes {
		if len(steps) == 0 {
			continue
		}
		i := index(steps, now)
		for start := max(now, steps[i].at); start < latest; i++ {
			end := never
			if i+1 < len(steps) {
				end = steps[i+1].at
			}
			if steps[i].free.tasks(&need, 1) == 0 {
				start = end
			} else if end >= after(start, time) {
				latest, node = start, policy.NodeID(n)
			}
		}
	}
	if node == 0 {
		return latest, at
	}
	return latest, append(at, policy.Share{Node: node, Tasks: 1})
}

// gang is earliest for a gang of so many tasks. It sums, over all nodes, how many find room if they start at an instant.
func (p *nodePlan) gang(now, latest policy.Time, need *amounts, want int64, time policy.Duration, at []policy.Share) (policy.Time, []policy.Share) {
	p.changes = p.changes[:0]
	for n, steps := range p.nodes {
		if len(steps) == 0 {
			continue
		}
		had := int64(0)
		note := func(at policy.Time, tasks int64) {
			if tasks != had && at < latest {
				p.changes = append(p.changes, change{at, policy.NodeID(n), tasks - had})
				had = tasks
			}
		}
		for i := index(steps, now); i < len(steps) && steps[i].at < latest; i++ {
			start, next := max(now, steps[i].at), never
			if i+1 < len(steps) {
				next = steps[i+1].at
			}
			// A start in [start, next) lasts until start+time, into later steps: the later it is the more of them.
			fits := steps[i].free.tasks(need, want)
			k := i + 1
			for ; k < len(steps) && steps[k].at < after(start, time); k++ {
				if fits > 0 {
					fits = steps[k].free.tasks(need, fits)
				}
			}
			note(start, fits)
			for ; k < len(steps) && had > 0; k++ {
				at := steps[k].at.Add(1 - time) // a start from then on lasts into step k
				if at >= next {
					break
				}
				note(at, steps[k].free.tasks(need, had))
			}
		}
	}
	slices.SortFunc(p.changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.node, b.node)) })
	sum := int64(0)
	for i, c := range p.changes {
		if sum += c.tasks; sum < want || i+1 < len(p.changes) && p.changes[i+1].at == c.at {
			continue
		}
		return c.at, places(p.changes[:i+1], want, at)
	}
	return latest, at
}

// places appends where the tasks of a gang find room after these changes: on the first nodes with some.
func places(changes []change, want int64, at []policy.Share) []policy.Share {
	slices.SortFunc(changes, func(a, b change) int { return cmp.Compare(a.node, b.node) })
	for i := 0; i < len(changes) && want > 0; {
		tasks, k := int64(0), i
		for ; k < len(changes) && changes[k].node == changes[i].node; k++ {
			tasks += changes[k].tasks
		}
		if tasks = min(tasks, want); tasks > 0 {
			at = append(at, policy.Share{Node: changes[i].node, Tasks: uint32(tasks)})
			want -= tasks
		}
		i = k
	}
	return at
}

package baseline

import (
	"cmp"
	"math"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// unlimited is the memory of a node without a limit.
const unlimited = math.MaxInt64 / 2

// each returns what each task of a stage takes, as far as nodes can be short of it.
func each[A amounts](v *central.View, stage *policy.Stage) A {
	all := everything{int64(stage.Cores), stage.Memory}
	for _, need := range stage.Needs {
		if i := slices.IndexFunc(v.Resources(), func(r central.Resource) bool { return r.Name == need.Name }); i >= 0 && i+2 < len(all) {
			all[i+2] = need.Amount
		}
	}
	return first[A](&all)
}

// room returns what is free on a node.
func room[A amounts](v *central.View, n policy.NodeID) A {
	all := everything{v.Room(n), unlimited}
	if memory, ok := v.FreeMemory(n); ok {
		all[1] = memory
	}
	for o, free := range v.Stock(n).All {
		if i := slices.IndexFunc(v.Resources(), func(r central.Resource) bool { return r.Name == o.Name }); i+2 < len(all) {
			for _, x := range free {
				all[i+2] += x
			}
		}
	}
	return first[A](&all)
}

// nodePlan is a plan of each node.
type nodePlan[A amounts] struct {
	view  *central.View
	nodes []timeline[A] // by NodeID; without steps: it is not there

	changes []change // of earliest
}

// A change is by how many more tasks find room on a node if they start from an instant on.
type change struct {
	at    policy.Time
	node  policy.NodeID
	tasks int64
}

func (p *nodePlan[A]) reset(now policy.Time, v *central.View, u *units, sent map[policy.Copy][]policy.Share, lag policy.Duration) {
	p.view = v
	for i := range p.nodes {
		p.nodes[i] = p.nodes[i][:0]
	}
	for n := range v.All() {
		for int(n) >= len(p.nodes) {
			p.nodes = append(p.nodes, nil)
		}
		p.nodes[n] = append(p.nodes[n], step[A]{now, room[A](v, n)})
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

func (p *nodePlan[A]) forget(now policy.Time) {
	for i := range p.nodes {
		p.nodes[i].forget(now)
	}
}

func (p *nodePlan[A]) add(at []policy.Share, stage *policy.Stage, from, to policy.Time, units int64) {
	need := each[A](p.view, stage)
	for _, share := range at {
		if int(share.Node) < len(p.nodes) && len(p.nodes[share.Node]) > 0 { // else it has left
			p.nodes[share.Node].add(&need, units*int64(share.Tasks), from, to)
		}
	}
}

func (p *nodePlan[A]) earliest(now, latest policy.Time, stage *policy.Stage, time policy.Duration, at []policy.Share) (policy.Time, []policy.Share) {
	need, want := each[A](p.view, stage), int64(stage.UnitTasks())
	if want > 1 {
		return p.gang(now, latest, &need, want, time, at)
	}
	var node policy.NodeID
	for n := range p.nodes {
		if t := p.nodes[n]; len(t) > 0 {
			if start := t.earliest(now, latest, never, &need, time); start < latest {
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
func (p *nodePlan[A]) gang(now, latest policy.Time, need *A, want int64, time policy.Duration, at []policy.Share) (policy.Time, []policy.Share) {
	p.changes = p.changes[:0]
	for n := range p.nodes {
		if len(p.nodes[n]) == 0 {
			continue
		}
		steps := p.nodes[n].between(now, after(latest, time))
		had := int64(0)
		note := func(at policy.Time, fits int64) {
			if fits != had && at < latest {
				p.changes = append(p.changes, change{at, policy.NodeID(n), fits - had})
				had = fits
			}
		}
		for i := 0; i < len(steps) && steps[i].at < latest; i++ {
			start, next := max(now, steps[i].at), never
			if i+1 < len(steps) {
				next = steps[i+1].at
			}
			// A start in [start, next) lasts until start+time, into later steps: the later it is the more of them.
			fits := fitting(&steps[i].free, need, want)
			k := i + 1
			for ; k < len(steps) && steps[k].at < after(start, time); k++ {
				if fits > 0 {
					fits = fitting(&steps[k].free, need, fits)
				}
			}
			note(start, fits)
			for ; k < len(steps) && had > 0; k++ {
				at := steps[k].at.Add(1 - time) // a start from then on lasts into step k
				if at >= next {
					break
				}
				note(at, fitting(&steps[k].free, need, had))
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

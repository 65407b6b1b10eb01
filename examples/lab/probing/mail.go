package probing

import (
	"cmp"
	"slices"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
)

// arrived answers a message from a node.
func (p *Scheduler) arrived(ev *policy.Event, actions []policy.Action) []policy.Action {
	if p.node(ev.Node) == nil {
		return actions // it has left meanwhile; what it held was seen to then
	}
	switch m := &ev.Msg; m.Kind {
	case msgAsk:
		return p.asked(ev.Node, m, actions)
	case msgReject:
		return p.rejected(ev.Node, m, actions)
	case msgIdle:
		return p.rob(ev.Node, stealTries, actions)
	case msgLoot:
		return p.looted(ev.Node, m, actions)
	case msgEmpty:
		if m.Seq <= policy.MaxID {
			return p.rob(policy.NodeID(m.Seq), int(min(m.Count, stealTries)), actions)
		}
	}
	return actions
}

// probed returns the job of a probe, nil if the probe is not noted to be on that node.
func (p *Scheduler) probed(node policy.NodeID, m *policy.Msg) *jobView {
	j := p.view.jobs.Get(m.Copy.Job)
	if j == nil || uint64(m.Count) >= uint64(len(j.Own.slots)) || j.Own.slots[m.Count] != node {
		return nil
	}
	return j
}

// asked answers a node on which the turn of a probe has come: late binding. If no task is
// left the probe is cancelled, and with it all others that the job has on that node: each would cost
// a round trip of its own, in which what it stands for is kept free.
func (p *Scheduler) asked(node policy.NodeID, m *policy.Msg, actions []policy.Action) []policy.Action {
	answer := policy.Action{Kind: policy.Send, Node: node, Msg: policy.Msg{Kind: msgNone, Count: m.Count}}
	answer.Msg.Copy.Job = m.Copy.Job
	if j := p.view.jobs.Get(m.Copy.Job); j == nil || j.Waiting == 0 {
		answer.Msg.Seq = 1
	}
	j := p.probed(node, m)
	if j == nil {
		return append(actions, answer)
	}
	stage, waits := j.Next()
	if waits && p.holds(node, &j.Job.Stages[stage]) {
		c := p.view.Start(j.record, central.Where{}).Copy
		task := &j.Own.tasks[c.Stage][c.Index]
		*task = sent{node: node}
		spec := &j.Job.Stages[stage]
		answer.Msg = policy.Msg{Kind: msgGive, Copy: c, Count: uint32(spec.Cores), Value: inMessage(spec.Memory)}
		if p.kind == eagle && j.Waiting > 0 {
			answer.Msg.Kind, answer.Msg.Seq = msgGiveMore, uint64(j.Own.left)
			task.probe = m.Count + 1
		} else {
			j.Own.drop(m.Count)
		}
		return append(actions, answer)
	}
	actions = append(actions, answer)
	j.Own.drop(m.Count)
	if waits { // for a node that could hold it
		actions = p.send(j, &p.all, roundAny, actions)
	}
	return actions
}

// send sends a probe to a node drawn from s.
func (p *Scheduler) send(j *jobView, s *sampler, round uint32, actions []policy.Action) []policy.Action {
	stage, _ := j.Next()
	s.rewind()
	node := p.pick(s, &j.Job.Stages[stage])
	if node == 0 {
		j.Own.unsought = min(j.Own.unsought+1, j.Waiting)
		p.want(j)
		return actions
	}
	return append(actions, p.probeTo(j, node, round))
}

// The rounds of a probe: the first goes to any node, the second to one that has no long
// task by the bit vector, the third to the part that is for short jobs only. If there
// is no such part, any node has to take it.
const (
	roundAny = iota
	roundClear
	roundShort
)

// back takes a probe back from a node that gave it up. It returns the stage of the task that is next, and false if the
// job needs no probe in its place.
func (p *Scheduler) back(node policy.NodeID, m *policy.Msg) (j *jobView, stage uint32, waits bool) {
	if j = p.probed(node, m); j == nil {
		return nil, 0, false
	}
	j.Own.drop(m.Count)
	stage, waits = j.Next()
	return j, stage, waits
}

// rejected sends a probe elsewhere that was rejected because of a long task.
func (p *Scheduler) rejected(node policy.NodeID, m *policy.Msg, actions []policy.Action) []policy.Action {
	j, stage, waits := p.back(node, m)
	if !waits {
		return actions
	}
	if m.Copy.Index == roundAny {
		for range maxDraws {
			if id := p.withoutLong(j); p.holds(id, &j.Job.Stages[stage]) {
				return append(actions, p.probeTo(j, id, roundClear))
			}
		}
	}
	if len(p.short.nodes) > 0 {
		if id := p.pick(&p.short, &j.Job.Stages[stage]); id != 0 {
			return append(actions, p.probeTo(j, id, roundShort))
		}
	}
	return p.send(j, &p.all, roundShort, actions)
}

// withoutLong draws a node that has no long task, 0 if there is none: by the bit vector that the job has, or by what the
// centre knows, with FreshVector, and after a restart.
func (p *Scheduler) withoutLong(j *jobView) policy.NodeID {
	if v := j.Own.vector; v != nil {
		return v.draw(p.rng)
	}
	if len(p.clear.nodes) == 0 {
		return 0
	}
	return p.clear.draw(p.rng)
}

// maxDraws is how many nodes are drawn in search of one that is large enough.
const maxDraws = 16

// stealTries is how many nodes an idle one asks for work under Hawk.
const stealTries = 10

// rob asks a random node that is open to long jobs to give up what waits behind one.
func (p *Scheduler) rob(thief policy.NodeID, tries int, actions []policy.Action) []policy.Action {
	if p.node(thief) == nil {
		return actions
	}
	victim := policy.NodeID(0)
	if tries > 0 && len(p.open.nodes) > 0 {
		victim = p.open.nodes[p.rng.IntN(len(p.open.nodes))]
	}
	p.nodes[thief].victim = victim
	if victim == 0 {
		return append(actions, policy.Action{Kind: policy.Send, Node: thief, Msg: policy.Msg{Kind: msgNoLoot}})
	}
	return append(actions, policy.Action{Kind: policy.Send, Node: victim, Msg: policy.Msg{
		Kind: msgRob, Seq: uint64(thief), Count: uint32(tries - 1),
	}})
}

// escaped tells the thieves that were about to rob a node which has left.
func (p *Scheduler) escaped(victim policy.NodeID, actions []policy.Action) []policy.Action {
	before := len(actions)
	for _, id := range p.all.nodes { // which a sampler shuffles
		if n := p.nodes[id]; n.victim == victim {
			n.victim = 0
			actions = append(actions, policy.Action{Kind: policy.Send, Node: id, Msg: policy.Msg{Kind: msgNoLoot, Seq: 1}})
		}
	}
	slices.SortFunc(actions[before:], func(a, b policy.Action) int { return cmp.Compare(a.Node, b.Node) })
	return actions
}

// looted sends a probe that a node has given up on to the thief, or to any node. If the last of a row is dead, as
// nothing of its job waits any more, it tells the thief, who may have got none of them.
func (p *Scheduler) looted(node policy.NodeID, m *policy.Msg, actions []policy.Action) []policy.Action {
	j, stage, waits := p.back(node, m)
	thief := policy.NodeID(min(m.Seq, policy.MaxID))
	if n := p.node(thief); n != nil {
		n.victim = 0
	}
	if !waits {
		if m.Copy.Index == 1 && p.node(thief) != nil {
			actions = append(actions, policy.Action{Kind: policy.Send, Node: thief, Msg: policy.Msg{Kind: msgNoLoot, Seq: 1}})
		}
		return actions
	}
	if p.holds(thief, &j.Job.Stages[stage]) {
		return append(actions, p.probeTo(j, thief, roundShort))
	}
	return p.send(j, &p.all, roundAny, actions)
}

// restored begins anew: every task that waits is sought a node for, and the nodes are told
// which of the copies that they hold are long, wide or take memory.
func (p *Scheduler) restored(actions []policy.Action) []policy.Action {
	for _, r := range p.replayed {
		j := p.view.jobs.Get(r.copy.Job)
		if j == nil || p.node(r.node) == nil {
			continue
		}
		stage, long := &j.Job.Stages[r.copy.Stage], uint64(0)
		if j.Own.long {
			long = 1
		}
		if stage.Cores > 1 || stage.Memory > 0 || long == 1 {
			actions = append(actions, policy.Action{Kind: policy.Send, Node: r.node, Msg: policy.Msg{
				Kind: msgHeld, Copy: r.copy, Count: uint32(stage.Cores), Seq: long, Value: inMessage(stage.Memory),
			}})
		}
	}
	p.replayed = nil
	for _, j := range p.view.jobs.All() {
		if j.Own.unsought = j.Waiting; j.Waiting > 0 {
			p.want(j)
		}
	}
	return actions
}

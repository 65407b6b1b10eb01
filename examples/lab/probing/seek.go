package probing

import (
	"math"
	"slices"

	"example.com/augur/internal/saturate"
	"example.com/augur/policy"
)

// want lets a job be looked after with the next event that may change something.
func (p *Scheduler) want(j *jobView) {
	if !j.Own.wants {
		j.Own.wants = true
		p.wanting = append(p.wanting, j)
	}
}

// seek sends out probes, or tasks, of the jobs that want it, until a batch has been sent. The jobs that are
// left come first in the next step, for which it sets an alarm at once: there may be idle nodes for them, and no other
// news.
func (p *Scheduler) seek(now policy.Time, actions []policy.Action) []policy.Action {
	kept, before := p.wanting[:0], len(actions)
	for i, j := range p.wanting {
		if len(actions)-before >= p.batch {
			p.wanting = append(slices.Clone(p.wanting[i:]), kept...)
			return append(actions, policy.Action{Kind: policy.Wake, At: now})
		}
		j.Own.wants = false
		if j.Waiting == 0 {
			j.Own.unsought = 0
			continue
		}
		if j.Own.long {
			actions = p.placeAll(j, now, actions)
			j.Own.unsought = j.Waiting
		} else {
			actions = p.probe(j, actions)
		}
		if j.Own.unsought > 0 { // no node that is there could hold it, or there is more than a batch
			j.Own.wants = true
			kept = append(kept, j)
		}
	}
	clear(p.wanting[len(kept):])
	p.wanting = kept
	return actions
}

// probe sends the probes for all tasks of a job that want some, to different nodes as
// long as there are. No more are out than a batch, nor than minProbes and twice what all tasks of the
// job call for. The latter matters where Starts are Refused for long for a reason that no node can see, such as the
// task that they read as a pipe: each Refused calls for ratio probes, each of which may lead to
// another, so that without a limit there would be ratio times as many with each event.
func (p *Scheduler) probe(j *jobView, actions []policy.Action) []policy.Action {
	o := &j.Own
	sought := o.unsought // tasks
	n := saturate.To[int](min(math.Ceil(p.config.ProbeRatio*float64(sought)), policy.MaxTasks))
	if len(o.slots) == 0 { // its first
		n = max(n, p.minProbes)
	}
	n = min(n, p.minProbes+saturate.To[int](math.Ceil(2*p.config.ProbeRatio*float64(o.units)))-o.out())
	if room := max(0, p.batch-o.out()); n > room {
		sought = saturate.To[int](float64(room) / p.config.ProbeRatio)
		n = saturate.To[int](math.Ceil(p.config.ProbeRatio * float64(sought)))
	}
	if len(o.slots) == 0 {
		o.slots, o.spare = make([]policy.NodeID, 0, n), make([]uint32, 0, n)
	}
	stage, _ := j.Next()
	p.all.rewind()
	for range n {
		node := p.pick(&p.all, &j.Job.Stages[stage])
		if node == 0 {
			return actions
		}
		actions = append(actions, p.probeTo(j, node, roundAny))
	}
	o.unsought -= sought
	return actions
}

// probeTo sends a probe for the next task of a job to a node.
func (p *Scheduler) probeTo(j *jobView, node policy.NodeID, round uint32) policy.Action {
	j.Own.vector = newest(j.Own.vector, p.nodes[node].vector)
	i, _ := j.Next()
	stage := &j.Job.Stages[i]
	task := policy.Task{Job: j.Job.ID, Stage: uint32(j.Own.left), Index: round}
	return policy.Action{Kind: policy.Send, Node: node, Msg: policy.Msg{
		Kind: msgProbe, Count: j.Own.put(node), Copy: policy.Copy{Task: task, N: uint32(stage.Cores)},
		Seq: uint64(j.Own.estimate), Value: inMessage(stage.Memory),
	}}
}

// pick draws a node that could hold a task of the stage, 0 if there is none. A new shuffle may begin while it
// draws, so that it takes nearly twice as many draws as there are nodes to have drawn each of them.
func (p *Scheduler) pick(s *sampler, stage *policy.Stage) policy.NodeID {
	for range 2*len(s.nodes) - 1 {
		if id := s.draw(p.rng); p.holds(id, stage) {
			return id
		}
	}
	return 0
}

// holds reports whether a node is there and could hold a task of the stage if it were
// empty.
func (p *Scheduler) holds(id policy.NodeID, stage *policy.Stage) bool {
	n := p.node(id)
	return n != nil && n.cores >= stage.Cores && (n.memory == 0 || n.memory >= stage.Memory)
}

// node returns a node that is there, else nil.
func (p *Scheduler) node(id policy.NodeID) *nodeState {
	if uint64(id) >= uint64(len(p.nodes)) {
		return nil
	}
	return p.nodes[id]
}

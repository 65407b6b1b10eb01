package policytest_test

import (
	"slices"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/policytest"
)

var bags = policytest.Bags

// assigner is a small distributed policy for bags of one-core tasks: the centre gives each
// task to a node in turn, as soon as its stage is ready, and each node keeps a queue of
// its own.
type assigner struct {
	view  central.View
	nodes []policy.NodeID
	given map[policy.NodeID][]policy.Copy // and not heard of since
	turn  int
	part  func(p *queued) policy.Scheduler // what runs on a node; for policies that are broken
}

// ownQueues is for how long one node may have room beside the tasks of another: each keeps a queue of its own.
const ownQueues = 5 * time.Second

func newAssigner() *assigner {
	return &assigner{
		given: map[policy.NodeID][]policy.Copy{},
		part:  func(p *queued) policy.Scheduler { return p },
	}
}

func (p *assigner) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if _, err := p.view.Observe(ev); err != nil {
		return actions, err
	}
	switch {
	case ev.Kind == policy.Joined:
		p.nodes = append(p.nodes, ev.Node)
	case ev.Kind == policy.Left:
		p.nodes = slices.DeleteFunc(p.nodes, func(n policy.NodeID) bool { return n == ev.Node })
		for _, c := range p.given[ev.Node] {
			p.view.Return(c, 0, true)
		}
		delete(p.given, ev.Node)
	case ev.Kind == policy.Started, ev.Kind == policy.Refused:
		for n := range p.given {
			p.given[n] = slices.DeleteFunc(p.given[n], func(c policy.Copy) bool { return c == ev.Copy })
		}
	}
	if len(p.nodes) == 0 || !p.view.Decide(ev) {
		return actions, nil
	}
	for _, j := range p.view.Jobs() {
		for j.Waiting > 0 {
			p.turn++
			n := p.nodes[p.turn%len(p.nodes)]
			c := p.view.Start(j, central.Where{}).Copy
			p.given[n] = append(p.given[n], c)
			actions = append(actions, policy.Action{Kind: policy.Send, Node: n, Msg: policy.Msg{Kind: 1, Copy: c}})
		}
	}
	return actions, nil
}

func (p *assigner) Part(n *policy.Node) policy.Scheduler {
	return p.part(&queued{id: n.ID, free: int(n.Cores)})
}

// queued is the part of an assigner on a node.
type queued struct {
	id    policy.NodeID
	free  int
	queue []policy.Copy
}

func (p *queued) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	switch {
	case ev.Replay && ev.Kind == policy.Started:
		p.free--
	case ev.Kind == policy.Arrived:
		p.queue = append(p.queue, ev.Msg.Copy)
	case ev.Kind == policy.Refused, ev.Kind.End():
		p.free++
	}
	for ; !ev.Replay && p.free > 0 && len(p.queue) > 0; p.free-- {
		actions = append(actions, policy.Action{Kind: policy.Start, Node: p.id, Copy: p.queue[0]})
		p.queue = p.queue[1:]
	}
	return actions, nil
}

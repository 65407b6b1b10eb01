package sim_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/view"
)

// A centre places tasks by what nodes say in their heartbeats, and tells a node by a
// message what to run; the part on the node starts it there.
func TestHeartbeats(t *testing.T) {
	const (
		beat = iota + 1 // Count: copies that run
		run_
	)
	centre := &script{}
	busy := map[policy.NodeID]uint32{}
	next := uint32(0)
	centre.on = func(ev *policy.Event) (actions []policy.Action) {
		if ev.Kind != policy.Arrived {
			return nil
		}
		busy[ev.Node] = ev.Msg.Count
		if ev.Msg.Count == 0 && next < 2 {
			actions = list(policy.Action{Kind: policy.Send, Node: ev.Node, Msg: policy.Msg{Kind: run_, Copy: policy.Copy{Task: task(1, 0, next)}}})
			next++
		}
		return actions
	}
	var nodes []*script
	centre.part = func(n *policy.Node) *script {
		id, running := n.ID, uint32(0)
		p := &script{}
		p.on = func(ev *policy.Event) []policy.Action {
			beats := list(
				policy.Action{Kind: policy.Post, Msg: policy.Msg{Kind: beat, Count: running}},
				policy.Action{Kind: policy.Wake, At: ev.Time.Add(4 * s)})
			switch {
			case ev.Kind == policy.Joined, ev.Kind == policy.Woken:
				return beats
			case ev.Kind == policy.Arrived:
				return list(startOn(id, ev.Msg.Copy.Task, 0))
			case ev.Kind == policy.Started:
				running++
			case ev.Kind == policy.Finished:
				running--
			}
			return nil
		}
		nodes = append(nodes, p)
		return p
	}
	config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}), Delay: s}
	run(t, config, distributed{centre}, bag(1, 0, 2*s, 2*s))
	wantLog(t, centre.log, `
		0s Joined node=1
		0s Submitted 1
		0s Ready 1/0
		1s Arrived node=1 msg=1
		3s Started 1/0/0#0 node=1
		5s Finished 1/0/0#0 node=1 service=2s
		5s Arrived node=1 msg=1
		7s Started 1/0/1#0 node=1
		9s Finished 1/0/1#0 node=1 service=2s
		9s Ended 1 Done
		9s Arrived node=1 msg=1`)
	wantLog(t, nodes[0].log, `
		node 1: 0s Joined node=1
		node 1: 2s Arrived msg=2
		node 1: 2s Started 1/0/0#0 node=1
		node 1: 4s Finished 1/0/0#0 node=1 service=2s
		node 1: 4s Woken
		node 1: 6s Arrived msg=2
		node 1: 6s Started 1/0/1#0 node=1
		node 1: 8s Finished 1/0/1#0 node=1 service=2s
		node 1: 8s Woken`)
}

// prober is batch sampling with late binding: for each task the centre sends probes to
// two nodes; a node that is free asks the centre for a task, and gets one if any is left.
// Probes are sent reliably. What is lost with a node is probed for again. It is for bags
// of one-core tasks.
type prober struct {
	view  view.View[struct{}]
	nodes []policy.NodeID
	sent  map[policy.NodeID][]policy.Copy // given to a node and not heard of since
	turn  int
}

const (
	probe = iota + 1
	askTask
	giveTask
	noTask
)

func newProber() *prober { return &prober{sent: map[policy.NodeID][]policy.Copy{}} }

func (p *prober) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	j, err := p.view.Observe(ev)
	if err != nil {
		return actions, err
	}
	probes := 0
	if ev.Kind == policy.Joined {
		p.nodes = append(p.nodes, ev.Node)
	}
	switch {
	case ev.Replay:
	case ev.Kind == policy.Joined, ev.Kind == policy.Restored:
		actions = p.probeAll(actions)
	case ev.Kind == policy.Left:
		for i, n := range p.nodes {
			if n == ev.Node {
				p.nodes = append(p.nodes[:i], p.nodes[i+1:]...)
			}
		}
		// What was on its way to the node will never be heard of, nor will the probes
		// that waited there.
		lost := p.sent[ev.Node]
		delete(p.sent, ev.Node)
		for _, c := range lost {
			p.view.Return(c, 0, true)
		}
		actions = p.probeAll(actions)
	case ev.Kind == policy.Ready:
		probes = j.Waiting
	case ev.Again:
		probes = 1
		p.forget(ev)
	case ev.Kind == policy.Started, ev.Kind == policy.Refused:
		p.forget(ev)
	case ev.Kind == policy.Arrived: // a free node asks
		id := ev.Msg.Copy.Job
		if j := p.view.Job(id); j != nil && j.Waiting > 0 {
			c := p.view.Start(j, view.Where{}).Copy
			p.sent[ev.Node] = append(p.sent[ev.Node], c)
			return append(actions, policy.Action{Kind: policy.Send, Node: ev.Node, Msg: policy.Msg{Kind: giveTask, Copy: c}}), nil
		}
		return append(actions, policy.Action{Kind: policy.Send, Node: ev.Node, Msg: policy.Msg{Kind: noTask}}), nil
	}
	for range probes {
		actions = p.probe(actions, j.Job.ID)
	}
	return actions, nil
}

func (p *prober) probeAll(actions []policy.Action) []policy.Action {
	for id, j := range p.view.Jobs() {
		for range j.Waiting {
			actions = p.probe(actions, id)
		}
	}
	return actions
}

func (p *prober) probe(actions []policy.Action, id policy.JobID) []policy.Action {
	for range min(2, len(p.nodes)) {
		p.turn++
		n := p.nodes[p.turn%len(p.nodes)]
		actions = append(actions, policy.Action{Kind: policy.Send, Node: n, Msg: policy.Msg{Kind: probe, Copy: policy.Copy{Task: policy.Task{Job: id}}}})
	}
	return actions
}

func (p *prober) forget(ev *policy.Event) {
	for n, sent := range p.sent {
		for i, c := range sent {
			if c == ev.Copy {
				p.sent[n] = append(sent[:i], sent[i+1:]...)
				return
			}
		}
	}
}

func (p *prober) Part(n *policy.Node) policy.Scheduler {
	return &probed{id: n.ID, free: int(n.Cores)}
}

// probed is the part of a prober on a node: a queue of probes.
type probed struct {
	id    policy.NodeID
	free  int
	queue []policy.Msg
}

func (p *probed) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	switch {
	case ev.Replay && ev.Kind == policy.Started:
		p.free--
		return actions, nil
	case ev.Kind == policy.Arrived && ev.Msg.Kind == probe:
		p.queue = append(p.queue, ev.Msg)
	case ev.Kind == policy.Arrived && ev.Msg.Kind == giveTask:
		return append(actions, policy.Action{Kind: policy.Start, Node: p.id, Copy: ev.Msg.Copy}), nil
	case ev.Kind == policy.Arrived, ev.Kind == policy.Refused, ev.Kind.End():
		p.free++
	}
	for p.free > 0 && len(p.queue) > 0 {
		p.free--
		ask := policy.Msg{Kind: askTask, Copy: p.queue[0].Copy}
		p.queue = p.queue[1:]
		actions = append(actions, policy.Action{Kind: policy.Send, Msg: ask})
	}
	return actions, nil
}

// A part starts a copy of a job that is cancelled before the centre hears of the start. The
// centre's policy never hears of that copy, and the host ends it as soon as it does.
func TestOrphanIsKilled(t *testing.T) {
	centre := &script{}
	centre.on = func(ev *policy.Event) []policy.Action {
		if ev.Kind == policy.Ready {
			return list(policy.Action{Kind: policy.Send, Node: 1, Msg: policy.Msg{Kind: 1, Copy: policy.Copy{Task: ev.Copy.Task}}})
		}
		return nil
	}
	var part *script
	centre.part = func(*policy.Node) *script {
		part = &script{on: func(ev *policy.Event) []policy.Action {
			if ev.Kind == policy.Arrived {
				return list(start(ev.Msg.Copy.Task, 0)) // on its own node
			}
			return nil
		}}
		return part
	}
	config := sim.Config{
		Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Delay: 2 * s,
		Faults: sim.Faults{Cancels: []sim.Cancel{{Job: 1, At: at(3)}}},
	}
	r := run(t, config, distributed{centre}, bag(1, 0, 100*s))
	wantLog(t, centre.log, `
		0s Joined node=1
		0s Submitted 1
		0s Ready 1/0
		3s Ended 1 Cancelled`)
	wantLog(t, part.log, `
		node 1: 0s Joined node=1
		node 1: 2s Arrived msg=1
		node 1: 2s Started 1/0/0#0 node=1
		node 1: 5s Killed 1/0/0#0 node=1 service=3s`)
	if got, want := r.Busy, 3.0; got != want {
		t.Errorf("%v core-seconds were used, want %v", got, want)
	}
}

package sim_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
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

// After a restart each part is told of its node, and of the copies and gangs on it.
func TestRestartTellsTheParts(t *testing.T) {
	centre := &script{on: func(ev *policy.Event) []policy.Action {
		switch {
		case ev.Replay:
		case isReady(ev, 1, 0):
			return list(startOn(1, task(1, 0, 0), 0))
		case isReady(ev, 2, 0):
			return list(start(task(2, 0, 0), 0))
		}
		return nil
	}}
	logs := map[policy.NodeID]*script{} // of the last life
	centre.part = func(n *policy.Node) *script {
		logs[n.ID] = &script{on: func(*policy.Event) []policy.Action { return nil }}
		return logs[n.ID]
	}
	again := func() (policy.Scheduler, error) { return distributed{centre}, nil }
	config := sim.Config{Faults: sim.Faults{Restarts: []policy.Time{at(2)}, NewPolicy: again}}
	run(t, config, distributed{centre}, bag(1, 0, 5*s), gang(bag(2, 0, 4*s, 4*s, 4*s)))
	wantLog(t, logs[1].log, `
		node 1: 2s Joined node=1 replay
		node 1: 2s Started 1/0/0#0 node=1 service=2s replay
		node 1: 2s Started 2/0/0#0 node=1x1 node=2x2 service=2s replay
		node 1: 2s Restored
		node 1: 4s Finished 2/0/0#0 node=1x1 node=2x2 service=4s
		node 1: 5s Finished 1/0/0#0 node=1 service=5s`)
	wantLog(t, logs[2].log, `
		node 2: 2s Joined node=2 replay
		node 2: 2s Started 2/0/0#0 node=1x1 node=2x2 service=2s replay
		node 2: 2s Restored
		node 2: 4s Finished 2/0/0#0 node=1x1 node=2x2 service=4s`)
}

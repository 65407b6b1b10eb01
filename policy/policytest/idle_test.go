package policytest

import (
	"slices"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// idler starts the tasks of its only job on named nodes, at named instants, and does what else a story says.
type idler struct {
	acts map[policy.Time][]policy.Action
}

func (p *idler) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Kind == policy.Ready || ev.Kind == policy.Woken {
		actions = append(actions, p.acts[ev.Time]...)
		delete(p.acts, ev.Time)
		next := policy.Never
		for at := range p.acts {
			next = min(next, at)
		}
		actions = append(actions, policy.Action{Kind: policy.Wake, At: next})
	}
	return actions, nil
}

// Part is [policy.Distributed]: one that does nothing.
func (p *idler) Part(*policy.Node) policy.Scheduler { return &idler{} }

// Room counts as empty unless something is under way that may take it.
func TestWhatCountsAsIdle(t *testing.T) {
	act := func(kind policy.ActionKind, index uint32, n policy.NodeID) policy.Action {
		return policy.Action{Kind: kind, Copy: policy.Copy{Task: policy.Task{Job: 1, Index: index}}, Node: n}
	}
	fill := func(n policy.NodeID) []policy.Action {
		return []policy.Action{act(policy.Start, 2*uint32(n), n), act(policy.Start, 2*uint32(n)+1, n)}
	}
	rest := []policy.Action{act(policy.Start, 0, 1), act(policy.Start, 1, 1)}
	send := policy.Action{Kind: policy.Send, Node: 2}
	jump := func(c *sim.Config) { c.Faults.Jumps = []sim.Jump{{At: at(1), For: 2 * s}} }
	for _, test := range []struct {
		name   string
		change func(c *sim.Config)
		acts   map[policy.Time][]policy.Action
		node   policy.Duration // the longest of any node; a task takes 10 s
		inAll  policy.Duration
	}{
		{name: "nothing is done", acts: map[policy.Time][]policy.Action{at(10): fill(1)}, node: 20 * s, inAll: 10 * s},
		{name: "one node is filled", acts: map[policy.Time][]policy.Action{0: fill(1)}, node: 10 * s},
		{name: "both", acts: map[policy.Time][]policy.Action{0: slices.Concat(fill(1), fill(2))}},
		{name: "later", acts: map[policy.Time][]policy.Action{0: fill(1), at(4): fill(2)}, node: 4 * s},
		{name: "half of it", acts: map[policy.Time][]policy.Action{0: slices.Concat(fill(1), fill(2)[:1])}, node: 10 * s},
		{name: "a message to it", change: delay(3 * s), acts: map[policy.Time][]policy.Action{0: slices.Concat(fill(1), []policy.Action{send})}, node: 10 * s},
		{name: "a jump of the clock", change: jump, acts: map[policy.Time][]policy.Action{0: fill(1), at(4): fill(2), at(10): rest}, node: 2 * s},
		{name: "what was suspended", acts: map[policy.Time][]policy.Action{
			0: slices.Concat(fill(1), fill(2)), at(2): {act(policy.Suspend, 4, 0)}, at(5): {act(policy.Resume, 4, 0)}, at(10): rest,
		}, node: 3 * s},
		{name: "what was suspended, if that takes time", change: func(c *sim.Config) { c.SuspendCost = s }, acts: map[policy.Time][]policy.Action{
			0: slices.Concat(fill(1), fill(2)), at(2): {act(policy.Suspend, 4, 0)}, at(5): {act(policy.Resume, 4, 0)}, at(10): rest,
		}, node: 2 * s},
	} {
		sc := scene{
			jobs:   []*workload.Job{bag(1, 0, slices.Repeat([]policy.Duration{10 * s}, 6)...)},
			config: sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 2, Cores: 2})},
		}
		if test.change != nil {
			test.change(&sc.config)
		}
		c := &Config{Hops: 1, New: func(policy.Truth) (policy.Scheduler, error) { return &idler{test.acts}, nil }}
		sc.watch = newWatch(&sc.config, c)
		if f := sc.run(c); f != nil && f.Rule != "finish" { // some tasks are never started
			t.Fatal(f)
		}
		if got := sc.watch.node; got.span != test.node {
			t.Errorf("%s: node %d was empty beside work for %v, want %v", test.name, got.node, got.span, test.node)
		}
		if got := sc.watch.whole.span; got != test.inAll {
			t.Errorf("%s: all nodes were empty beside work for %v, want %v", test.name, got, test.inAll)
		}
	}
}

func delay(d time.Duration) func(c *sim.Config) { return func(c *sim.Config) { c.Delay = d } }

// A node may be idle for NodePatience beside one-core tasks, and beside others for as long as it likes; all nodes together may be for
// Patience alone.
func TestJudge(t *testing.T) {
	c := Config{Patience: 2 * s, NodePatience: 5 * s}
	for _, test := range []struct {
		node, whole policy.Duration
		alike, ok   bool
	}{{5 * s, 2 * s, true, true}, {6 * s, 0, true, false}, {6 * s, 0, false, true}, {3 * s, 3 * s, true, false}} {
		w := newWatch(&sim.Config{}, &c)
		w.node.span, w.whole.span = test.node, test.whole
		if f := w.judge(&c, test.alike); (f == nil) != test.ok {
			t.Errorf("one node idle for %v, all for %v, one-core tasks alone %v: %v", test.node, test.whole, test.alike, f)
		}
	}
}

// What the policy keeps free does not count.
func TestKeptRoomIsNotIdle(t *testing.T) {
	for _, keeps := range []bool{false, true} {
		sc := scene{jobs: []*workload.Job{bag(1, 0, s)}, config: sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1})}}
		start := policy.Action{Kind: policy.Start, Copy: policy.Copy{Task: policy.Task{Job: 1}}}
		c := &Config{
			New: func(policy.Truth) (policy.Scheduler, error) {
				return &idler{map[policy.Time][]policy.Action{at(2): {start}}}, nil
			},
			Keeps: func(_ policy.Scheduler, task policy.Task, node policy.NodeID) bool {
				return keeps && task.Job == 1 && node == 1
			},
		}
		sc.watch = newWatch(&sc.config, c)
		if f := sc.run(c); f != nil {
			t.Fatal(f)
		}
		if idle := sc.watch.node.span == 2*s && sc.watch.whole.span == 2*s; idle == keeps {
			t.Errorf("the policy keeps it: %v; it was empty for %v and %v", keeps, sc.watch.node.span, sc.watch.whole.span)
		}
	}
}

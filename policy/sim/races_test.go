package sim_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/check"
	"example.com/augur/policy/sim"
)

// What crosses on the network, or falls into one instant with something else.

func newFIFO() (policy.Scheduler, error) { return baseline.NewFIFO(), nil }

// A message that was sent before the centre heard that the node had left and come back is
// not for the part that is there now (rule Parts), nor is the alarm of the part that was there before.
func TestMailForAnEarlierLife(t *testing.T) {
	centre := &script{}
	centre.on = func(ev *policy.Event) []policy.Action {
		switch ev.Kind {
		case policy.Ready:
			return list(policy.Action{Kind: policy.Wake, At: at(11.5)})
		case policy.Woken, policy.Joined:
			return list(policy.Action{Kind: policy.Send, Node: 1, Msg: policy.Msg{Seq: uint64(ev.Time)}})
		}
		return nil
	}
	var parts []*script
	centre.part = func(*policy.Node) *script {
		first := len(parts) == 0
		parts = append(parts, &script{on: func(ev *policy.Event) []policy.Action {
			if first && ev.Kind == policy.Joined {
				return list(policy.Action{Kind: policy.Wake, At: at(14)})
			}
			return nil
		}})
		return parts[len(parts)-1]
	}
	run(t, sim.Config{Delay: 3 * s, Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}),
		Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: at(10), For: s}}}}, distributed{centre}, bag(1, 0, s))
	want := [][]string{{"node 1: 0s Joined node=1", "node 1: 3s Arrived"}, {"node 1: 11s Joined node=1", "node 1: 17s Arrived"}}
	var got [][]string
	for _, part := range parts {
		got = append(got, part.log)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the parts heard (-want +got):\n%s", diff)
	}
}

// A node that is gone for good needs no more weather.
func TestOutageForGood(t *testing.T) {
	r := run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}),
		Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: at(1)}}, MeanUp: 60 * s, MeanDown: 10 * s}}, baseline.NewFIFO(), bag(1, 0, 100*s))
	if got := r.Jobs[0]; got.Outcome != policy.Stalled || got.Ended > at(10_000) {
		t.Errorf("job 1 is %v at %v s, want Stalled soon", got.Outcome, got.Ended.Seconds())
	}
}

// A policy that only waits is not stalled while a node is about to come back.
func TestWaitForANode(t *testing.T) {
	p := &script{quiet: true}
	p.on = func(ev *policy.Event) []policy.Action {
		actions := list(policy.Action{Kind: policy.Wake, At: ev.Time.Add(s / 1000)})
		switch {
		case isReady(ev, 1, 0):
			return append(actions, start(task(1, 0, 0), 0))
		case ev.Kind == policy.Joined && ev.Time > 0:
			return append(actions, start(task(1, 0, 0), 1))
		}
		return actions
	}
	r := run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Faults: sim.Faults{Outages: []sim.Outage{{Node: 1, At: at(1), For: 1100 * s}}}}, p, bag(1, 0, 2*s))
	if !r.Jobs[0].Done() {
		t.Errorf("job 1 is %v, want Done", r.Jobs[0].Outcome)
	}
}

// What the checker finds is an error even if it cannot be recorded.
func TestViolationIsNotLostInTheRecord(t *testing.T) {
	p := &script{on: func(*policy.Event) []policy.Action {
		return list(policy.Action{Kind: policy.Send, Msg: policy.Msg{Value: math.NaN()}})
	}}
	var record strings.Builder
	_, err := try(t, sim.Config{Record: &record}, p, bag(1, 0, s))
	if v, ok := errors.AsType[*check.Violation](err); !ok || v.Rule != "Legal start" {
		t.Errorf("error %v, want a violation of Legal start", err)
	}
}

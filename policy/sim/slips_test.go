package sim_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// kinds are the events of a log without their times.
func kinds(log []string) (kinds []string) {
	for _, line := range log {
		_, what, _ := strings.Cut(line, "s ")
		kinds = append(kinds, what)
	}
	return kinds
}

// What is asked of a copy is done in order, however late.
func TestLateActionsOfACopyStayInOrder(t *testing.T) {
	for seed := range uint64(50) {
		for _, delay := range []policy.Duration{0, s} {
			p := &script{}
			p.on = func(ev *policy.Event) []policy.Action {
				if isReady(ev, 1, 0) {
					c := task(1, 0, 0)
					return list(start(c, 0), do(policy.Suspend, c, 0), do(policy.Resume, c, 0), do(policy.Report, c, 0), do(policy.Suspend, c, 0), do(policy.Kill, c, 0))
				}
				if ev.Kind == policy.Killed {
					return list(start(ev.Copy.Task, 1))
				}
				return nil
			}
			r := run(t, sim.Config{Delay: delay, Faults: sim.Faults{Seed: seed, ActionLate: 0.7, MeanSlip: s}}, p, bag(1, 0, 1000*s))
			var got []string
			for _, k := range kinds(p.log) {
				got = append(got, strings.Fields(k)[0]+map[bool]string{true: "#1"}[strings.Contains(k, "#1")])
			}
			want := []string{"Joined", "Joined", "Submitted", "Ready", "Started", "Suspended", "Resumed", "Progress", "Suspended", "Killed", "Started#1", "Finished#1", "Ended"}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, delay %v: %v, want %v", seed, delay, got, want)
			}
			if seed == 0 && r.Faults.ActionsLate == 0 {
				t.Error("no action was late")
			}
		}
	}
}

// So are Starts that name the same node; those that leave the choice to the host may overtake one
// another.
func TestLateStartsOnANodeStayInOrder(t *testing.T) {
	swapped := 0
	for seed := range uint64(50) {
		for _, named := range []policy.NodeID{0, 1} {
			var got []uint32
			p := quiet(func(ev *policy.Event) (actions []policy.Action) {
				if ev.Kind == policy.Started {
					got = append(got, ev.Copy.Index)
				}
				if isReady(ev, 1, 0) {
					for i := range uint32(8) {
						actions = append(actions, startOn(named, task(1, 0, i), 0))
					}
				}
				return actions
			})
			config := sim.Config{
				Nodes:  sim.Cluster(sim.Partition{Nodes: 1, Cores: 8}),
				Faults: sim.Faults{Seed: seed, ActionLate: 0.3, MeanSlip: s},
			}
			run(t, config, p, bag(1, 0, 60*s, 60*s, 60*s, 60*s, 60*s, 60*s, 60*s, 60*s))
			switch {
			case len(got) != 8:
				t.Fatalf("seed %d: %d of 8 copies were started", seed, len(got))
			case slices.IsSorted(got):
			case named == 1:
				t.Errorf("seed %d: started on node 1 in the order %v", seed, got)
			default:
				swapped++
			}
		}
	}
	if swapped < 20 {
		t.Errorf("with %d of 50 seeds, a Start overtook another, want at least 20", swapped)
	}
}

// An alarm is counted as late if it goes off late, and not if another has taken its place.
func TestLateAlarmsAreCounted(t *testing.T) {
	late, set := 0, at(0)
	p := quiet(func(ev *policy.Event) []policy.Action {
		switch {
		case ev.Kind == policy.Started && ev.Time > 0:
			late++ // the Start
		case ev.Kind == policy.Woken && ev.Time > set:
			late++
		}
		set = max(set.Add(2*s), ev.Time.Add(s))
		if isReady(ev, 1, 0) {
			return list(start(task(1, 0, 0), 0))
		}
		return list(policy.Action{Kind: policy.Wake, At: ev.Time.Add(s / 2)}, policy.Action{Kind: policy.Wake, At: set})
	})
	r := run(t, sim.Config{Faults: sim.Faults{Seed: 3, ActionLate: 0.2, MeanSlip: s}}, p, bag(1, 0, 400*s))
	if f := r.Faults; f.ActionsLate != late || late < 10 {
		t.Errorf("%d actions were late, want %d, and at least 10", f.ActionsLate, late)
	}
}

// Messages that are sent stay in order between two parts, and none is lost; alarms go off late.
func TestLateMessagesAndAlarms(t *testing.T) {
	heard := map[policy.NodeID][]uint32{}
	woken, late, swapped := 0, 0, 0
	set := at(1)
	p := &script{quiet: true}
	last := uint32(0)
	p.on = func(ev *policy.Event) []policy.Action {
		switch {
		case isReady(ev, 1, 0):
			return list(startOn(1, task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: set})
		case ev.Kind == policy.Woken:
			woken++
			if late += map[bool]int{true: 1}[ev.Time > set]; ev.Time < set {
				t.Errorf("the alarm for %v s goes off at %v s", set.Seconds(), ev.Time.Seconds())
			}
			set = max(set.Add(s), ev.Time)
			return list(policy.Action{Kind: policy.Wake, At: set})
		case ev.Kind == policy.Arrived:
			heard[ev.Node] = append(heard[ev.Node], ev.Msg.Count)
			if ev.Msg.Count < last {
				swapped++
			}
			last = ev.Msg.Count
		}
		return nil
	}
	sent := uint32(0)
	p.part = func(*policy.Node) *script {
		q := &script{quiet: true}
		q.on = func(ev *policy.Event) []policy.Action {
			if sent == 400 {
				return nil
			}
			sent++
			return list(policy.Action{Kind: policy.Send, Msg: policy.Msg{Count: sent}}, policy.Action{Kind: policy.Wake, At: ev.Time.Add(s / 4)})
		}
		return q
	}
	config := sim.Config{
		Nodes:  sim.Cluster(sim.Partition{Nodes: 2, Cores: 1}),
		Faults: sim.Faults{ActionLate: 0.2, MeanSlip: s, Outages: []sim.Outage{{Node: 2, At: at(25)}}},
	}
	run(t, config, distributed{p}, bag(1, 0, 300*s))
	if got := len(heard[1]) + len(heard[2]); got != 400 || len(heard[2]) < 10 {
		t.Errorf("%d messages arrived, %d of them from the node that has left, want 400 and at least 10", got, len(heard[2]))
	}
	for id, counts := range heard {
		if !slices.IsSorted(counts) {
			t.Errorf("messages of node %d arrived in the order %v", id, counts)
		}
	}
	if swapped < 5 {
		t.Errorf("%d messages overtook one of the other node, want at least 5", swapped)
	}
	if late < woken/10 || late > woken/3 || woken < 100 {
		t.Errorf("%d of %d alarms were late, want about a fifth", late, woken)
	}
}

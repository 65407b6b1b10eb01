package policytest_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/central"
	"example.com/augur/policy/policytest"
)

func FuzzFewest(f *testing.F) {
	policytest.Fuzz(f, policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return newFewest(), nil }})
}

func FuzzAssigner(f *testing.F) {
	policytest.Fuzz(f, policytest.Config{New: func(policy.Truth) (policy.Scheduler, error) { return newAssigner(), nil }, Prepare: bags})
}

// A policy that kills what runs on a node to start something else there goes by the order of the two (rule Order).
func FuzzUsurper(f *testing.F) { policytest.Fuzz(f, usurpers) }

// usurpers kill the oldest copy on a node whenever another one is Started there, twice a task at most, and start
// what waits on that node.
var usurpers = policytest.Config{Prepare: bags, New: func(policy.Truth) (policy.Scheduler, error) {
	var books central.View
	kills := map[policy.JobID]int{}
	running := map[policy.NodeID][]policy.Copy{}
	return wrapper(func(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
		j, err := books.Observe(ev)
		if err != nil {
			return actions, err
		}
		on := running[ev.Node]
		switch {
		case ev.Kind == policy.Started:
			running[ev.Node] = append(on, ev.Copy)
		case ev.Kind.End() && ev.Node != 0:
			running[ev.Node] = slices.DeleteFunc(on, func(c policy.Copy) bool { return c == ev.Copy })
		case ev.Kind == policy.Left:
			delete(running, ev.Node)
		}
		if ev.Kind == policy.Started && !ev.Replay && len(on) > 0 && kills[j.Job.ID] < 12 {
			kills[j.Job.ID]++
			actions = append(actions, policy.Action{Kind: policy.Kill, Copy: on[0]})
			if j.Waiting > 0 {
				actions = append(actions, books.Start(j, central.Where{Node: ev.Node}))
			}
		}
		if !books.Decide(ev) {
			return actions, nil
		}
		for _, j := range books.Jobs() {
			if books.Fits(j) { // one of each job, so that there is room beside what is to be killed
				actions = append(actions, books.Start(j, central.Where{}))
			}
		}
		return actions, nil
	}), nil
}}

// Scripts find the broken policies out too, but for faults that a host of this kind cannot see: how long
// room stands empty is measured in scenes of small tasks only.
func TestScriptsFindBrokenPolicies(t *testing.T) {
	const most = 1000 // scripts
	unseen := []string{"idle", "clock", "shared", "goroutines", "events", "keeper", "allocs"}
	for _, test := range slices.Concat(badGuests, badMachines) {
		if slices.Contains(unseen, test.rule) {
			continue
		}
		t.Run(test.name, func(t *testing.T) {
			for seed := range uint64(most) {
				f := policytest.Drive(test.c, seed)
				// What panics, or answers otherwise each time, may do so just after an impossible event.
				if f == nil || f.Rule == "illegal" && (test.rule == "legal" || test.rule == "repeat") {
					continue
				}
				if f.Rule != test.rule {
					t.Errorf("seed %d: found to break rule %q, want %q: %v", seed, f.Rule, test.rule, f)
				}
				if f.Rule == "finish" && !strings.Contains(f.Error(), test.says) {
					t.Errorf("seed %d: the text does not say %q: %v", seed, test.says, f)
				}
				return
			}
			t.Errorf("none of %d scripts finds it", most)
		})
	}
}

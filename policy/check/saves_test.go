package check_test

import (
	"errors"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/check"
)

// What is saved of a task never falls and is no more than was done, and later copies go on from there.
func TestCheckerOfSaves(t *testing.T) {
	fast := said{event: &policy.Event{Kind: policy.Joined, Node: 2, Info: &policy.Node{ID: 2, Partition: 1, Cores: 2, Speed: 2}}}
	gangs := said{event: &policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: task(2, 0, 0)}, Job: &policy.Job{
		ID: 2, Stages: []policy.Stage{{Tasks: 2, Cores: 1, Gang: true, Saves: true, Prefer: []policy.PartitionID{1}, Elsewhere: 3, Holders: []policy.NodeID{1, 2}}},
	}}}
	gang := func(kind policy.EventKind, n uint32, service, saved policy.Duration, first policy.NodeID) said {
		return ev(kind, 2, 0, n).with(func(ev *policy.Event) {
			ev.Service, ev.Saved, ev.Again = service, saved, kind != policy.Started
			ev.Gang = []policy.Share{{Node: first, Tasks: 1}, {Node: 3 - first, Tasks: 1}}
		})
	}
	copied := func(kind policy.EventKind, n uint32, service, saved policy.Duration) said {
		return ev(kind, 1, 0, n).on(1).with(func(ev *policy.Event) { ev.Service, ev.Saved, ev.Again = service, saved, kind != policy.Started })
	}
	replayed := func(x said) said { return x.with(func(ev *policy.Event) { ev.Replay = true }) }
	next := act(start(task(1, 0, 0), 1))
	save := do(policy.Kill, task(1, 0, 0), 0)
	save.Save = true
	saved := copied(policy.Killed, 0, 4*s, 4*s)
	for _, test := range []struct {
		name  string
		then  []said
		rule  string // "" if it is legal
		saves bool
	}{
		{"kill with Save", []said{act(save)}, "", true},
		{"kill with Save of a stage that does not", []said{act(save)}, "Legal start", false},
		{"start with Save", []said{act(policy.Action{Kind: policy.Start, Save: true, Copy: policy.Copy{Task: task(1, 0, 1)}})}, "Legal start", true},
		{"a start need not wait for a save on its node", []said{act(save), act(startOn(1, task(1, 0, 1), 0)), ev(policy.Started, 1, 1, 0).on(1)}, "", true},
		{"saved in part", []said{copied(policy.Killed, 0, 4*s, 3*s)}, "", true},
		{"saved and not asked to", []said{copied(policy.Lost, 0, 4*s, 4*s)}, "", true},
		{"saved more than it did", []said{copied(policy.Killed, 0, 4*s, 4*s+10)}, "Copy", true},
		{"saved of a stage that does not", []said{saved}, "Copy", false},
		{"service of nothing", []said{next, copied(policy.Started, 1, s, 0)}, "Copy", false},
		{"goes on", []said{saved, next, copied(policy.Started, 1, 4*s, 0), copied(policy.Failed, 1, 5*s, 4*s)}, "", true},
		{"goes on from less", []said{saved, next, copied(policy.Started, 1, 4*s-10, 0)}, "Copy", true},
		{"goes on from more", []said{saved, next, copied(policy.Started, 1, 4*s+10, 0)}, "Copy", true},
		{"goes on where it is faster", []said{fast, saved, next, copied(policy.Started, 1, 2*s, 0).on(2)}, "", true},
		{"goes on as if it were not faster", []said{fast, saved, next, copied(policy.Started, 1, 4*s, 0).on(2)}, "Copy", true},
		{"what is saved falls", []said{saved, next, copied(policy.Started, 1, 4*s, 0), copied(policy.Lost, 1, 6*s, 3*s)}, "Copy", true},
		{"what is saved grows", []said{saved, next, copied(policy.Started, 1, 4*s, 0), copied(policy.Killed, 1, 6*s, 6*s), act(start(task(1, 0, 0), 2)), copied(policy.Started, 1+1, 6*s, 0)}, "", true},
		{"a copy beside it had begun before", []said{next, copied(policy.Killed, 0, 4*s, 4*s).with(func(ev *policy.Event) { ev.Again = false }), copied(policy.Started, 1, 0, 0)}, "", true},
		{"a copy that was refused", []said{saved, next, ev(policy.Refused, 1, 0, 1).with(func(ev *policy.Event) { ev.Again = true }), next, copied(policy.Started, 1, 4*s, 0)}, "", true},
		{"finished", []said{saved, next, copied(policy.Started, 1, 4*s, 0), ev(policy.Finished, 1, 0, 1).on(1).with(func(ev *policy.Event) { ev.Service = 9 * s })}, "", true},
		{"finished and saved", []said{saved, next, copied(policy.Started, 1, 4*s, 0), ev(policy.Finished, 1, 0, 1).on(1).with(func(ev *policy.Event) { ev.Service, ev.Saved = 9*s, 9*s })}, "Copy", true},
		{"a gang goes on where its slowest task says", []said{
			fast, gangs, ev(policy.Ready, 2, 0, 0), copied(policy.Killed, 0, 0, 0), act(start(task(2, 0, 0), 0)), gang(policy.Started, 0, 0, 0, 1),
			gang(policy.Killed, 0, 2*s, 2*s, 1), act(start(task(2, 0, 0), 1)), gang(policy.Started, 1, 6*s, 0, 2), // each off its data
		}, "", true},
		{"a gang has saved more than its slowest task did", []said{
			fast, gangs, ev(policy.Ready, 2, 0, 0), copied(policy.Killed, 0, 0, 0), act(start(task(2, 0, 0), 0)), gang(policy.Started, 0, 0, 0, 1),
			gang(policy.Killed, 0, 2*s, 3*s, 1),
		}, "Copy", true},
		{"goes on when another has finished", []said{
			saved, next, act(start(task(1, 0, 0), 2)), copied(policy.Started, 1, 4*s, 0), ev(policy.Finished, 1, 0, 1).on(1).with(func(ev *policy.Event) { ev.Service = 9 * s }), copied(policy.Started, 2, 4*s, 0),
		}, "", true},
		{"saved when another has finished", []said{
			saved, next, act(start(task(1, 0, 0), 2)), copied(policy.Started, 1, 4*s, 0), copied(policy.Started, 2, 4*s, 0),
			ev(policy.Finished, 1, 0, 1).on(1).with(func(ev *policy.Event) { ev.Service = 9 * s }),
			copied(policy.Killed, 2, 6*s, 6*s).with(func(ev *policy.Event) { ev.Again = false }),
		}, "Copy", true},
		{"replay", append([]said{saved}, retold(replayed(copied(policy.Killed, 0, 0, 4*s)))...), "", true},
		{"replay of less", append([]said{saved}, retold(replayed(copied(policy.Killed, 0, 0, 0)))...), "Restart", true},
		{"restart before the answer", append([]said{saved, next}, append(retold(replayed(copied(policy.Killed, 0, 0, 4*s))), act(start(task(1, 0, 0), 2)), copied(policy.Started, 2, 4*s, 0))...), "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			story := append(checkerStory(), test.then...)
			for _, x := range story {
				if x.event != nil && x.event.Job != nil && x.event.Job.ID == 1 {
					x.event.Job.Stages[0].Saves = test.saves
				}
			}
			_, err := heard(story)
			v, _ := errors.AsType[*check.Violation](err)
			if v == nil && test.rule != "" || v != nil && v.Rule != test.rule {
				t.Errorf("error %v, want a violation of %q", err, test.rule)
			}
		})
	}
	for _, test := range []struct {
		name string
		told said // in the replay of a new process
		then []said
		rule string
	}{
		{"what is saved", replayed(copied(policy.Killed, 0, 0, 4*s)), []said{next, copied(policy.Started, 1, 4*s, 0)}, ""},
		{"what is forgotten", replayed(copied(policy.Killed, 0, 0, 4*s)), []said{next, copied(policy.Started, 1, 0, 0)}, "Copy"},
		{"what was saved while it ran", replayed(copied(policy.Started, 0, s, 0)), []said{copied(policy.Lost, 0, s, 4*s), next, copied(policy.Started, 1, 4*s, 0)}, ""},
	} {
		story := append(retold(test.told), test.then...)
		story[2].event.Job.Stages[0].Saves = true
		_, err := heard(story)
		if v, _ := errors.AsType[*check.Violation](err); v == nil && test.rule != "" || v != nil && v.Rule != test.rule {
			t.Errorf("%s: error %v, want a violation of %q", test.name, err, test.rule)
		}
	}
}

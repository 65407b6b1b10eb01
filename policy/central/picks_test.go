package central

import (
	"slices"
	"testing"

	"example.com/augur/policy"
)

// local returns a view of node 1, with as many cores as there are tasks, and of a job whose
// tasks are all local there.
func local(t testing.TB, tasks uint32) (*View, *Job) {
	v := new(View)
	holders := make([]policy.NodeID, tasks)
	for i := range holders {
		holders[i] = 1
	}
	of := policy.Copy{Task: policy.Task{Job: 1}}
	observe(t, v, policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: int32(tasks), Speed: 1}})
	observe(t, v, policy.Event{Kind: policy.Submitted, Copy: of, Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: tasks, Cores: 1, Holders: holders}}}})
	observe(t, v, policy.Event{Kind: policy.Ready, Copy: of})
	return v, v.Job(1)
}

func observe(t testing.TB, v *View, ev policy.Event) {
	t.Helper()
	if _, err := v.Observe(&ev); err != nil {
		t.Fatal(err)
	}
}

func refuse(t testing.TB, v *View, task uint32) {
	t.Helper()
	observe(t, v, policy.Event{Kind: policy.Refused, Copy: policy.Copy{Task: policy.Task{Job: 1, Index: task}}, Again: true})
}

// drain starts all that waits, and returns the tasks.
func drain(v *View, j *Job) (tasks []int) {
	for j.Waiting > 0 {
		tasks = append(tasks, int(v.Start(j, Where{}).Copy.Index))
	}
	return tasks
}

// Events that are not true make the counts wrong, but a policy that goes by them, and starts
// what waits, meets no panic, and each task that waits is started once.
func TestPicksAndUntrueEvents(t *testing.T) {
	of := func(task uint32) policy.Copy { return policy.Copy{Task: policy.Task{Job: 1, Index: task}} }
	for _, test := range []struct {
		name   string
		events []policy.Event
	}{
		{"a task that waits is to be tried again", []policy.Event{{Kind: policy.Failed, Copy: of(3), Node: 1, Again: true}}},
		{"twice", []policy.Event{{Kind: policy.Failed, Copy: of(3), Node: 1, Again: true}, {Kind: policy.Killed, Copy: of(3), Node: 1, Again: true}}},
		{"a replay after a Start", []policy.Event{{Kind: policy.Started, Copy: of(4), Node: 1, Replay: true}}},
		{"a replay of what was started", []policy.Event{{Kind: policy.Started, Copy: of(0), Node: 1, Replay: true}}},
		{"a replay, then one more", []policy.Event{{Kind: policy.Started, Copy: of(4), Node: 1, Replay: true}, {Kind: policy.Lost, Copy: of(4), Node: 1, Again: true}}},
	} {
		for _, asked := range []bool{false, true} { // where data is, before the events
			v, j := local(t, 6)
			var started []int
			if asked {
				v.Local(j, 1)
				a := v.Start(j, Where{Node: 1, Local: true})
				started = append(started, int(a.Copy.Index))
			}
			for _, ev := range test.events {
				observe(t, v, ev)
			}
			waiting := v.Local(j, 1)
			if j.Waiting != waiting {
				t.Errorf("%s (%v): %d wait, but %d are local", test.name, asked, j.Waiting, waiting)
			}
			tasks := drain(v, j)
			if len(tasks) != waiting {
				t.Errorf("%s (%v): started %v, want %d tasks", test.name, asked, tasks, waiting)
			}
			started = append(started, tasks...)
			slices.Sort(started)
			if len(slices.Compact(started)) != len(started) {
				t.Errorf("%s (%v): started %v, some twice", test.name, asked, started)
			}
		}
	}
}

// A node that has left is not open, whatever was said of copies on it that never were.
func TestOpenAndUntrueEvents(t *testing.T) {
	for untrue := range uint32(4) {
		v, j := local(t, 6)
		v.Start(j, Where{Node: 1})
		v.Start(j, Where{Node: 1})
		for task := range untrue {
			observe(t, v, policy.Event{Kind: policy.Lost, Copy: policy.Copy{Task: policy.Task{Job: 1, Index: task}, N: 7}, Node: 1})
		}
		observe(t, v, policy.Event{Kind: policy.Left, Node: 1})
		refuse(t, v, 0)
		refuse(t, v, 1)
		if got := slices.Collect(v.Open()); len(got) > 0 || v.Room(1) != 0 {
			t.Errorf("open are %v with room for %d on node 1, want none", got, v.Room(1))
		}
	}
}

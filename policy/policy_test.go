package policy_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"example.com/augur/dag"
	"example.com/augur/policy"
)

// What the words of the contract promise.
func TestPromises(t *testing.T) {
	t.Run("a job that cannot be is refused, with what is wrong", jobValidate)
	t.Run("so is a node", nodeValidate)
	t.Run("a task is local to the nodes that hold its data, and to all if none is known", holders)
	t.Run("a Stock never gives more than there is", stockNeverGivesMoreThanThereIs)
	t.Run("instants and spans end where there are no more", timeEnds)
	t.Run("everything in an event or action survives JSON", jsonRoundTrip)
	t.Run("a Table answers like a map", tableAgainstMap)
}

func jobValidate(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*policy.Job)
		want   string // in the error; "" for none
	}{
		{"good", func(*policy.Job) {}, ""},
		{"no ID", func(j *policy.Job) { j.ID = 0 }, "ID 0"},
		{"no stages", func(j *policy.Job) { j.Stages = nil }, "no stages"},
		{"no tasks", func(j *policy.Job) { j.Stages[1].Tasks = 0 }, "stage 1: 0 tasks"},
		{"too many tasks", func(j *policy.Job) { j.Stages[1].Tasks = math.MaxUint32 }, "tasks, want at most"},
		{"no cores", func(j *policy.Job) { j.Stages[0].Cores = 0 }, "stage 0: 0 cores"},
		{"negative cores", func(j *policy.Job) { j.Stages[0].Cores = -1 }, "-1 cores"},
		{"negative memory", func(j *policy.Job) { j.Stages[0].Memory = -1 }, "-1 bytes"},
		{"priority NaN", func(j *policy.Job) { j.Priority = math.NaN() }, "priority NaN"},
		{"priority Inf", func(j *policy.Job) { j.Priority = math.Inf(1) }, "priority +Inf"},
		{"a limit of nothing", func(j *policy.Job) { j.Requested, j.Limited = 0, true }, "is Limited and requests no time"},
		{"requests negative time", func(j *policy.Job) { j.Requested = -1 }, "requests -1ns"},
		{"faster elsewhere", func(j *policy.Job) { j.Stages[0].Elsewhere = 0.5 }, "factor 0.5 elsewhere"},
		{"elsewhere NaN", func(j *policy.Job) { j.Stages[0].Elsewhere = math.NaN() }, "factor NaN elsewhere"},
		{"saves", func(j *policy.Job) { j.Stages[1].Saves, j.Stages[1].Reload = true, 1 }, ""},
		{"reloads before the begin", func(j *policy.Job) { j.Stages[1].Saves, j.Stages[1].Reload = true, -1 }, "stage 1: reloads for -1ns"},
		{"reloads what it cannot save", func(j *policy.Job) { j.Stages[1].Reload = 1 }, "stage 1: reloads for 1ns"},
		{"saves what reads a pipe", func(j *policy.Job) { j.Stages[1].Saves, j.Stages[1].Reads[0].Pipe = true, true }, "Saves on neither side"},
		{"saves what a pipe reads", func(j *policy.Job) { j.Stages[0].Saves, j.Stages[1].Reads[0].Pipe = true, true }, "Saves on neither side"},
		{"held", func(j *policy.Job) { j.Stages[1].Holders = []policy.NodeID{1, 2, policy.MaxID, 0} }, ""},
		{"held unevenly", func(j *policy.Job) { j.Stages[1].Holders = []policy.NodeID{1, 2, 3} }, "stage 1: 3 holders of 2 tasks"},
		{"held nowhere", func(j *policy.Job) { j.Stages[0].Holders = []policy.NodeID{policy.MaxID + 1} }, "holder has ID 16777216"},
		{"reads what is not there", func(j *policy.Job) { j.Stages[1].Reads[0].Stage = 2 }, "reads stage 2"},
		{"reads twice", func(j *policy.Job) { j.Stages[1].Reads = []policy.Dep{{Stage: 0}, {Stage: 0, Pipe: true}} }, "twice"},
		{"utility NaN", func(j *policy.Job) { j.SLO = &policy.SLO{Utility: math.NaN()} }, "utility NaN"},
		{"utility negative", func(j *policy.Job) { j.SLO = &policy.SLO{Utility: -1} }, "utility -1"},
		{"reads itself", func(j *policy.Job) { j.Inputs = &policy.Inputs{Jobs: []policy.JobID{7}} }, "reads job 7"},
		{"reads job 0", func(j *policy.Job) { j.Inputs = &policy.Inputs{Jobs: []policy.JobID{0}} }, "reads job 0"},
	} {
		j := &policy.Job{ID: 7, Stages: []policy.Stage{
			{Tasks: 1, Cores: 1},
			{Tasks: 2, Cores: 1, Reads: []policy.Dep{{Stage: 0}}},
		}}
		test.change(j)
		err := j.Validate()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.name, err, test.want)
		}
	}
}

func TestStagesInACircle(t *testing.T) {
	j := &policy.Job{ID: 7, Stages: []policy.Stage{
		{Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 1}}},
		{Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 0}}},
	}}
	err := j.Validate()
	cycle, ok := errors.AsType[*dag.CycleError](err)
	if !ok || len(cycle.Cycle) != 2 || !strings.Contains(err.Error(), "job 7") {
		t.Errorf("error %v, want a cycle of two stages, of job 7", err)
	}
}

func holders(t *testing.T) {
	stage := policy.Stage{Tasks: 3, Cores: 1}
	if got := stage.HoldersOf(2); len(got) > 0 || !stage.Local(2, 9) {
		t.Errorf("holders %v where nothing is known, local %v; want none, true", got, stage.Local(2, 9))
	}
	if got := new(policy.Stage).HoldersOf(0); len(got) > 0 {
		t.Errorf("holders %v of a stage without tasks, want none", got)
	}
	stage.Holders = []policy.NodeID{4, 7, 5, 0, 0, 0}
	for index, want := range [][]policy.NodeID{{4, 7}, {5}, {}} {
		if got := stage.HoldersOf(uint32(index)); !slices.Equal(got, want) {
			t.Errorf("task %d: holders %v, want %v", index, got, want)
		}
		for _, id := range []policy.NodeID{4, 5, 6, 7} {
			if got := stage.Local(uint32(index), id); got != (len(want) == 0 || slices.Contains(want, id)) {
				t.Errorf("task %d on node %d: local %v", index, id, got)
			}
		}
	}
}

func TestSlowdown(t *testing.T) {
	for _, test := range []struct {
		stage policy.Stage
		p     policy.PartitionID
		local bool
		want  float64 // on a node of speed 2
	}{
		{policy.Stage{}, 1, false, 0.5},
		{policy.Stage{Elsewhere: 3}, 1, true, 0.5},
		{policy.Stage{Elsewhere: 3}, 1, false, 1.5},
		{policy.Stage{Elsewhere: 3, Prefer: []policy.PartitionID{2}}, 2, true, 0.5},
		{policy.Stage{Elsewhere: 3, Prefer: []policy.PartitionID{2}}, 1, true, 1.5},
		{policy.Stage{Elsewhere: 3, Prefer: []policy.PartitionID{2}}, 1, false, 1.5},
	} {
		if got := test.stage.Slowdown(test.p, 2, test.local); got != test.want {
			t.Errorf("%+v in partition %d, local %v: %v, want %v", test.stage, test.p, test.local, got, test.want)
		}
	}
}

func nodeValidate(t *testing.T) {
	for _, test := range []struct {
		change func(*policy.Node)
		want   string
	}{
		{func(*policy.Node) {}, ""},
		{func(n *policy.Node) { n.ID = 0 }, "ID 0"},
		{func(n *policy.Node) { n.Partition = 0 }, "partition 0"},
		{func(n *policy.Node) { n.Cores = 0 }, "0 cores"},
		{func(n *policy.Node) { n.Memory = -1 }, "-1 bytes"},
		{func(n *policy.Node) { n.Speed = 0 }, "speed 0"},
		{func(n *policy.Node) { n.Speed = math.NaN() }, "speed NaN"},
		{func(n *policy.Node) { n.Speed = math.Inf(1) }, "speed +Inf"},
	} {
		n := policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}
		test.change(&n)
		err := n.Validate()
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("node %+v: error %v, want one with %q", n, err, test.want)
		}
	}
}

func jsonRoundTrip(t *testing.T) {
	c := policy.Copy{Task: policy.Task{Job: 1, Stage: 2, Index: 3}, N: 4}
	msg := policy.Msg{Kind: 1, Count: 2, Copy: c, Seq: math.MaxUint64, Value: 0.1, Data: []byte{0, 255}}
	job := &policy.Job{
		ID: 1, Submitted: math.MaxInt64, At: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC),
		Attrs: []policy.Attr{{Name: "user", Value: "ü"}},
		Stages: []policy.Stage{{
			Tasks: 1, Cores: 2, Memory: math.MaxInt64, Gang: true, Reads: []policy.Dep{{Stage: 1, Pipe: true}},
			Prefer: []policy.PartitionID{1, 2}, Elsewhere: 1.5, Holders: []policy.NodeID{1, 0}, Saves: true, Reload: 7,
		}},
		Queue: "q", Priority: -1.5, SLO: &policy.SLO{Deadline: 5, Utility: 0.3}, Inputs: &policy.Inputs{Jobs: []policy.JobID{9}, Wait: true},
	}
	events := []policy.Event{
		{Time: math.MinInt64, Kind: policy.Submitted, More: true, Replay: true, Again: true, Idle: true, Copy: c, Job: job},
		{Time: 1, Kind: policy.Started, Copy: c, Partition: 5, Gang: []policy.Share{{Node: 1, Tasks: 2}}, Service: math.MaxInt64, Value: 1.0 / 3},
		{Kind: policy.Killed, Copy: c, Node: 1, Saved: math.MaxInt64},
		{Kind: policy.Ended, Outcome: policy.Stalled},
		{Kind: policy.Joined, Node: 3, Info: &policy.Node{ID: 3, Partition: 1, Cores: 1, Memory: 5, Speed: 0.1}},
		{Kind: policy.Arrived, Node: 3, Msg: msg},
	}
	for _, want := range events {
		var got policy.Event
		roundTrip(t, want, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("event (-want +got):\n%s", diff)
		}
	}
	action := policy.Action{Kind: policy.Kill, Save: true, Copy: c, Node: 1, Partition: 2, At: math.MaxInt64, Msg: msg}
	var got policy.Action
	roundTrip(t, action, &got)
	if diff := cmp.Diff(action, got); diff != "" {
		t.Errorf("action (-want +got):\n%s", diff)
	}
}

func roundTrip(t *testing.T, from, to any) {
	t.Helper()
	text, err := json.Marshal(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, to); err != nil {
		t.Fatal(err)
	}
}

// What goes on from a save works when it has reloaded; nothing else does.
func TestBegan(t *testing.T) {
	s := policy.Stage{Saves: true, Reload: 7}
	for want, ev := range map[policy.Time]policy.Event{
		100: {Time: 100, Kind: policy.Started},
		77:  {Time: 100, Kind: policy.Started, Service: 30},
		70:  {Time: 100, Kind: policy.Started, Service: 30, Replay: true},
		60:  {Time: 100, Kind: policy.Resumed, Service: 40},
	} {
		if got := s.Began(&ev); got != want {
			t.Errorf("%v with %v of service, replay %v: began at %d, want %d", ev.Kind, ev.Service, ev.Replay, got, want)
		}
	}
}

func TestKindsHaveNames(t *testing.T) {
	for k := policy.Submitted; k <= policy.Restored; k++ {
		var got policy.EventKind
		if text, err := k.MarshalText(); err != nil || got.UnmarshalText(text) != nil || got != k || string(text) != k.String() {
			t.Errorf("event kind %d is written as %q, error %v, and read as %v", k, text, err, got)
		}
	}
	for k := policy.Start; k <= policy.Wake; k++ {
		var got policy.ActionKind
		if text, err := k.MarshalText(); err != nil || got.UnmarshalText(text) != nil || got != k {
			t.Errorf("action kind %d is written as %q, error %v, and read as %v", k, text, err, got)
		}
	}
	for o := policy.Done; o <= policy.TimedOut; o++ {
		var got policy.Outcome
		if text, err := o.MarshalText(); err != nil || got.UnmarshalText(text) != nil || got != o {
			t.Errorf("outcome %d is written as %q, error %v, and read as %v", o, text, err, got)
		}
	}
	if _, err := policy.EventKind(0).MarshalText(); err == nil {
		t.Error("event kind 0 has a text, want an error")
	}
	if _, err := (policy.Restored + 1).MarshalText(); err == nil {
		t.Error("the event kind after the last has a text, want an error")
	}
	var k policy.EventKind
	if err := k.UnmarshalText([]byte("started")); err == nil || k != 0 {
		t.Errorf("the text %q is read as %v, error %v; want an error", "started", k, err)
	}
	if got, want := policy.ActionKind(77).String(), "ActionKind(77)"; got != want {
		t.Errorf("String of an unknown kind is %q, want %q", got, want)
	}
}

func TestStageUnits(t *testing.T) {
	bag := policy.Stage{Tasks: 6, Cores: 2}
	gang := bag
	gang.Gang = true
	units := func(s policy.Stage) [3]int64 { return [3]int64{int64(s.Units()), int64(s.UnitTasks()), s.Width()} }
	if got, want := [...][3]int64{units(bag), units(gang)}, [...][3]int64{{6, 1, 2}, {1, 6, 12}}; got != want {
		t.Errorf("units, tasks of each and width of a bag and a gang: %v, want %v", got, want)
	}
	widest := policy.Stage{Tasks: math.MaxUint32, Cores: math.MaxInt32, Gang: true}
	if got, want := widest.Width(), int64(math.MaxUint32)*math.MaxInt32; got != want {
		t.Errorf("width of the widest gang is %d, want %d", got, want)
	}
}

// A job's calendar runs with the host's clock, from its own submission if that is known.
func TestCalendar(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	j := policy.Job{Submitted: 100e9, At: noon}
	if got := j.Calendar(160e9); !got.Equal(noon.Add(time.Minute)) {
		t.Errorf("a minute after noon it is %v", got)
	}
	j.At = time.Time{}
	if got, want := j.Calendar(60e9), time.Date(1970, 1, 1, 0, 1, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("a minute after the epoch it is %v, want %v", got, want)
	}
}

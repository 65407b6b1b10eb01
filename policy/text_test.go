package policy_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"example.com/augur/policy"
)

// Actions and events are written as a person would say them, and what is set is said.
func TestText(t *testing.T) {
	c := policy.Copy{Task: policy.Task{Job: 1, Index: 3}}
	at := policy.Time(12500 * time.Millisecond)
	for _, test := range []struct {
		of   fmt.Stringer
		want string
	}{
		{policy.Action{Kind: policy.Start, Copy: c, Node: 7}, "start 1/0/3#0 on node 7"},
		{policy.Action{Kind: policy.Start, Copy: c, Partition: 2}, "start 1/0/3#0 in partition 2"},
		{policy.Action{Kind: policy.Start, Copy: c}, "start 1/0/3#0"},
		{policy.Action{Kind: policy.Suspend, Copy: c}, "suspend 1/0/3#0"},
		{policy.Action{Kind: policy.Resume, Copy: c}, "resume 1/0/3#0"},
		{policy.Action{Kind: policy.Kill, Copy: c}, "kill 1/0/3#0"},
		{policy.Action{Kind: policy.Kill, Copy: c, Save: true}, "save and kill 1/0/3#0"},
		{policy.Action{Kind: policy.GiveUp, Copy: c}, "give up job 1"},
		{policy.Action{Kind: policy.Report, Copy: c, At: at}, "report 1/0/3#0 at 12.5 s"},
		{policy.Action{Kind: policy.Wake, At: at}, "wake at 12.5 s"},
		{policy.Action{Kind: policy.Wake, At: policy.Never}, "cancel the alarm"},
		{policy.Action{Kind: policy.Send, Node: 7, Msg: policy.Msg{Kind: 3}}, "send message 3 to node 7"},
		{policy.Action{Kind: policy.Post, Msg: policy.Msg{Kind: 3, Copy: c, Count: 2, Seq: 9, Value: math.NaN(), Data: []byte("ab")}},
			"post message 3 (copy 1/0/3#0, count 2, number 9, value NaN, 2 bytes) to the centre"},
		{policy.Action{Kind: 77}, "ActionKind(77)"},

		{policy.Event{Kind: policy.Submitted, Copy: c, Job: &policy.Job{Stages: make([]policy.Stage, 2)}, More: true}, "at 0 s: job 1 submitted with 2 stages, more follows"},
		{policy.Event{Kind: policy.Ready, Copy: c}, "at 0 s: stage 0 of job 1 ready"},
		{policy.Event{Kind: policy.Ended, Copy: c, Outcome: policy.TimedOut}, "at 0 s: job 1 ended, TimedOut"},
		{policy.Event{Kind: policy.Joined, Node: 7, Info: &policy.Node{Cores: 4}}, "at 0 s: node 7 joined with 4 cores"},
		{policy.Event{Kind: policy.Left, Node: 7}, "at 0 s: node 7 left"},
		{policy.Event{Kind: policy.Arrived, Msg: policy.Msg{Kind: 3}}, "at 0 s: message 3 from the centre"},
		{policy.Event{Kind: policy.Woken, Time: at}, "at 12.5 s: woken"},
		{policy.Event{Kind: policy.Started, Copy: c, Node: 7, Devices: 5}, "at 0 s: started 1/0/3#0 on node 7 with devices 0,2"},
		{policy.Event{Kind: policy.Refused, Copy: c, Partition: 2, Again: true}, "at 0 s: refused 1/0/3#0 in partition 2, to be started again"},
		{&policy.Event{Kind: policy.Finished, Time: at, Copy: c, Node: 7, Service: 5 * time.Second}, "at 12.5 s: finished 1/0/3#0 on node 7, service 5 s"},
		{policy.Event{Kind: policy.Killed, Copy: c, Service: 5 * time.Second, Saved: time.Second, Idle: true, Replay: true,
			Gang: []policy.Share{{Node: 7, Tasks: 2, Devices: 1}, {Node: 8, Tasks: 1}}},
			"at 0 s: killed 1/0/3#0 on 2 × node 7 with devices 0, 1 × node 8, service 5 s, saved 1 s, held no cores, replayed"},
		{policy.Event{Kind: policy.Progress, Copy: c, Node: 7, Service: 5 * time.Second, Value: 0.25}, "at 0 s: progress of 1/0/3#0 on node 7, service 5 s, 25 % done"},
	} {
		if got := fmt.Sprintf("%v", test.of); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

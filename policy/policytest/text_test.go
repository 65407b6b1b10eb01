package policytest

import (
	"testing"

	"example.com/augur/policy"
)

// Stories name copies as the texts beside them do, and say otherwise what JSON says.
func TestStoriesNameCopies(t *testing.T) {
	c := policy.Copy{Task: policy.Task{Job: 1}}
	gone := policy.Copy{Task: policy.Task{Job: 12, Stage: 3, Index: 4}, N: 5}
	for _, test := range []struct{ got, want string }{
		{tell(&policy.Event{Time: 7, Kind: policy.Started, Replay: true, Copy: c, Gang: []policy.Share{{Node: 2, Tasks: 3}}, Job: &policy.Job{ID: 1}}),
			`{"t":7,"kind":"Started","replay":true,"copy":"1/0/0#0","gang":[{"node":2,"tasks":3}]}`},
		{tell(&policy.Event{Kind: policy.Arrived, Node: 2, Msg: policy.Msg{Kind: 1, Copy: gone, Data: []byte(`"copy":{}`)}}),
			`{"t":0,"kind":"Arrived","node":2,"msg":{"kind":1,"copy":"12/3/4#5","data":"ImNvcHkiOnt9"}}`},
		{tell(&policy.Event{Kind: policy.Woken}), `{"t":0,"kind":"Woken"}`},
		{text(&policy.Action{Kind: policy.Start, Copy: gone, Node: 1}), `{"kind":"Start","copy":"12/3/4#5","node":1}`},
	} {
		if test.got != test.want {
			t.Errorf("told as %s, want %s", test.got, test.want)
		}
	}
}

// Where two answers part, the text says what was told, and both from there on.
func TestShadowsThatDiffer(t *testing.T) {
	wake := func(at ...policy.Time) (list []policy.Action) {
		for _, t := range at {
			list = append(list, policy.Action{Kind: policy.Wake, At: t})
		}
		return list
	}
	const told = `at 2 s, the part on node 3, told {"t":2000000000,"kind":"Woken"}: `
	for _, test := range []struct {
		it, twin []policy.Action
		want     string
	}{
		{wake(1, 2), wake(1, 2), ""},
		{nil, nil, ""},
		{wake(1), nil, told + `it answers {"kind":"Wake","at":1}, and its shadow nothing`},
		{wake(1), wake(1, 2), told + `after 1 alike it answers nothing, and its shadow {"kind":"Wake","at":2}`},
		{wake(5), wake(1, 2, 3, 4, 5, 6), told + `it answers {"kind":"Wake","at":5}, and its shadow ` +
			`{"kind":"Wake","at":1}, {"kind":"Wake","at":2}, {"kind":"Wake","at":3}, {"kind":"Wake","at":4}, 2 more`},
	} {

		got := ""
		if err := differ(3, &policy.Event{Time: 2e9, Kind: policy.Woken}, test.it, test.twin); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("told as %q, want %q", got, test.want)
		}
	}
}

package policytest

import (
	"testing"

	"example.com/augur/policy"
)

// Where two answers part, the text says what was told, and both from there on.
func TestReplicasThatDiffer(t *testing.T) {
	wake := func(at ...policy.Time) (list []policy.Action) {
		for _, t := range at {
			list = append(list, policy.Action{Kind: policy.Wake, At: t})
		}
		return list
	}
	start := func(p policy.PartitionID) []policy.Action { return []policy.Action{{Kind: policy.Start, Partition: p}} }
	const told = `at 2 s, the part on node 3, told {"t":2000000000,"kind":"Woken"}: `
	for _, test := range []struct {
		it, twin []policy.Action
		want     string
	}{
		{wake(1, 2), wake(1, 2), ""},
		{nil, nil, ""},
		{wake(1), nil, told + `it answers {"kind":"Wake","at":1}, and its replica nothing`},
		{wake(1), wake(1, 2), told + `after 1 equal actions it answers nothing, and its replica {"kind":"Wake","at":2}`},
		{wake(5), wake(1, 2, 3, 4, 5, 6), told + `it answers {"kind":"Wake","at":5}, and its replica ` +
			`{"kind":"Wake","at":1}, {"kind":"Wake","at":2}, {"kind":"Wake","at":3}, {"kind":"Wake","at":4}, 2 more`},
		{start(1), start(2), told + `it answers {"kind":"Start","partition":1}, and its replica {"kind":"Start","partition":2}`},
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

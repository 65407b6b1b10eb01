package advise_test

import (
	"errors"
	"slices"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/baseline"
)

// scripted is a policy that answers the k-th event that it hears with the k-th list of actions.
type scripted struct {
	answers [][]policy.Action
	planned policy.Time
	refuses policy.JobID
	heard   []policy.Event
}

func (p *scripted) Step(ev *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	if ev.Kind == policy.Submitted && ev.Copy.Job == p.refuses {
		return actions, errors.New("refused")
	}
	k := len(p.heard)
	p.heard = append(p.heard, *ev)
	if k < len(p.answers) {
		actions = append(actions, p.answers[k]...)
	}
	return actions, nil
}

func (p *scripted) Planned(policy.JobID) (policy.Time, bool) { return p.planned, true }

// arrival is what a host tells of two cores and of job 1, of two tasks.
func arrival() []policy.Event {
	return []policy.Event{
		{Time: 1e9, Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 2, Speed: 1}},
		{Time: 1e9, Kind: policy.Submitted, Copy: job(1), Job: &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: 2, Cores: 1}}}, More: true},
		{Time: 1e9, Kind: policy.Ready, Copy: job(1)},
	}
}

func advisorRefusesInTime(t *testing.T) {
	first, second, again := job(1), job(1), job(1)
	second.Index, again.N = 1, 1
	start := func(c policy.Copy) policy.Action { return policy.Action{Kind: policy.Start, Copy: c} }
	kill := func(c policy.Copy) policy.Action { return policy.Action{Kind: policy.Kill, Copy: c} }
	for _, test := range []struct {
		name    string
		answers [][]policy.Action
		then    []policy.Event
		heard   []policy.Event // after arrival, by Time, Kind, Copy, Again, Replay, Devices and Partition
		orders  []policy.ActionKind
	}{
		{
			"a grant that is killed is refused at that instant",
			[][]policy.Action{{}, {}, {start(first)}, {kill(first)}},
			[]policy.Event{{Time: 5e9, Kind: policy.Woken}},
			[]policy.Event{{Time: 5e9, Kind: policy.Woken}, {Time: 5e9, Kind: policy.Refused, Copy: first, Again: true}}, nil,
		},
		{
			"the end of one task says nothing of another one's grant",
			[][]policy.Action{{}, {}, {start(first), start(second)}, {}, {kill(second)}},
			[]policy.Event{{Time: 2e9, Kind: policy.Started, Copy: first, Node: 1}, {Time: 5e9, Kind: policy.Finished, Copy: first}},
			[]policy.Event{
				{Time: 2e9, Kind: policy.Started, Copy: first}, {Time: 5e9, Kind: policy.Finished, Copy: first},
				{Time: 5e9, Kind: policy.Refused, Copy: second, Again: true},
			}, nil,
		},
		{
			"a job may be given up when it comes",
			[][]policy.Action{{}, {{Kind: policy.GiveUp, Copy: first}}}, nil, nil, []policy.ActionKind{policy.GiveUp},
		},
		{
			"orders about a job end with it",
			[][]policy.Action{{}, {{Kind: policy.GiveUp, Copy: first}}},
			[]policy.Event{{Time: 2e9, Kind: policy.Ended, Copy: first}},
			[]policy.Event{{Time: 2e9, Kind: policy.Ended, Copy: first}}, nil,
		},
		{
			"a host may say itself that it did so of its own accord",
			[][]policy.Action{{}, {}, {start(first)}},
			[]policy.Event{{Time: 2e9, Kind: policy.Started, Copy: first, Node: 1, Replay: true}},
			[]policy.Event{{Time: 2e9, Kind: policy.Started, Copy: first}}, nil,
		},
		{
			"a grant for a node that leaves is refused",
			[][]policy.Action{{}, {}, {{Kind: policy.Start, Copy: first, Node: 1}}},
			[]policy.Event{{Time: 2e9, Kind: policy.Left, Node: 1}},
			[]policy.Event{{Time: 2e9, Kind: policy.Left}, {Time: 2e9, Kind: policy.Refused, Copy: first, Again: true}}, nil,
		},
		{
			"a copy that starts elsewhere than it was granted is found there",
			[][]policy.Action{{}, {}, {{Kind: policy.Start, Copy: first, Node: 1}}},
			[]policy.Event{{Time: 2e9, Kind: policy.Joined, Node: 2, Info: &policy.Node{ID: 2, Partition: 1, Cores: 1, Speed: 1}}, {Time: 2e9, Kind: policy.Started, Copy: first, Node: 2, Partition: 7}},
			[]policy.Event{{Time: 2e9, Kind: policy.Joined}, {Time: 2e9, Kind: policy.Refused, Copy: first}, {Time: 2e9, Kind: policy.Started, Copy: first, Replay: true}}, nil,
		},
		{
			"a task that fails is not wanted again while it is granted, but once that is refused",
			[][]policy.Action{{}, {}, {start(first)}, {start(again)}},
			[]policy.Event{{Time: 2e9, Kind: policy.Started, Copy: first, Node: 1}, {Time: 3e9, Kind: policy.Failed, Copy: first, Again: true}, {Time: 4e9, Kind: policy.Refused, Copy: again}},
			[]policy.Event{{Time: 2e9, Kind: policy.Started, Copy: first}, {Time: 3e9, Kind: policy.Failed, Copy: first}, {Time: 4e9, Kind: policy.Refused, Copy: again, Again: true}}, nil,
		},
		{
			"what else is granted of a task that finishes is refused, and not wanted again",
			[][]policy.Action{{}, {}, {start(first)}, {start(again)}},
			[]policy.Event{{Time: 2e9, Kind: policy.Started, Copy: first, Node: 1}, {Time: 3e9, Kind: policy.Finished, Copy: first}},
			[]policy.Event{{Time: 2e9, Kind: policy.Started, Copy: first}, {Time: 3e9, Kind: policy.Finished, Copy: first}, {Time: 3e9, Kind: policy.Refused, Copy: again}}, nil,
		},
		{
			"a host need not say again which devices a copy has had",
			nil,
			[]policy.Event{{Time: 2e9, Kind: policy.Started, Copy: first, Node: 1, Devices: 0b101}, {Time: 3e9, Kind: policy.Finished, Copy: first}},
			[]policy.Event{{Time: 2e9, Kind: policy.Started, Copy: first, Replay: true, Devices: 0b101}, {Time: 3e9, Kind: policy.Finished, Copy: first, Devices: 0b101}}, nil,
		},
	} {
		p := &scripted{answers: test.answers}
		a := jobtest.Must(advise.New(p))
		observe(t, a, append(arrival(), test.then...)...)
		heard := p.heard[3:]
		if !slices.EqualFunc(heard, test.heard, func(a, b policy.Event) bool {
			return a.Time == b.Time && a.Kind == b.Kind && a.Copy == b.Copy && a.Again == b.Again && a.Replay == b.Replay && a.Devices == b.Devices && a.Partition == b.Partition
		}) {
			t.Errorf("%s: heard %+v, want %+v", test.name, heard, test.heard)
		}
		var orders []policy.ActionKind
		for _, o := range a.Orders() {
			orders = append(orders, o.Kind)
		}
		if !slices.Equal(orders, test.orders) {
			t.Errorf("%s: orders %v, want %v", test.name, orders, test.orders)
		}
		if ok, _ := a.Admit(1); ok {
			t.Errorf("%s: admitted", test.name)
		}
	}
}

func advisorAsksAgain(t *testing.T) {
	for _, test := range []struct {
		planned, alarm policy.Time
		want           policy.Duration
	}{{90e9, policy.Never, 89e9}, {90e9, 20e9, 19e9}, {90e9, 100e9, 89e9}, {90e9, 1e9, 1}, {90e9, 0, 1}, {90e9, -1e9, 1}, {1e9, 20e9, 19e9}} {
		a := jobtest.Must(advise.New(&scripted{planned: test.planned, answers: [][]policy.Action{{}, {}, {{Kind: policy.Wake, At: test.alarm}}}}))
		observe(t, a, arrival()...)
		if ok, again := a.Admit(1); ok || again != test.want {
			t.Errorf("plan for %v, alarm at %v: admitted %v, again after %v, want %v", test.planned, test.alarm, ok, again, test.want)
		}
	}
}

// Time does not go back behind a Woken that the policy has not asked for, and a job that the policy refuses is not there.
func TestObserve(t *testing.T) {
	a := jobtest.Must(advise.New(&scripted{refuses: 2, answers: [][]policy.Action{{}, {}, {{Kind: policy.Wake, At: 20e9}}}}))
	observe(t, a, append(arrival(), policy.Event{Time: 5e9, Kind: policy.Woken})...)
	if err := a.Observe(&policy.Event{Time: 4e9, Kind: policy.Woken}); err == nil {
		t.Error("time goes back, and there is no error")
	}
	early := &policy.Job{ID: 2, Submitted: -9e9, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}
	if err := a.Observe(&policy.Event{Time: 5e9, Kind: policy.Submitted, Copy: job(2), Job: early}); err == nil || a.Compare(2, 1) <= 0 {
		t.Errorf("error %v of a job that the policy refuses; against job 1 it is %d, want it last", err, a.Compare(2, 1))
	}
}

func advisorComparesGrantsFirst(t *testing.T) {
	a := jobtest.Must(advise.New(baseline.NewFair()))
	observe(t, a, append(arrival(),
		policy.Event{Time: 2e9, Kind: policy.Submitted, Copy: job(2), Job: &policy.Job{ID: 2, Submitted: 2e9, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}},
		policy.Event{Time: 2e9, Kind: policy.Ready, Copy: job(2)},
	)...)
	if ok, _ := a.Admit(2); ok || a.Compare(1, 2) >= 0 {
		t.Errorf("job 2 is admitted: %v; 1 against 2 is %d", ok, a.Compare(1, 2))
	}
}

// A node is scored by how fast it is, and by whether it is where the task should run, at the place of the first grant.
func TestScore(t *testing.T) {
	for _, test := range []struct {
		name  string
		grant []policy.Action
		want  [3]float64 // on nodes 1 to 3
	}{
		{"the stage that was Ready last", nil, [3]float64{0.25, 1, 0.5}},
		{"a grant for any node", []policy.Action{{Kind: policy.Start, Copy: job(1)}}, [3]float64{0.25, 1, 0.5}},
		{"a grant for a partition", []policy.Action{{Kind: policy.Start, Copy: job(1), Partition: 2}}, [3]float64{0, 1, 0}},
		{"a grant for a node", []policy.Action{{Kind: policy.Start, Copy: job(1), Node: 3}}, [3]float64{0, 0, 0.5}},
	} {
		a := jobtest.Must(advise.New(&scripted{answers: [][]policy.Action{{}, {}, {}, {}, test.grant}}))
		stage := policy.Stage{Tasks: 1, Cores: 1, Prefer: []policy.PartitionID{2}, Elsewhere: 2}
		observe(t, a,
			policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}},
			policy.Event{Kind: policy.Joined, Node: 2, Info: &policy.Node{ID: 2, Partition: 2, Cores: 1, Speed: 2}},
			policy.Event{Kind: policy.Joined, Node: 3, Info: &policy.Node{ID: 3, Partition: 1, Cores: 1, Speed: 2}},
			policy.Event{Kind: policy.Submitted, Copy: job(1), Job: &policy.Job{ID: 1, Stages: []policy.Stage{stage}}, More: true},
			policy.Event{Kind: policy.Ready, Copy: job(1)},
		)
		for i, want := range test.want {
			if got := a.Score(1, policy.NodeID(i+1)); got != want {
				t.Errorf("%s: node %d scores %v, want %v", test.name, i+1, got, want)
			}
		}
		if got := a.Score(1, 9) + a.Score(2, 1); got != 0 {
			t.Errorf("%s: what is not there scores %v, want 0", test.name, got)
		}
	}
}

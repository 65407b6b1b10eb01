package journal

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/augur/policy"
)

// What the simulated cluster does not show (package sim has the test against it): what each step leaves open, in a script.
func TestLedger(t *testing.T) {
	c := policy.Copy{Task: policy.Task{Job: 1}}
	d, e := policy.Copy{Task: c.Task, N: 1}, policy.Copy{Task: c.Task, N: 2}
	about := func(kind policy.EventKind) policy.Event { return policy.Event{Kind: kind, Copy: c, Node: 2} }
	do := func(kind policy.ActionKind) policy.Action { return policy.Action{Kind: kind, Copy: c} }
	save := policy.Action{Kind: policy.Kill, Copy: c, Save: true}
	post := policy.Action{Kind: policy.Post, Node: 2, Msg: policy.Msg{Kind: 7, Data: []byte("x")}}
	send := policy.Action{Kind: policy.Send, Node: 2, Msg: policy.Msg{Kind: 8, Data: []byte("x")}}
	var l Ledger
	say := func() string {
		var open []string
		for _, o := range l.Open() {
			what := o.Kind.String()
			if o.Save {
				what = "Save"
			}
			if o.At != 0 {
				what = fmt.Sprintf("%v at %d", o.Kind, o.At)
			}
			open = append(open, what)
		}
		if part, at, ok := l.Alarm(); ok {
			open = append(open, fmt.Sprintf("alarm of %d at %d", part, at))
		}
		if ev, ok := l.Unheard(); ok {
			open = append(open, "unheard "+ev.Kind.String())
		}
		return strings.Join(open, ", ")
	}
	for i, step := range []struct {
		part    policy.NodeID
		ev      policy.Event
		actions []policy.Action
		next    []policy.ActionKind // that Next returns then
		want    string
	}{
		{0, policy.Event{Kind: policy.Submitted, Copy: c}, nil, nil, ""},
		{2, policy.Event{Kind: policy.Joined, Node: 2, Info: &policy.Node{ID: 2}}, []policy.Action{{Kind: policy.Wake, At: 9}}, nil, "alarm of 2 at 9, unheard Joined"},
		{0, policy.Event{Kind: policy.Joined, Node: 2}, []policy.Action{{Kind: policy.Wake, At: 9}, post, send}, []policy.ActionKind{policy.Post, policy.Send}, "Send, alarm of 0 at 9"},
		{0, policy.Event{Kind: policy.Woken, Time: 8}, nil, nil, "Send, alarm of 0 at 9"}, // a time to try again
		{0, policy.Event{Kind: policy.Woken, Time: 9}, nil, nil, "Send, alarm of 2 at 9"},
		{2, policy.Event{Kind: policy.Arrived, Msg: policy.Msg{Kind: 8, Data: []byte("y")}}, nil, nil, "Send, alarm of 2 at 9"}, // another one
		{2, policy.Event{Kind: policy.Arrived, Msg: send.Msg}, []policy.Action{{Kind: policy.Wake, At: policy.Never}, do(policy.Start), do(policy.Suspend)}, []policy.ActionKind{policy.Start, policy.Suspend}, "Start, Suspend"},
		{2, about(policy.Started), []policy.Action{do(policy.Resume)}, []policy.ActionKind{policy.Resume}, "Resume, unheard Started"},
		{2, about(policy.Suspended), nil, nil, "Resume, unheard Started"}, // the Suspend was carried out before
		{2, policy.Event{Kind: policy.Suspended, Copy: c, Node: 2, Idle: true}, nil, nil, "unheard Started"},
		{0, about(policy.Started), nil, nil, "unheard Suspended"}, // and it stands nevertheless
		{0, about(policy.Suspended), nil, nil, "unheard Suspended"},
		{2, policy.Event{Kind: policy.Woken}, []policy.Action{do(policy.Suspend)}, nil, "unheard Suspended"},
		{2, policy.Event{Kind: policy.Woken}, []policy.Action{do(policy.Resume), do(policy.Suspend), do(policy.Resume), save, save}, []policy.ActionKind{policy.Resume, policy.Kill}, "Resume, Save, unheard Suspended"},
		{2, policy.Event{Kind: policy.Woken}, []policy.Action{save}, nil, "Resume, Save, unheard Suspended"},
		{2, policy.Event{Kind: policy.Woken}, []policy.Action{do(policy.Kill), do(policy.Kill), save}, []policy.ActionKind{policy.Kill}, "Resume, Kill, unheard Suspended"},
		{2, about(policy.Finished), nil, nil, "unheard Suspended"},
		{0, about(policy.Suspended), []policy.Action{do(policy.Kill), do(policy.GiveUp), do(policy.GiveUp)}, []policy.ActionKind{policy.GiveUp}, "GiveUp, unheard Finished"},
		{0, about(policy.Killed), nil, nil, "GiveUp"}, // it lost a race
		{2, policy.Event{Kind: policy.Woken}, []policy.Action{{Kind: policy.Start, Copy: d}}, []policy.ActionKind{policy.Start}, "GiveUp, Start"},
		{2, policy.Event{Kind: policy.Started, Copy: d, Node: 2}, nil, nil, "GiveUp, unheard Started"},
		{2, policy.Event{Kind: policy.Failed, Copy: d, Node: 2}, nil, nil, "GiveUp, unheard Started"},
		{0, policy.Event{Kind: policy.Started, Copy: d, Node: 2}, []policy.Action{{Kind: policy.Kill, Copy: d}}, nil, "GiveUp, unheard Failed"}, // it has ended
		{0, policy.Event{Kind: policy.Failed, Copy: d, Node: 2}, []policy.Action{send, {Kind: policy.Wake, At: 4}}, []policy.ActionKind{policy.Send}, "GiveUp, Send, alarm of 0 at 4"},
		{2, policy.Event{Kind: policy.Woken}, []policy.Action{{Kind: policy.Start, Copy: e}}, []policy.ActionKind{policy.Start}, "GiveUp, Send, Start, alarm of 0 at 4"},
		{2, policy.Event{Kind: policy.Started, Copy: e, Node: 2}, []policy.Action{{Kind: policy.Kill, Copy: e, Save: true}, {Kind: policy.Kill, Copy: e}}, []policy.ActionKind{policy.Kill},
			"GiveUp, Send, Kill, alarm of 0 at 4, unheard Started"}, // after the job's end
		{0, about(policy.Ended), []policy.Action{do(policy.GiveUp)}, nil, "Send, Kill, alarm of 0 at 4"},
		{2, policy.Event{Kind: policy.Joined, Node: 2}, []policy.Action{{Kind: policy.Wake, At: 7}}, nil, "alarm of 0 at 4, unheard Joined"}, // the message is lost
		{0, policy.Event{Kind: policy.Woken}, []policy.Action{send, {Kind: policy.Wake, At: policy.Never}}, []policy.ActionKind{policy.Send}, "Send, alarm of 2 at 7, unheard Joined"},
		{0, policy.Event{Kind: policy.Left, Node: 2}, nil, nil, "Send, alarm of 2 at 7, unheard Joined"}, // of the life before
		{0, policy.Event{Kind: policy.Joined, Node: 2}, nil, nil, "alarm of 2 at 7"},                     // it was sent to that
		{2, policy.Event{Kind: policy.Woken}, []policy.Action{do(policy.Start), {Kind: policy.Report, Copy: c, At: 9}, {Kind: policy.Report, Copy: c, At: 5}},
			[]policy.ActionKind{policy.Start, policy.Report, policy.Report}, "Start, Report at 9, Report at 5, alarm of 2 at 7"},
		{2, about(policy.Started), nil, nil, "Report at 9, Report at 5, alarm of 2 at 7"}, // the centre does not hear of a job that has ended
		{2, about(policy.Progress), nil, nil, "Report at 9, alarm of 2 at 7"},
		{0, policy.Event{Kind: policy.Left, Node: 2}, nil, nil, ""},
	} {
		l.note(step.part, &step.ev, step.actions, true)
		var next []policy.ActionKind
		for o, ok := l.Next(); ok; o, ok = l.Next() {
			next = append(next, o.Kind)
		}
		if got := say(); got != step.want || !slices.Equal(next, step.next) {
			t.Errorf("step %d, %v for part %d: open are %q, and Next returns %v, want %q and %v", i, step.ev.Kind, step.part, got, next, step.want, step.next)
		}
	}
	l.note(0, &policy.Event{Kind: policy.Woken, Time: 5}, []policy.Action{post}, false)
	if got := say(); got != "" {
		t.Errorf("restored: open are %q, want nothing: a Post of before a restart is lost", got)
	}
}

// A Ledger is that of the policy that is there: it is empty when a new one is made. What the host's slice held before a step
// is not owed.
func TestLedgerIsRenewed(t *testing.T) {
	var l Ledger
	wants := policy.Action{Kind: policy.Send, Node: 1}
	c := Config{Ledger: &l, New: func(map[string][]byte) (policy.Scheduler, error) { return wanting{wants}, nil }}
	f := new(memory)
	j := opened(t, f, c)
	if _, err := j.Step(0, submitted(1), []policy.Action{wants}); err != nil || len(l.Open()) != 1 {
		t.Fatalf("error %v, %d are open, want 1", err, len(l.Open()))
	}
	ok(t, j.Renew(func(next *Journal) error {
		if n := len(l.Open()); n != 0 {
			t.Errorf("%d are open as it begins anew, want 0", n)
		}
		return tell(next, &policy.Event{Time: 1, Kind: policy.Restored})
	}))
	if _, err := open(f, c); err != nil || len(l.Open()) != 1 {
		t.Errorf("opened again: error %v, %d are open, want the 1 of Restored", err, len(l.Open()))
	}
}

// wanting answers every event with an action.
type wanting struct{ action policy.Action }

func (w wanting) Step(_ *policy.Event, actions []policy.Action) ([]policy.Action, error) {
	return append(actions, w.action), nil
}

// What is answered before Next has returned it, as all past orders are while Open replays a journal, is not kept.
func TestLedgerKeepsNoPast(t *testing.T) {
	var l Ledger
	l.note(0, &policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: 1}}}, nil, false)
	for i := range uint32(100_000) {
		c := policy.Copy{Task: policy.Task{Job: 1, Index: i}}
		l.note(0, &policy.Event{Kind: policy.Woken}, []policy.Action{{Kind: policy.Start, Copy: c}}, false)
		if i%1000 > 0 {
			l.note(0, &policy.Event{Kind: policy.Refused, Copy: c}, nil, false)
		}
	}
	if n := len(l.fresh); n < 100 || n > 300 {
		t.Errorf("it keeps %d orders, want the 100 open ones and at most 200 others", n)
	}
	for i := range uint32(100) {
		if o, ok := l.Next(); !ok || o.Copy.Index != 1000*i {
			t.Fatalf("Next returns %v, %t, want the Start of task %d", o, ok, 1000*i)
		}
	}
	if o, ok := l.Next(); ok {
		t.Errorf("Next returns %v, want nothing", o)
	}
}

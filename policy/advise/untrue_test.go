package advise_test

import (
	"strings"
	"testing"

	"example.com/augur/internal/hostile"
	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/baseline"
)

// An Advisor refuses time that goes back, and Again where the task needs no other Start; nothing has changed then.
func TestAdvisorRefusesTheUntrue(t *testing.T) {
	first, again := job(1), job(1)
	again.N = 1
	for _, tt := range []struct {
		name string
		ev   policy.Event
		want string
	}{
		{"time goes back", policy.Event{Time: 2e9 - 1, Kind: policy.Finished, Copy: first}, "time never goes back"},
		{"the alarm of the past", policy.Event{Time: -1e18, Kind: policy.Woken}, "time never goes back"},
		{"again, though finished", policy.Event{Time: 2e9, Kind: policy.Finished, Copy: first, Again: true}, "needs no other Start"},
		{"again, though another copy runs", policy.Event{Time: 2e9, Kind: policy.Failed, Copy: first, Again: true}, "needs no other Start"},
	} {
		a := must(advise.New(baseline.NewFIFO()))
		for _, ev := range append(arrival(),
			policy.Event{Time: 2e9, Kind: policy.Started, Copy: first, Node: 1}, policy.Event{Time: 2e9, Kind: policy.Started, Copy: again, Node: 1},
		) {
			if err := a.Observe(&ev); err != nil {
				t.Fatal(err)
			}
		}
		before := hostile.Dump(a)
		if err := a.Observe(&tt.ev); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
		if after := hostile.Dump(a); after != before {
			t.Errorf("%s: the Advisor has changed:\n%s\nbefore:\n%s", tt.name, after, before)
		}
	}
}

// Who observes nothing is told so.
func TestAdvisorRefusesNil(t *testing.T) {
	a := must(advise.New(baseline.NewFIFO()))
	before := hostile.Dump(a)
	if err := a.Observe(nil); err == nil || !strings.Contains(err.Error(), "an event that is nil") {
		t.Errorf("error %v, want one that says that the event is nil", err)
	}
	if after := hostile.Dump(a); after != before {
		t.Errorf("the Advisor has changed:\n%s\nbefore:\n%s", after, before)
	}
}

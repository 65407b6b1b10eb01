package threesigma_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/central"
	"example.com/augur/policy/forecast"
	"example.com/augur/policy/threesigma"
)

// A host that asks a advise.Advisor when to come back is told the time that the plan has for its job, if
// that is before the next cycle.
func TestAdvisorTellsThePlan(t *testing.T) {
	b := &book{of: map[policy.JobID]central.Distribution{1: forecast.Known(15), 2: forecast.Known(3)}}
	s := must(t, threesigma.NewScheduler, threesigma.Config{Forecast: b, Window: threesigma.Window{Width: 1}})
	a, err := advise.New(s)
	if err != nil {
		t.Fatal(err)
	}
	tell := func(at policy.Time, ev policy.Event) {
		t.Helper()
		ev.Time = at
		if err := a.Observe(&ev); err != nil {
			t.Fatal(err)
		}
	}
	submit := func(at policy.Time, c policy.Copy) {
		t.Helper()
		j := gang(c.Job, at.Seconds(), 1, 0, 1000).Job
		j.Stages[0].Gang = false
		tell(at, policy.Event{Kind: policy.Submitted, Copy: c, Job: &j})
		tell(at, policy.Event{Kind: policy.Ready, Copy: c})
	}
	one, two := policy.Copy{Task: policy.Task{Job: 1}}, policy.Copy{Task: policy.Task{Job: 2}}
	tell(0, policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
	submit(0, one)
	tell(10e9, policy.Event{Kind: policy.Woken})
	if ok, _ := a.Admit(1); !ok {
		t.Fatal("job 1 may not start at 10 s")
	}
	tell(10e9, policy.Event{Kind: policy.Started, Copy: one, Node: 1})
	submit(10e9, two)
	tell(20e9, policy.Event{Kind: policy.Woken})
	// Job 1 ends at 25 s, and the next cycle is at 30 s.
	if ok, again := a.Admit(2); ok || again != 5*second {
		t.Errorf("job 2 may start: %v, and else in %v, want in 5s", ok, again)
	}
	if at, ok := s.Planned(2); at != 25e9 || !ok {
		t.Errorf("job 2 is planned for %v, %v, want 25 s", at, ok)
	}
	if at, ok := s.Planned(1); ok {
		t.Errorf("job 1, which runs, is planned for %v", at)
	}
}

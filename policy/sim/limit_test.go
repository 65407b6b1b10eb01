package sim_test

import (
	"fmt"
	"slices"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
	"example.com/augur/policy/sim"
	"example.com/augur/policy/workload"
)

// A job ends as TimedOut when a copy has run for the requested time, and not when it takes just that, waits, is suspended, or
// requests none.
func TestLimited(t *testing.T) {
	limited := false
	request := func(j *workload.Job, d policy.Duration) *workload.Job {
		j.Requested, j.Limited = d, limited
		return j
	}
	jobs := func() []*workload.Job {
		return []*workload.Job{
			request(bag(1, 0, 5*s, 30*s), 10*s), // its second task runs over
			request(bag(2, s, 10*s), 10*s),
			bag(3, 2*s, 99*s),
			request(bag(4, 3*s, 30*s), 20*s),
		}
	}
	for _, delay := range []policy.Duration{0, s} {
		config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2}), Delay: delay}
		for _, j := range run(t, config, baseline.NewFIFO(), jobs()...).Jobs {
			if !j.Done() {
				t.Errorf("without limits job %d ends as %v", j.ID, j.Outcome)
			}
		}
		limited = true
		r := run(t, config, baseline.NewFIFO(), jobs()...)
		limited = false
		var got []string
		for _, j := range r.Jobs {
			got = append(got, fmt.Sprintf("%v %v", j.Outcome, j.Service))
		}
		if want := []string{"TimedOut 15", "Done 10", "Done 99", "TimedOut 20"}; !slices.Equal(got, want) {
			t.Errorf("delay %v: got %v, want %v", delay, got, want)
		}
		if m := r.Metrics(); m.Done != 2 || m.Failed != 2 || m.TimedOut != 2 {
			t.Errorf("delay %v: %d done, %d failed, %d timed out; want 2 of each", delay, m.Done, m.Failed, m.TimedOut)
		}
	}
}

// A copy that waits for the end of what it reads through a pipe runs on, so its limit counts; the time for which a copy stands
// does not, and a copy that breaks before its limit breaks.
func TestWhatCountsForTheLimit(t *testing.T) {
	piped := workload.Job{Job: policy.Job{ID: 1, Requested: 10 * s, Limited: true, Stages: []policy.Stage{{Tasks: 1, Cores: 1}, {Tasks: 1, Cores: 1, Reads: []policy.Dep{{Stage: 0, Pipe: true}}}}},
		Runtimes: [][]policy.Duration{{9 * s}, {s}}}
	stands := bag(1, 0, 9*s)
	stands.Requested, stands.Limited = 10*s, true
	suspends := quiet(func(ev *policy.Event) []policy.Action { // what the second stage reads through the pipe, if there is one
		switch {
		case isReady(ev, 1, 0):
			return list(startOn(1, task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: at(4)})
		case isReady(ev, 1, 1):
			return list(startOn(1, task(1, 1, 0), 0))
		case ev.Kind == policy.Woken && ev.Time == at(4):
			return list(do(policy.Suspend, task(1, 0, 0), 0), policy.Action{Kind: policy.Wake, At: at(50)})
		case ev.Kind == policy.Woken:
			return list(do(policy.Resume, task(1, 0, 0), 0))
		}
		return nil
	})
	for _, test := range []struct {
		name      string
		job       *workload.Job
		requested policy.Duration
		p         policy.Scheduler
		want      string
	}{
		{"a pipe in time", &piped, 9 * s, baseline.NewFIFO(), "Done 9s"},
		{"a pipe", &piped, 8 * s, baseline.NewFIFO(), "TimedOut 8s"},
		{"a pipe that is suspended", &piped, 10 * s, suspends, "TimedOut 10s"},
		{"a suspended copy", stands, 9 * s, suspends, "Done 55s"},
		{"the same, too long", stands, 8 * s, suspends, "TimedOut 54s"},
	} {
		test.job.Requested, test.job.Limited = test.requested, test.requested > 0
		j := run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 2})}, test.p, test.job).Jobs[0]
		if got := fmt.Sprint(j.Outcome, " ", j.JCT()); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
	broken := bag(1, 0, 30*s)
	broken.Requested, broken.Limited = 20*s, true
	r := run(t, sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: 1, Cores: 1}), Faults: sim.Faults{Seed: 3, TaskFailure: 1}}, baseline.NewFIFO(), broken)
	if r.Faults.Failures == 0 {
		t.Errorf("no copy broke before its limit: %+v", r.Jobs[0])
	}
}

// Further copies of a task share its limit, which counts from the first of them: the task takes 90 s on the first node,
// and half as long as it may on the others. The job goes on while one of its copies has time left.
func TestLimitOfCopies(t *testing.T) {
	kill := func(n uint32) policy.Action { return do(policy.Kill, task(1, 0, 0), n) }
	for _, test := range []struct {
		name  string
		steps map[policy.Time][]policy.Action
		want  string
	}{
		{"a copy in time", map[policy.Time][]policy.Action{at(5): list(startOn(2, task(1, 0, 0), 1))}, "Done 10s"},
		{"a copy too late", map[policy.Time][]policy.Action{at(6): list(startOn(2, task(1, 0, 0), 1))}, "TimedOut 10s"},
		{"a copy after the limit is none", map[policy.Time][]policy.Action{at(15): list(startOn(2, task(1, 0, 0), 1))}, "TimedOut 10s"},
		{"a copy of a copy", map[policy.Time][]policy.Action{
			at(6): list(startOn(1, task(1, 0, 0), 1)), at(7): list(kill(0), startOn(2, task(1, 0, 0), 2)),
		}, "TimedOut 10s"},
		{"a copy beside one that stands", map[policy.Time][]policy.Action{
			at(4): list(do(policy.Suspend, task(1, 0, 0), 0)), at(20): list(startOn(2, task(1, 0, 0), 1)),
		}, "Done 25s"},
		{"a retry starts anew", map[policy.Time][]policy.Action{
			at(6): list(kill(0)), at(7): list(startOn(2, task(1, 0, 0), 1)),
		}, "Done 12s"},
	} {
		j := bag(1, 0, 5*s)
		j.Requested, j.Limited = 10*s, true
		p := quiet(func(ev *policy.Event) (actions []policy.Action) {
			switch {
			case isReady(ev, 1, 0):
				actions = list(startOn(1, task(1, 0, 0), 0))
			case ev.Kind == policy.Woken:
				actions = test.steps[ev.Time]
			default:
				return nil
			}
			for next := ev.Time + at(1); next <= at(20); next += at(1) {
				if _, ok := test.steps[next]; ok {
					return append(actions, policy.Action{Kind: policy.Wake, At: next})
				}
			}
			return actions
		})
		nodes := sim.Cluster(sim.Partition{Nodes: 1, Cores: 2, Speed: 1. / 18}, sim.Partition{Nodes: 1, Cores: 1})
		r := run(t, sim.Config{Nodes: nodes}, p, j).Jobs[0]
		if got := fmt.Sprint(r.Outcome, " ", r.JCT()); got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, got, test.want)
		}
	}
}

package preempt

import (
	"fmt"
	"testing"
	"time"

	"example.com/augur/policy"
)

// steady drives a policy in the steady state. Something that can be saved runs on one of two cores. On the other a job starts and
// ends, while so many wait.
func steady(tb testing.TB, s policy.Scheduler, jobs int) (step func()) {
	now := policy.Time(0)
	var actions []policy.Action
	var ev policy.Event
	send := func(next policy.Event) {
		var err error
		ev = next
		ev.Time = now
		if actions, err = s.Step(&ev, actions[:0]); err != nil {
			tb.Fatal(err)
		}
	}
	send(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 2, Speed: 1}})
	list := make([]policy.Job, jobs+2)
	submit := func(i int) {
		list[i] = policy.Job{ID: policy.JobID(i + 1), Submitted: now, Stages: []policy.Stage{{Tasks: 1 << 20, Cores: 1, Saves: true, Reload: time.Second}}}
		send(policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: list[i].ID}}, Job: &list[i], More: true})
		send(policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: list[i].ID}}, More: i < jobs-1})
	}
	for i := range jobs {
		submit(i)
	}
	starts := make([]policy.Copy, 0, 2)
	for _, a := range actions {
		if a.Kind == policy.Start {
			starts = append(starts, a.Copy)
		}
	}
	for _, c := range starts {
		send(policy.Event{Kind: policy.Started, Copy: c, Node: 1})
	}
	last := starts[1]
	return func() {
		now += 1e6
		send(policy.Event{Kind: policy.Finished, Copy: last, Node: 1, Service: 1e6})
		for _, a := range actions {
			if a.Kind == policy.Start {
				last = a.Copy
			}
		}
		send(policy.Event{Kind: policy.Started, Copy: last, Node: 1})
	}
}

// A step with a plan allocates nothing.
func TestStepAllocatesNothing(t *testing.T) {
	s, _, err := scheduler(byIndex, Config{})
	if err != nil {
		t.Fatal(err)
	}
	step := steady(t, s, 100)
	for range 1000 {
		step()
	}
	if n := testing.AllocsPerRun(1000, step); n > 0 {
		t.Errorf("a step allocates %v times, want none", n)
	}
}

// A task is two events, an action and two plans.
func BenchmarkTask(b *testing.B) {
	for _, jobs := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			s, _, err := scheduler(byIndex, Config{})
			if err != nil {
				b.Fatal(err)
			}
			step := steady(b, s, jobs)
			b.ReportAllocs()
			for b.Loop() {
				step()
			}
		})
	}
}

package preempt

import (
	"fmt"
	"testing"
	"time"

	"example.com/augur/policy"
	"example.com/augur/policy/baseline"
)

// steady drives a policy in the steady state. Tasks of two cores that can be saved run on so many cores, and the last of them ends
// and another starts in its place, while so many jobs wait.
func steady(tb testing.TB, s policy.Scheduler, cores int32, jobs int) (step func()) {
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
	send(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: cores, Speed: 1}})
	list := make([]policy.Job, jobs)
	submit := func(i int) {
		list[i] = policy.Job{ID: policy.JobID(i + 1), Submitted: now, Stages: []policy.Stage{{Tasks: 1 << 20, Cores: 2, Saves: true, Reload: time.Second}}}
		send(policy.Event{Kind: policy.Submitted, Copy: policy.Copy{Task: policy.Task{Job: list[i].ID}}, Job: &list[i], More: true})
		send(policy.Event{Kind: policy.Ready, Copy: policy.Copy{Task: policy.Task{Job: list[i].ID}}, More: i < jobs-1})
	}
	for i := range jobs {
		submit(i)
	}
	var starts []policy.Copy
	for _, a := range actions {
		if a.Kind == policy.Start {
			starts = append(starts, a.Copy)
		}
	}
	for _, c := range starts {
		send(policy.Event{Kind: policy.Started, Copy: c, Node: 1})
	}
	last := starts[len(starts)-1]
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

// A step with a plan allocates nothing, whether a core stays idle or none.
func TestStepAllocatesNothing(t *testing.T) {
	for _, cores := range []int32{4, 5} {
		s, _, err := scheduler(byIndex, Config{})
		if err != nil {
			t.Fatal(err)
		}
		step := steady(t, s, cores, 100)
		for range 1000 {
			step()
		}
		if n := testing.AllocsPerRun(1000, step); n > 0 {
			t.Errorf("%d cores: a step allocates %v times, want none", cores, n)
		}
	}
}

// A task is two events, an action and two plans. Of 64 cores none is idle, and of 65 always one.
func BenchmarkTask(b *testing.B) {
	for _, cores := range []int32{64, 65} {
		for _, jobs := range []int{1000, 10_000, 100_000} {
			for _, fill := range []string{"preempt", "EASY"} {
				b.Run(fmt.Sprintf("cores=%d/jobs=%d/%s", cores, jobs, fill), func(b *testing.B) {
					s, _, err := scheduler(byIndex, Config{})
					if fill == "EASY" {
						s, err = behind(byIndex, baseline.EASY())
					}
					if err != nil {
						b.Fatal(err)
					}
					step := steady(b, s, cores, jobs)
					b.ReportAllocs()
					for b.Loop() {
						step()
					}
				})
			}
		}
	}
}

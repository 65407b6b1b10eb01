package slearn

import (
	"fmt"
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
)

// steady drives a policy in the steady state: of many waiting jobs one after the other gets
// a task on the one core, which ends after a second, and starts anew.
func steady(tb testing.TB, p policy.Scheduler, jobs int) (step func()) {
	var actions []policy.Action
	send := func(ev *policy.Event) {
		var err error
		if actions, err = p.Step(ev, actions[:0]); err != nil {
			tb.Fatal(err)
		}
	}
	send(&policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}, More: true})
	for id := policy.JobID(1); int(id) <= jobs; id++ {
		job := &policy.Job{ID: id, Stages: []policy.Stage{{Tasks: 1 << 20, Cores: 1}}}
		c := policy.Copy{Task: policy.Task{Job: id}}
		send(&policy.Event{Kind: policy.Submitted, Copy: c, Job: job, More: true})
		send(&policy.Event{Kind: policy.Ready, Copy: c, More: int(id) < jobs})
	}
	started := policy.Event{Kind: policy.Started, Node: 1}
	finished := policy.Event{Kind: policy.Finished, Node: 1, Service: s}
	return func() {
		if len(actions) != 1 {
			tb.Fatalf("%d actions, want 1", len(actions))
		}
		started.Copy = actions[0].Copy
		finished.Copy = started.Copy
		send(&started)
		finished.Time = started.Time + policy.Time(s)
		send(&finished)
		started.Time = finished.Time
	}
}

// A task is two events and an action, and one free core offered.
func BenchmarkTask(b *testing.B) {
	spread := func(when When) plans {
		return func(j *policy.Job) Plan {
			work := 500.0
			for range j.ID % 9 {
				work *= 10
			}
			return Plan{When: when, Work: work, Pilots: 1 + int(j.ID%1000)}
		}
	}
	for _, test := range []struct {
		name string
		e    Estimator
	}{{"now", spread(Now)}, {"later", spread(Later)}, {"never", spread(Never)}} {
		for _, jobs := range []int{100, 10_000} {
			b.Run(fmt.Sprintf("%s/jobs=%d", test.name, jobs), func(b *testing.B) {
				step := steady(b, jobtest.Must(NewScheduler(Config{Forecast: NewForecast(test.e)})), jobs)
				b.ReportAllocs()
				for b.Loop() {
					step()
				}
			})
		}
	}
}

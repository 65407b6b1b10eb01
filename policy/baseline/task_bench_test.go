package baseline

import (
	"fmt"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/sim"
)

// steady drives a policy in the steady state: of many waiting jobs one after the other
// gets a task on the one core, which ends, and starts anew.
func steady(tb testing.TB, p policy.Scheduler, jobs int) (step func()) {
	var actions []policy.Action
	send := func(ev *policy.Event) {
		var err error
		if actions, err = p.Step(ev, actions[:0]); err != nil {
			tb.Fatal(err)
		}
	}
	for _, ev := range waitingJobs(jobs, 1<<20) {
		send(&ev)
	}
	started := policy.Event{Kind: policy.Started, Node: 1}
	finished := policy.Event{Kind: policy.Finished, Node: 1}
	return func() {
		if len(actions) != 1 {
			tb.Fatalf("%d actions, want 1", len(actions))
		}
		started.Copy = actions[0].Copy
		finished.Copy = started.Copy
		send(&started)
		send(&finished)
	}
}

// A task is two events and an action.
func BenchmarkTask(b *testing.B) {
	for _, test := range all {
		for _, jobs := range []int{10, 1000, 100_000} {
			b.Run(fmt.Sprintf("%s/jobs=%d", test.name, jobs), func(b *testing.B) {
				if (test.name == "SRPT" || test.name == "Conservative") && jobs > 1000 {
					b.Skip("to submit a job takes time in proportion to its million tasks, or to the jobs before it")
				}
				step := steady(b, must(test.make(same(s))), jobs)
				b.ReportAllocs()
				for b.Loop() {
					step()
				}
			})
		}
	}
}

// Batch jobs are simulated on 1,024 cores.
func BenchmarkBackfill(b *testing.B) {
	const cores, n = 1024, 10_000
	jobs := mixed(1, n, cores, false)
	for _, test := range all {
		switch test.name {
		case "FIFO", "EASY", "SJBF", "EASY++", "EASY with slack", "Conservative", "Multifactor":
		default:
			continue
		}
		b.Run(fmt.Sprintf("%s/jobs=%d", test.name, n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				config := sim.Config{Nodes: sim.Cluster(sim.Partition{Nodes: cores / 128, Cores: 128})}
				if _, err := simulate(b, config, jobs, must(test.make(nil))); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
		})
	}
}

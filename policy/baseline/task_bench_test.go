package baseline

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"example.com/augur/policy"
	"example.com/augur/queue"
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

var all = []struct {
	name string
	make func() policy.Scheduler
}{
	{"fifo", func() policy.Scheduler { return NewFIFO() }},
	{"fair", func() policy.Scheduler { return NewFair() }},
	{"srpt", func() policy.Scheduler { return must(NewSRPT(same(s))) }},
	{"priority", func() policy.Scheduler { return NewPriority() }},
	{"random", func() policy.Scheduler { return must(NewRandom(rand.NewPCG(1, 2))) }},
	{"las", func() policy.Scheduler { return must(NewLAS(queue.MultilevelConfig{})) }},
	{"drf", func() policy.Scheduler { return must(NewDRF(DRFConfig{})) }},
	{"easy", func() policy.Scheduler { return NewEASY() }},
	{"conservative", func() policy.Scheduler { return NewConservative() }},
	{"multifactor", func() policy.Scheduler { return must(NewMultifactor(MultifactorConfig{})) }},
}

// A task is two events and an action.
func BenchmarkTask(b *testing.B) {
	for _, test := range all {
		for _, jobs := range []int{10, 1000, 100_000} {
			b.Run(fmt.Sprintf("%s/jobs=%d", test.name, jobs), func(b *testing.B) {
				p := test.make()
				if (test.name == "srpt" || test.name == "conservative") && jobs > 1000 {
					b.Skip("to submit a job takes time in proportion to its million tasks, or to the jobs before it")
				}
				step := steady(b, p, jobs)
				b.ReportAllocs()
				for b.Loop() {
					step()
				}
			})
		}
	}
}

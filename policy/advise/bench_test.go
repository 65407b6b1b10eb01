package advise_test

import (
	"testing"

	"example.com/augur/internal/jobtest"
	"example.com/augur/policy"
	"example.com/augur/policy/advise"
	"example.com/augur/policy/baseline"
)

// A pod comes, waits behind 1000 others, starts, ends and is over: what that costs FIFO, and FIFO
// behind an Advisor, which is asked for an order and for leave too.
func BenchmarkAdvisor(b *testing.B) {
	b.Run("fifo", func(b *testing.B) {
		p, actions := baseline.NewFIFO(), []policy.Action(nil)
		life(b, func(ev *policy.Event) (err error) {
			actions, err = p.Step(ev, actions[:0])
			return err
		}, func(policy.JobID) {})
	})
	b.Run("asked", func(b *testing.B) {
		a := jobtest.Must(advise.New(baseline.NewFIFO()))
		life(b, a.Observe, func(id policy.JobID) {
			if ok, _ := a.Admit(id); !ok || a.Compare(id, id+1) >= 0 || a.Score(id, 1) != 1 {
				b.Fatal("a pod is not admitted, or not first")
			}
		})
	})
}

func life(b *testing.B, step func(ev *policy.Event) error, ask func(id policy.JobID)) {
	tell := func(ev policy.Event) {
		if err := step(&ev); err != nil {
			b.Fatal(err)
		}
	}
	tell(policy.Event{Kind: policy.Joined, Node: 1, Info: &policy.Node{ID: 1, Partition: 1, Cores: 1, Speed: 1}})
	last := policy.JobID(0)
	come := func() {
		last++
		tell(policy.Event{Kind: policy.Submitted, Copy: job(last), Job: &policy.Job{ID: last, Stages: []policy.Stage{{Tasks: 1, Cores: 1}}}})
		tell(policy.Event{Kind: policy.Ready, Copy: job(last)})
	}
	for range 1000 {
		come()
	}
	first := policy.JobID(1)
	b.ReportAllocs()
	for b.Loop() {
		come()
		ask(first)
		tell(policy.Event{Kind: policy.Started, Copy: job(first), Node: 1})
		tell(policy.Event{Kind: policy.Finished, Copy: job(first), Node: 1})
		tell(policy.Event{Kind: policy.Ended, Copy: job(first)})
		first++
	}
}

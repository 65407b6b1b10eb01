package view_test

import (
	"testing"

	"example.com/augur/policy"
	"example.com/augur/policy/view"
)

// A FIFO-like loop: jobs of 20 tasks, started anywhere on 1000 nodes as long as they fit, and ended
// in order.
func BenchmarkViewFIFO(b *testing.B) {
	const nodes, tasks = 1000, 20
	var v view.View[int]
	see := func(ev *policy.Event) *view.Job[int] {
		j, err := v.Observe(ev)
		if err != nil {
			b.Fatal(err)
		}
		return j
	}
	for id := range policy.NodeID(nodes) {
		see(&policy.Event{Kind: policy.Joined, Node: id + 1, Info: &policy.Node{ID: id + 1, Partition: 1, Cores: 4, Speed: 1}})
	}
	job := policy.Job{Stages: []policy.Stage{{Tasks: tasks, Cores: 1}}}
	n := policy.NodeID(0)
	b.ReportAllocs()
	for b.Loop() {
		job.ID++
		ev := policy.Event{Kind: policy.Submitted, Copy: copyOf(job.ID, 0, 0, 0), Job: &job}
		j := see(&ev)
		see(&policy.Event{Kind: policy.Ready, Copy: ev.Copy})
		for v.Fits(j) {
			n = (n*1009+7)%nodes + 1
			ev = policy.Event{Kind: policy.Started, Copy: v.Start(j, view.Where{}).Copy, Node: n}
			see(&ev)
			ev.Kind = policy.Finished
			see(&ev)
		}
		see(&policy.Event{Kind: policy.Ended, Copy: copyOf(job.ID, 0, 0, 0), Outcome: policy.Done})
	}
}

package kairos

import (
	"fmt"
	"testing"

	"example.com/augur/policy"
)

// BenchmarkLeft is what it costs for each node that all leave, one after the other: the tasks that were sent to a node are sent to
// others for as long as these have places.
func BenchmarkLeft(b *testing.B) {
	for _, nodes := range []int{100, 1000, 4000} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			for b.Loop() {
				s, err := NewScheduler(Config{})
				if err != nil {
					b.Fatal(err)
				}
				sent := 0
				tell := func(ev policy.Event) {
					actions, err := s.Step(&ev, nil)
					if err != nil {
						b.Fatal(err)
					}
					for _, a := range actions {
						if a.Kind == policy.Send && a.Msg.Kind == assign {
							sent++
						}
					}
				}
				for i := range nodes {
					id := policy.NodeID(i + 1)
					tell(policy.Event{Kind: policy.Joined, Node: id, Info: &policy.Node{ID: id, Partition: 1, Cores: 4, Speed: 1}})
				}
				job := &policy.Job{ID: 1, Stages: []policy.Stage{{Tasks: uint32(4 * nodes), Cores: 1}}}
				first := policy.Copy{Task: policy.Task{Job: 1}}
				tell(policy.Event{Kind: policy.Submitted, Copy: first, Job: job})
				tell(policy.Event{Kind: policy.Ready, Copy: first})
				for i := range nodes {
					tell(policy.Event{Kind: policy.Left, Node: policy.NodeID(i + 1)})
				}
				if sent < 5*nodes {
					b.Fatalf("%d assignments of %d tasks, want a quarter more at least", sent, 4*nodes)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*nodes), "ns/node")
		})
	}
}
